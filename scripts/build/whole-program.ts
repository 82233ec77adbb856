// Builds the program with all its dependencies as one file, because hundreds of files would take
// longer to read than the rest of a start.
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { bundle, codeCaches } from '../../bin/run-bundle.js'
import { bundleProgram, exportedModules, filesIn } from './bundle.ts'
import { writeCodeCaches } from './code-caches.ts'
import { embed } from './embed.ts'

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

/**
 * Builds a module for `import` and for `require`, and returns the files in it. `npm run build:types`
 * makes its types.
 */
async function buildModule(name: string): Promise<readonly string[]> {
  const common = {
    entryPoints: [`src/tools/${name}.ts`],
    bundle: true,
    platform: 'node',
    target: 'node20',
    metafile: true,
    logLevel: 'warning',
  } satisfies BuildOptions
  const outfile = join(dirname(bundle), name)
  const { metafile } = await build({ ...common, format: 'esm', outfile: `${outfile}.js` })
  await build({
    ...common,
    format: 'cjs',
    outfile: `${outfile}.cjs`,
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href" },
  })
  return filesIn(metafile)
}

/** Builds the program, and the modules of the npm package. */
export async function buildProgram(commit: string): Promise<void> {
  await removeBuilt()
  await embed()
  const inModules = (await Promise.all(exportedModules.map(buildModule))).flat()
  // The types of the client contain those of this package.
  const inTypes = 'node_modules/openapi-typescript-helpers/package.json'
  await bundleProgram(bundle, { commit, accompanying: [...inModules, inTypes] })
  await writeCodeCaches(bundle, codeCaches)
}
