import openapiTS, { astToString } from 'openapi-typescript'
import { parse } from 'yaml'
import { type Manifest, readPinned, readSource } from './sources.ts'

const notice = '// Made by `npm run contract` from the files beside it.\n'

/** What `npm run contract` makes in src/contract for the program, by name. */
export async function renderGenerated(
  directory: string,
  manifest: Manifest,
): Promise<Record<string, string>> {
  return {
    'documents.ts': renderDocuments(directory, manifest),
    'types.ts': await renderTypes(directory, manifest),
  }
}

/** As a module, because no other form of text is there in every way in which the program runs. */
function renderDocuments(directory: string, manifest: Manifest): string {
  const documents = Object.assign(
    {},
    ...manifest.versions.map((version) => readPinned(directory, version)),
  )
  const entries = Object.entries({
    ...documents,
    'manifest.json': readSource(directory, 'manifest.json'),
  })
  const lines = entries.map(([name, text]) => `  '${name}': ${JSON.stringify(text)},\n`)
  return [
    notice,
    `export const latestVersion = '${manifest.latest}'\n`,
    `export const documents = {\n${lines.join('')}} as const satisfies Record<string, string>\n`,
  ].join('\n')
}

async function renderTypes(directory: string, { latest }: Manifest): Promise<string> {
  const document = parse(readSource(directory, `${latest}.yaml`))
  return `${notice}\n${astToString(await openapiTS(document, { immutable: true }))}`
}
