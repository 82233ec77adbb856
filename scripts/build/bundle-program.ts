import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import * as contract from '../../src/contract/documents.ts'
import { renderLegal } from '../release/licences.ts'

interface BundleOptions {
  /** For where size counts more than stacks that can be read. */
  readonly minify?: boolean
  /** What the program says that it was built from. */
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
    // Without keepNames: what keeps them runs at every closure that is made, several a request.
    minify,
    platform: 'node',
    target: 'node20',
    // What V8 keeps compiled code of, and what a single executable can hold.
    format: 'cjs',
    // Only asked for by what is not used: commands in TypeScript (oclif), servers for development (listhen).
    external: ['typescript', 'jiti', 'crossws', 'untun', '@parcel/watcher-wasm'],
    plugins: [compressDocuments],
    // What it has for node is for one without fetch.
    alias: { ofetch: './node_modules/ofetch/dist/index.mjs' },
    // Neither compiled code that is kept nor a single executable can import.
    supported: { 'dynamic-import': false },
    legalComments: 'linked',
    metafile: true,
    logLevel: 'warning',
    define: { 'import.meta.url': 'importMetaUrl', buildCommit: JSON.stringify(commit) },
    banner: {
      js: [
        "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;",
        // oclif would look for its own package.json, to know which node it wants.
        "process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1';",
      ].join('\n'),
    },
  })
  await writeLicences(`${outfile}.LEGAL.txt`, metafile)
}

/** Of all that is in the bundle: the bundler itself gathers only comments. */
async function writeLicences(file: string, { outputs }: Metafile): Promise<void> {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))
  await writeFile(file, renderLegal(files, await readFile(file, 'utf8')))
}

/** The texts of the contract as the program holds them: as they are, it would hold them twice, once in its compiled code. */
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

/** For builds from sources that are not in git, such as those in an image. */
const commitVariable = 'COOPSHARE_BUILD_COMMIT'
const shownCharacters = 12

/** @returns the commit that the sources in a folder are at, as the program names it: `1a2b3c4d5e6f`, with `+dirty` where something is not committed; or `unknown` */
export function readCommit(folder = '.', given = process.env[commitVariable]): string {
  if (given) return readGiven(given)
  // The first line is empty in the root of the sources; elsewhere they are in somebody else's repository.
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
