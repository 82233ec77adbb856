import { type H3Event, type H3Plugin, HTTPResponse, handleCacheHeaders } from 'h3'
import { type PublishedFile, publishedFiles } from '../contract/published-files.ts'
import { strongEtag } from '../usecases/strong-etag.ts'

/** Without a token: whoever integrates reads it before having one. */
export function contractRoutes(): H3Plugin {
  return (app) => {
    for (const file of publishedFiles()) app.get(`/${file.path}`, answering(file))
  }
}

function answering({ contentType, text, isPinned }: PublishedFile) {
  const bytes = Buffer.from(text)
  const etag = strongEtag(bytes)
  const cacheControl = isPinned ? 'public, max-age=31536000, immutable' : 'public, max-age=300'
  return (event: H3Event): Uint8Array | HTTPResponse => {
    const isUnchanged = handleCacheHeaders(event, { etag })
    const { headers } = event.res
    headers.set('cache-control', cacheControl)
    if (isUnchanged) return new HTTPResponse(null)
    headers.set('content-type', contentType)
    return bytes
  }
}
