import { documents } from './documents.ts'

/** The address in the published documents. It can never be that of a service. */
const shownAddress = 'https://partners.example'

/**
 * Replaces that address with the one of the publishing service, so that tools call that service.
 * @param text YAML or JSON
 */
export function withOwnAddress(text: string, address: string): string {
  return text.replaceAll(shownAddress, inJson(address))
}

/** Restores the published text from one that names the address of a service. */
export function withShownAddress(text: string, address: string): string {
  return text.replaceAll(inJson(address), shownAddress)
}

/** Escapes for script elements, too. */
function inJson(address: string): string {
  return JSON.stringify(address).slice(1, -1).replaceAll('<', '\\u003c')
}

export interface PublishedFile {
  /** The path below the address of the service, and below the directory of an export. */
  readonly path: string
  readonly contentType: string
  readonly text: string
  /** Whether the file is frozen. */
  readonly isFrozen: boolean
  /** Whether it is the latest version under its permanent address. It names the service that publishes it. */
  readonly isLatest: boolean
}

interface Manifest {
  readonly latest: string
  readonly versions: readonly { readonly version: string; readonly draft?: boolean }[]
}

type Texts = Readonly<Record<string, string>>

/** The contract in all formats and versions. */
export function publishedFiles(texts: Texts = documents): PublishedFile[] {
  const manifest: Manifest = JSON.parse(textOf(texts, 'manifest.json'))
  // The manifest continues to change, and so may a draft.
  const frozen = manifest.versions.filter(({ draft }) => !draft)
  const isFrozen = (name: string) => frozen.some(({ version }) => name.startsWith(`${version}.`))
  return [
    ...['yaml', 'json', 'postman_collection.json'].map((form) =>
      publish(`openapi.${form}`, textOf(texts, `${manifest.latest}.${form}`), { isLatest: true }),
    ),
    ...Object.entries(texts).map(([name, text]) =>
      publish(`openapi/${name}`, text, { isFrozen: isFrozen(name) }),
    ),
  ]
}

function textOf(texts: Texts, name: string): string {
  const text = texts[name]
  if (text === undefined) throw new Error(`The contract has no ${name}.`)
  return text
}

function publish(
  path: string,
  text: string,
  { isFrozen = false, isLatest = false },
): PublishedFile {
  return {
    path,
    // RFC 9512.
    contentType: path.endsWith('.yaml') ? 'application/yaml' : 'application/json',
    text,
    isFrozen,
    isLatest,
  }
}
