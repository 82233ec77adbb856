// What is installed and run: the program with all it needs in one file, because finding and reading hundreds takes a start longer than its work.
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { bundle, codeCache } from '../../bin/run-bundle.js'
import { bundleProgram } from './bundle-program.ts'
import { writeCodeCaches } from './code-cache.ts'

/** Removes what builds under other versions of Node have made. What other scripts make (the executable, a release) stays. */
async function removeBuilt(): Promise<void> {
  const directory = dirname(bundle)
  const made = (name: string) => name.startsWith(basename(bundle)) || name.endsWith('.cache')
  const names = await readdir(directory).catch(() => [])
  await Promise.all(names.filter(made).map((name) => rm(join(directory, name))))
}

await removeBuilt()
await bundleProgram(bundle)
await writeCodeCaches(bundle, { ofServe: codeCache })
