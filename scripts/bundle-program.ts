import { readFile, writeFile } from 'node:fs/promises'
import { build, type Metafile } from 'esbuild'
import { compressDocuments } from './compress-documents.ts'
import { readCommit } from './read-commit.ts'
import { renderLegal } from './release/render-legal.ts'

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
