import { readFile, writeFile } from 'node:fs/promises'
import { brotliCompressSync, constants } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import * as contract from '../../src/contract/documents.ts'
import { readCommit } from './commit.ts'
import { renderLegal } from './licences.ts'

/** The modules that the npm package exports, each in one file. */
export const exportedModules = ['client', 'testing']

interface BundleOptions {
  /** Whether the code is minified, because size matters more than readable stack traces. */
  readonly minify?: boolean
  /** The commit that the program reports. */
  readonly commit?: string
  /** Files of packages that come with the program, outside its bundle. Their licences are added. */
  readonly accompanying?: readonly string[]
}

export async function bundleProgram(
  outfile: string,
  { minify = false, commit = readCommit(), accompanying = [] }: BundleOptions = {},
): Promise<void> {
  const { metafile } = await build({
    entryPoints: ['bin/coopshare.ts'],
    outfile,
    bundle: true,
    // The option keepNames is off, because it would add work to every closure.
    minify,
    platform: 'node',
    target: 'node20',
    // V8's code cache and single executables need this format.
    format: 'cjs',
    // Only code that is never used requires these: commands in TypeScript (oclif) and development
    // servers (listhen).
    external: ['typescript', 'jiti', 'crossws', 'untun', '@parcel/watcher-wasm'],
    plugins: [compressDocuments],
    // ofetch has another module for Node, but that is for versions without fetch.
    alias: { ofetch: './node_modules/ofetch/dist/index.mjs' },
    // Neither the code cache nor a single executable supports import().
    supported: { 'dynamic-import': false },
    legalComments: 'linked',
    metafile: true,
    logLevel: 'warning',
    define: { 'import.meta.url': 'importMetaUrl', buildCommit: JSON.stringify(commit) },
    banner: {
      js: [
        programStart,
        "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;",
        // Without it, oclif would look for its own package.json to find out which Node it needs.
        "process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1';",
      ].join('\n'),
    },
    footer: { js: '})' },
  })
  await escapeRest(outfile)
  const { packages } = await import('../../src/contract/reference-page.ts')
  // The bundle contains the reference page as a text, so the bundler does not know these files.
  const inPage = packages.map((folder) => `${folder}/package.json`)
  await writeLicences(`${outfile}.LEGAL.txt`, [...filesIn(metafile), ...inPage, ...accompanying])
}

/** The files in what the bundler wrote, as paths from the root of the project. */
export function filesIn({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))
}

const parameters = 'exports, require, module, __filename, __dirname'
/**
 * As a module, the file runs the program. As a script, which can use compiled code, its value is the
 * function that runs the program: adding a function around the text at each start would copy it all.
 */
const programStart = `((run) => typeof module === 'object' ? run(${parameters}) : run)(function (${parameters}) {`

/**
 * Escapes characters outside ASCII, because a start reads each byte as a character, which is
 * faster. The bundler escapes strings, but not templates with a tag.
 */
async function escapeRest(file: string): Promise<void> {
  const written = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/[^\0-\x7f]/g, written))
}

/** Writes the licences of everything in the bundle. The bundler itself collects only comments. */
async function writeLicences(file: string, files: readonly string[]): Promise<void> {
  await writeFile(file, renderLegal(files, await readFile(file, 'utf8')))
}

/**
 * Compresses the documents of the contract in the bundle. Otherwise the program would contain them
 * a second time in its code cache.
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
  // The best quality takes half a second more and saves 4 kB.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  const compressed = brotliCompressSync(JSON.stringify(documents), { params }).toString('base64')
  return [
    `import { brotliDecompressSync } from 'node:zlib'`,
    `const texts = brotliDecompressSync(Buffer.from('${compressed}', 'base64'))`,
    `export const documents = JSON.parse(texts.toString())`,
    ...lines,
  ].join('\n')
}
