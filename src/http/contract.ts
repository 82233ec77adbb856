import type { H3Event, H3Plugin, HTTPResponse } from 'h3'
import { withOwnAddress } from '../contract/own-address.ts'
import { type PublishedFile, publishedFiles } from '../contract/published-files.ts'
import { strongEtag } from '../usecases/strong-etag.ts'
import { answerCacheable } from './answer-cacheable.ts'

/** Without a token: whoever integrates reads it before having one. */
export function contractRoutes(baseUrl: string): H3Plugin {
  return (app) => {
    for (const file of publishedFiles()) app.get(`/${file.path}`, handlerOf(file, baseUrl))
  }
}

function handlerOf({ contentType, text, isFrozen, isLatest }: PublishedFile, baseUrl: string) {
  const cacheControl = isFrozen ? 'public, max-age=31536000, immutable' : 'public, max-age=300'
  let rendered: { readonly bytes: Uint8Array; readonly etag: string } | undefined
  return (event: H3Event): Uint8Array | HTTPResponse => {
    rendered ??= render(isLatest ? withOwnAddress(text, baseUrl) : text)
    return answerCacheable(event, { ...rendered, contentType, cacheControl })
  }
}

/** Only once somebody asks: a start shall not wait for what nobody may want. */
function render(text: string) {
  const bytes = Buffer.from(text)
  return { bytes, etag: strongEtag(bytes) }
}
