import openapiTS, { astToString } from 'openapi-typescript'
import { parse } from 'yaml'
import { type Manifest, newestOf, readPinned, readSource } from './sources.ts'

const notice = '// Made by `npm run contract` from the files beside it.\n'

/** The files that `npm run contract` generates in src/contract for the program, by name. */
export async function renderGenerated(
  directory: string,
  manifest: Manifest,
): Promise<Record<string, string>> {
  return {
    'documents.ts': renderDocuments(directory, manifest),
    'types.ts': await renderTypes(directory, manifest),
  }
}

/** The files that the service publishes, by name. */
export function readDocuments(
  directory: string,
  { versions }: Manifest,
): Readonly<Record<string, string>> {
  const pinned = versions.map((version) => readPinned(directory, version))
  return Object.assign({}, ...pinned, {
    'manifest.json': readSource(directory, 'manifest.json'),
  })
}

/** Renders a module, because other files do not exist in every form of the program. */
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

/** The types of the newest version, because current code implements it. */
async function renderTypes(directory: string, manifest: Manifest): Promise<string> {
  const document = parse(readSource(directory, `${newestOf(manifest)}.yaml`))
  return `${notice}\n${astToString(await openapiTS(document, { immutable: true }))}`
}
