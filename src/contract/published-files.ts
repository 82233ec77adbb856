import { documents, latestVersion } from './documents.ts'

export interface PublishedFile {
  /** Below the address of the service, and below the directory of an export. */
  readonly path: string
  readonly contentType: string
  readonly text: string
  /** Never changes any more. */
  readonly isPinned: boolean
}

/** The contract in all forms and versions. */
export function publishedFiles(): PublishedFile[] {
  return [
    publish('openapi.yaml', documents[`${latestVersion}.yaml`]),
    publish('openapi.json', documents[`${latestVersion}.json`]),
    ...Object.entries(documents).map(([name, text]) => publish(`openapi/${name}`, text)),
  ]
}

function publish(path: string, text: string): PublishedFile {
  return {
    path,
    // RFC 9512.
    contentType: path.endsWith('.yaml') ? 'application/yaml' : 'application/json',
    text,
    isPinned: /^openapi\/\d/.test(path),
  }
}
