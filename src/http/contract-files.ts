import type { H3Event, H3Plugin, HTTPResponse } from 'h3'
import { type PublishedFile, publishedFiles, withOwnAddress } from '../contract/published-files.ts'
import { strongEtag } from '../usecases/etag.ts'
import { signatureVectorsFile } from '../wire/signature-vectors.ts'
import { sendCacheable } from './cacheable-response.ts'

/** Without a token: a partner reads it before having one. */
export function contractFileRoutes(baseUrl: string): H3Plugin {
  return (app) => {
    const files = [...publishedFiles(), signatureVectorsFile()]
    for (const file of files) app.get(`/${file.path}`, handlerOf(file, baseUrl))
  }
}

function handlerOf(file: PublishedFile, baseUrl: string) {
  const { contentType, isFrozen, isLatest } = file
  const cacheControl = isFrozen ? 'public, max-age=31536000, immutable' : 'public, max-age=300'
  let rendered: { readonly bytes: Uint8Array; readonly etag: string } | undefined
  return (event: H3Event): Uint8Array | HTTPResponse => {
    rendered ??= renderContract(isLatest ? withOwnAddress(file.text, baseUrl) : file.text)
    return sendCacheable(event, { ...rendered, contentType, cacheControl })
  }
}

/** Loaded on the first request, so that it does not slow down the start. */
export function renderContract(text: string) {
  const bytes = Buffer.from(text)
  return { bytes, etag: strongEtag(bytes) }
}
