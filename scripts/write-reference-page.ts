// Makes the module that the service has its reference page from. It is as large as redoc, so it is not kept in git.
import { join } from 'node:path'
import { documents, latestVersion } from '../src/contract/documents.ts'
import { gzip } from './gzip.ts'
import { renderPage } from './reference-page/render-page.ts'
import { writeIfChanged } from './write-if-changed.ts'

const file = join(import.meta.dirname, '..', 'src', 'contract', 'reference-page.ts')

function renderModule(): string {
  const { html, contentSecurityPolicy } = renderPage(documents[`${latestVersion}.json`])
  return [
    '// Made by `npm run build` from redoc and the latest document.\n',
    `export const contentSecurityPolicy =\n  ${JSON.stringify(contentSecurityPolicy)}\n`,
    `export const gzippedPage =\n  '${gzip(html).toString('base64')}'\n`,
  ].join('\n')
}

writeIfChanged(file, renderModule())
