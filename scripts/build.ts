// What is installed and run: the program with all it needs in one file, because finding and reading hundreds takes a start longer than its work.
import { rm } from 'node:fs/promises'
import { bundleProgram } from './bundle-program.ts'
import { writeCodeCache } from './write-code-cache.ts'

await rm('dist', { recursive: true, force: true })
await bundleProgram('dist/coopshare.cjs')
await writeCodeCache()
