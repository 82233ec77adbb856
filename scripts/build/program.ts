// Builds the program with all its dependencies as one file, because finding and reading hundreds of
// files takes longer than the rest of a start.
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { bundle, codeCache } from '../../bin/run-bundle.js'
import { bundleProgram } from './bundle-program.ts'
import { writeCodeCaches } from './code-cache.ts'
import { buildTestingModule } from './testing-module.ts'

/**
 * Removes builds for other versions of Node. Files of other scripts (the executable, a release)
 * stay.
 */
async function removeBuilt(): Promise<void> {
  const directory = dirname(bundle)
  const made = (name: string) => name.startsWith(basename(bundle)) || name.endsWith('.cache')
  const names = await readdir(directory).catch(() => [])
  await Promise.all(names.filter(made).map((name) => rm(join(directory, name))))
}

await removeBuilt()
await bundleProgram(bundle)
await buildTestingModule(dirname(bundle))
await writeCodeCaches(bundle, { ofServe: codeCache })
