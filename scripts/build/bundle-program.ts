import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import * as contract from '../../src/contract/documents.ts'
import { renderLegal } from '../release/licences.ts'

interface BundleOptions {
  /** Set where size matters more than readable stacks. */
  readonly minify?: boolean
  /** The commit that the program reports. */
  readonly commit?: string
}

export async function bundleProgram(
  outfile: string,
  { minify = false, commit = readCommit() }: BundleOptions = {},
): Promise<void> {
  const { metafile } = await build({
    entryPoints: ['bin/coopshare.ts'],
    outfile,
    bundle: true,
    // Without keepNames, which would add work to every closure, several times in a request.
    minify,
    platform: 'node',
    target: 'node20',
    // V8's code cache and single executables need this format.
    format: 'cjs',
    // Required only by code that is not used: commands in TypeScript (oclif) and development
    // servers (listhen).
    external: ['typescript', 'jiti', 'crossws', 'untun', '@parcel/watcher-wasm'],
    plugins: [compressDocuments],
    // Its variant for node is for versions without fetch.
    alias: { ofetch: './node_modules/ofetch/dist/index.mjs' },
    // Neither the code cache nor a single executable supports import().
    supported: { 'dynamic-import': false },
    legalComments: 'linked',
    metafile: true,
    logLevel: 'warning',
    define: { 'import.meta.url': 'importMetaUrl', buildCommit: JSON.stringify(commit) },
    banner: {
      js: [
        "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;",
        // oclif would look for its own package.json to find out which node it needs.
        "process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1';",
      ].join('\n'),
    },
  })
  await writeLicences(`${outfile}.LEGAL.txt`, metafile)
}

/** Writes the licences of everything in the bundle. The bundler itself collects comments only. */
async function writeLicences(file: string, { outputs }: Metafile): Promise<void> {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))
  await writeFile(file, renderLegal(files, await readFile(file, 'utf8')))
}

/**
 * Compresses the texts of the contract in the bundle. Otherwise the program would contain them
 * twice, once in its code cache.
 */
const compressDocuments: Plugin = {
  name: 'compress-documents',
  setup(build) {
    build.onLoad({ filter: /\/src\/contract\/documents\.ts$/ }, () => ({ contents: render() }))
  },
}

function render(): string {
  const { documents, ...versions } = contract
  const lines = Object.entries(versions).map(
    ([name, version]) => `export const ${name} = ${JSON.stringify(version)}`,
  )
  const compressed = brotliCompressSync(JSON.stringify(documents)).toString('base64')
  return [
    `import { brotliDecompressSync } from 'node:zlib'`,
    `const texts = brotliDecompressSync(Buffer.from('${compressed}', 'base64'))`,
    `export const documents = JSON.parse(texts.toString())`,
    ...lines,
  ].join('\n')
}

/** Names the commit for builds from sources outside of git, such as those in an image. */
const commitVariable = 'COOPSHARE_BUILD_COMMIT'
const shownCharacters = 12

/**
 * @returns the commit of the sources in a folder as the program reports it: `1a2b3c4d5e6f`, with
 * `+dirty` if there are uncommitted changes, or `unknown`
 */
export function readCommit(folder = '.', given = process.env[commitVariable]): string {
  if (given) return readGiven(given)
  // The prefix is empty at the root of the repository. Elsewhere, the sources are in another
  // repository.
  const [prefix, commit] = git(folder, 'rev-parse', '--show-prefix', 'HEAD')?.split('\n') ?? []
  const changes = git(folder, 'status', '--porcelain')
  if (prefix !== '' || !commit || changes === undefined) return 'unknown'
  return `${commit.slice(0, shownCharacters)}${changes === '' ? '' : '+dirty'}`
}

function readGiven(given: string): string {
  const [, commit, mark = ''] = /^([0-9a-f]{7,40})(\+dirty)?$/.exec(given) ?? []
  if (commit === undefined)
    throw new Error(`${commitVariable} has to be the hash of a commit, not "${given}".`)
  return `${commit.slice(0, shownCharacters)}${mark}`
}

function git(folder: string, ...argv: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', argv, { cwd: folder, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}
