// Bundles test files once, because reading 300 modules of TypeScript in each test process would cost more than most tests do.
import { readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'

const outdir = '.tap/bundled'

export const testsDirectory = join(outdir, 'test')

/** A bundled module still finds the files that lie beside its source. In quotes the words are a name: the build has it. */
const whereSourcesLie: Plugin = {
  name: 'where-sources-lie',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path }) => {
      if (path.includes('node_modules')) return undefined
      const source = await readFile(path, 'utf8')
      const contents = source
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll(/(?<!')import\.meta\.url/g, JSON.stringify(`file://${path}`))
      return { contents, loader: 'ts' }
    }),
}

const suite = join('fixtures', 'suite.ts')

/** The root test ends when a file's tests are through, so a file that others follow must not add its tests to that. */
const suiteForTap: Plugin = {
  name: 'suite-for-tap',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^tap$/ }, ({ importer }) =>
      importer === resolve(suite) ? { path: 'tap', external: true } : { path: resolve(suite) },
    ),
}

/**
 * @param files sources of tests, relative to the folder of the project
 * @returns their bundles: plain JavaScript, modules that several tests use only once, packages outside
 */
export async function bundleTests(files: readonly string[]): Promise<string[]> {
  await rm(outdir, { recursive: true, force: true })
  await build({
    entryPoints: [suite, ...files],
    outdir,
    outbase: '.',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    plugins: [suiteForTap, whereSourcesLie],
  })
  return files.map((file) => join(outdir, file.replace(/\.ts$/, '.js')))
}

/** @returns the sources of all tests below a folder of the project */
export async function listTests(folder = 'test'): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
}
