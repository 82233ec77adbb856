import type { H3Event, H3Plugin, HTTPResponse } from 'h3'
import { type PublishedFile, publishedFiles, withOwnAddress } from '../contract/published-files.ts'
import { signatureVectorsFile } from '../wire/signature-vectors.ts'
import { type Representation, representationOf, sendCacheable } from './cacheable-response.ts'

/** Without a token: a partner reads it before having one. */
export function contractFileRoutes(baseUrl: string): H3Plugin {
  return (app) => {
    const files = [...publishedFiles(), signatureVectorsFile()]
    for (const file of files) app.get(`/${file.path}`, fileHandler(file, baseUrl))
  }
}

/** The file is rendered on the first request, so that it does not slow down the start. */
export function fileHandler(file: PublishedFile, baseUrl: string) {
  const { contentType, isFrozen, isLatest } = file
  const cacheControl = isFrozen ? 'public, max-age=31536000, immutable' : 'public, max-age=300'
  let rendered: Representation | undefined
  return (event: H3Event): Uint8Array | HTTPResponse => {
    rendered ??= representationOf(isLatest ? withOwnAddress(file.text, baseUrl) : file.text)
    return sendCacheable(event, { ...rendered, contentType, cacheControl })
  }
}
