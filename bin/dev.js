#!/usr/bin/env node
// A command from the sources, without a build.
import { register } from 'tsx/esm/api'

register()
await import('./coopshare.ts')
