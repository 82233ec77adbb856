import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'esbuild'
import * as contract from '../src/contract/documents.ts'

/** The texts of the contract as the program holds them: as they are, it would hold them twice, once in its compiled code. */
export const compressDocuments: Plugin = {
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
