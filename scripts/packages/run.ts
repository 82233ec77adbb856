// `tsx scripts/packages/run.ts FOLDER PROGRAM ARGUMENT…` runs a program from the packages of a folder
// beside this file, and installs these packages before, if necessary.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installLockedPackages, lockedFolder } from './locked-packages.ts'

const [folder = '', program = '', ...argv] = process.argv.slice(2)
const modules = installLockedPackages(lockedFolder(folder))
const { status, error } = spawnSync(join(modules, '.bin', program), argv, { stdio: 'inherit' })
if (error) throw error
process.exitCode = status ?? 1
