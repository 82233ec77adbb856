// What is installed and run: the program with all it needs in one file, because finding and reading hundreds takes a start longer than its work.
import { rm } from 'node:fs/promises'
import { bundle, codeCache } from '../bin/run-bundle.js'
import { bundleProgram } from './bundle-program.ts'
import { writeCodeCache } from './write-code-cache.ts'

await rm('dist', { recursive: true, force: true })
await bundleProgram(bundle)
await writeCodeCache(bundle, codeCache)
