// Bundles test files once, because reading 300 modules of TypeScript in each test process would
// take longer than most tests.
import { readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'

const outdir = '.tap/bundled'

export const testsDirectory = join(outdir, 'test')

/**
 * Bundled modules must find the files beside their sources. In quotes the words are a name that the
 * build defines.
 */
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

/**
 * The root test of tap ends when the tests of a file have ended. Files that share a process add
 * their tests to suites instead.
 */
const suiteForTap: Plugin = {
  name: 'suite-for-tap',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^tap$/ }, ({ importer }) =>
      importer === resolve(suite) ? { path: 'tap', external: true } : { path: resolve(suite) },
    ),
}

/**
 * @param files sources of tests, relative to the folder of the project
 * @returns their bundles in plain JavaScript. Modules that several tests use are included once,
 * packages not at all
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
