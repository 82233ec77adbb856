import openapiTS, { astToString } from 'openapi-typescript'
import { parse } from 'yaml'
import { type Manifest, newestOf, readPinned, readSource } from './sources.ts'

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

/** What the service publishes, by name. */
export function readDocuments(
  directory: string,
  { versions }: Manifest,
): Readonly<Record<string, string>> {
  const pinned = versions.map((version) => readPinned(directory, version))
  return Object.assign({}, ...pinned, {
    'manifest.json': readSource(directory, 'manifest.json'),
  })
}

/** As a module, because no other form of text is there in every way in which the program runs. */
function renderDocuments(directory: string, manifest: Manifest): string {
  const entries = Object.entries(readDocuments(directory, manifest))
  const lines = entries.map(([name, text]) => `  '${name}': ${JSON.stringify(text)},\n`)
  return [
    notice,
    `export const latestVersion = '${manifest.latest}'\n`,
    `/** Is the latest unless it is a draft. */\nexport const newestVersion = '${newestOf(manifest)}'\n`,
    `export const documents = {\n${lines.join('')}} as const satisfies Record<string, string>\n`,
  ].join('\n')
}

/** Of the newest, for what is written now is written for it. */
async function renderTypes(directory: string, manifest: Manifest): Promise<string> {
  const document = parse(readSource(directory, `${newestOf(manifest)}.yaml`))
  return `${notice}\n${astToString(await openapiTS(document, { immutable: true }))}`
}
