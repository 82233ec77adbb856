// Generates modules that contain the content of other files, because a single executable has no
// files beside it. They are not in git.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readFixtureFiles } from '../../src/cli/read-fixture-files.ts'
import { documents, latestVersion } from '../../src/contract/documents.ts'
import { renderPage } from './reference-page.ts'

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

function renderReferencePage(): string {
  const { html, contentSecurityPolicy } = renderPage(documents[`${latestVersion}.json`])
  return [
    '// Made by `npm run build` from redoc and the latest document.\n',
    `export const contentSecurityPolicy =\n  ${JSON.stringify(contentSecurityPolicy)}\n`,
    `export const gzippedPage =\n  '${gzip(html).toString('base64')}'\n`,
  ].join('\n')
}

/** A file with a new time would be compiled again. */
function writeIfChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

/** Returns the same bytes on every system: byte 9 would name the system. */
function gzip(text: string): Buffer {
  const gzipped = gzipSync(text, { level: 9 })
  gzipped[9] = 255
  return gzipped
}

writeIfChanged(join(root, 'src', 'cli', 'serve', 'demo-data.ts'), await renderDemoData())
writeIfChanged(join(root, 'src', 'contract', 'reference-page.ts'), renderReferencePage())
