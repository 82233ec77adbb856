import { documents, latestVersion } from './documents.ts'

export interface PublishedFile {
  /** Below the address of the service, and below the directory of an export. */
  readonly path: string
  readonly contentType: string
  readonly text: string
  /** Never changes any more. */
  readonly isFrozen: boolean
}

interface Manifest {
  readonly versions: readonly { readonly version: string; readonly draft?: boolean }[]
}

/** The contract in all forms and versions. */
export function publishedFiles(): PublishedFile[] {
  const isFrozen = freezing(JSON.parse(documents['manifest.json']))
  return [
    publish('openapi.yaml', documents[`${latestVersion}.yaml`]),
    publish('openapi.json', documents[`${latestVersion}.json`]),
    ...Object.entries(documents).map(([name, text]) =>
      publish(`openapi/${name}`, text, isFrozen(name)),
    ),
  ]
}

/** The manifest goes on, and a draft may still change. */
function freezing({ versions }: Manifest): (name: string) => boolean {
  const frozen = versions.filter(({ draft }) => !draft)
  return (name) => frozen.some(({ version }) => name.startsWith(`${version}.`))
}

function publish(path: string, text: string, isFrozen = false): PublishedFile {
  return {
    path,
    // RFC 9512.
    contentType: path.endsWith('.yaml') ? 'application/yaml' : 'application/json',
    text,
    isFrozen,
  }
}
