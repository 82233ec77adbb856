import { build } from 'esbuild'
import { compressDocuments } from './compress-documents.ts'

/** @param minify for where size counts more than stacks that can be read */
export async function bundleProgram(outfile: string, { minify = false } = {}): Promise<void> {
  await build({
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
    logLevel: 'warning',
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: {
      js: [
        "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;",
        // oclif would look for its own package.json, to know which node it wants.
        "process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1';",
      ].join('\n'),
    },
  })
}
