// Generates modules with the content of other files, because a single executable has no files
// beside it. The modules are not in git.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { transformSync } from 'esbuild'
import { readFixtureFiles } from '../../src/cli/read-fixture-files.ts'
import { documents, latestVersion } from '../../src/contract/documents.ts'
import type { generatedModules } from './build-record.ts'
import { renderGuide } from './guide/pages.ts'
import { renderPage } from './reference-page/page.ts'

const root = join(import.meta.dirname, '..', '..')

async function renderDemoData(): Promise<string> {
  const { input } = await readFixtureFiles([join(root, 'fixtures', 'demo.yaml')])
  const gzipped = gzip(JSON.stringify(input)).toString('base64')
  return [
    '// Made by `npm run build` from fixtures/demo.yaml.\n',
    '/** JSON: the input of `fixtures.apply`. */',
    `export const gzippedDemoData =\n  '${gzipped}'\n`,
  ].join('\n')
}

async function renderReferencePage(): Promise<string> {
  const page = await renderPage(documents[`${latestVersion}.json`])
  return [
    '// Made by `npm run build` from openapi-explorer and the latest document.\n',
    `export const contentSecurityPolicy =\n  ${JSON.stringify(page.contentSecurityPolicy)}\n`,
    `export const calling =\n  ${JSON.stringify(page.calling)}\n`,
    `/** The folders of the packages in the page. */\nexport const packages =\n  ${JSON.stringify(page.packages)}\n`,
    `export const gzippedPage =\n  '${gzip(page.html).toString('base64')}'\n`,
  ].join('\n')
}

function renderGuidePages(): string {
  const compressed = brotliCompressSync(JSON.stringify(renderGuide(root))).toString('base64')
  return [
    '// Made by `npm run embed` from the documents for partners.\n',
    `/** JSON: the pages in sequence. */`,
    `export const compressedPages =\n  '${compressed}'\n`,
  ].join('\n')
}

/** Styles and scripts of pages are files, so that editors know what they are. */
function renderLook(folder: string): string {
  const names = readdirSync(join(root, folder)).filter((name) => /\.(css|js)$/.test(name))
  const files = names.sort().map((name) => {
    const text = readFileSync(join(root, folder, name), 'utf8')
    const isStyle = name.endsWith('.css')
    return [name, isStyle ? transformSync(text, { loader: 'css', minify: true }).code : text]
  })
  const json = JSON.stringify(Object.fromEntries(files), null, 2)
  return `// Made by \`npm run embed\` from the files of this folder.\n\nexport const files = ${json}\n`
}

/** An unchanged file keeps its modification time, because otherwise it would be compiled again. */
function writeIfChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

/** Returns the same bytes on every system. Byte 9, which names the system, is replaced. */
function gzip(text: string): Buffer {
  const gzipped = gzipSync(text, { level: 9 })
  gzipped[9] = 255
  return gzipped
}

/** Writes all generated modules. */
export async function embed(): Promise<void> {
  const texts: Readonly<Record<(typeof generatedModules)[number], string>> = {
    'src/cli/serve/demo-data.ts': await renderDemoData(),
    'src/contract/reference-page.ts': await renderReferencePage(),
    'src/http/guide/pages.ts': renderGuidePages(),
    'src/http/look/files.ts': renderLook('src/http/look'),
    'src/http/console/look/files.ts': renderLook('src/http/console/look'),
  }
  for (const [file, text] of Object.entries(texts)) writeIfChanged(join(root, file), text)
}
