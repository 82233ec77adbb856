import { type H3Event, type H3Plugin, HTTPResponse, handleCacheHeaders } from 'h3'
import { type PublishedFile, publishedFiles } from '../contract/published-files.ts'
import { strongEtag } from '../usecases/strong-etag.ts'

/** Without a token: whoever integrates reads it before having one. */
export function contractRoutes(): H3Plugin {
  return (app) => {
    for (const file of publishedFiles()) app.get(`/${file.path}`, answering(file))
  }
}

function answering({ contentType, text, isFrozen }: PublishedFile) {
  const cacheControl = isFrozen ? 'public, max-age=31536000, immutable' : 'public, max-age=300'
  let rendered: { readonly bytes: Uint8Array; readonly etag: string } | undefined
  return (event: H3Event): Uint8Array | HTTPResponse => {
    rendered ??= render(text)
    const { bytes, etag } = rendered
    const isUnchanged = handleCacheHeaders(event, { etag })
    const { headers } = event.res
    headers.set('cache-control', cacheControl)
    if (isUnchanged) return new HTTPResponse(null)
    headers.set('content-type', contentType)
    return bytes
  }
}

/** Only once somebody asks: a start shall not wait for what nobody may want. */
function render(text: string) {
  const bytes = Buffer.from(text)
  return { bytes, etag: strongEtag(bytes) }
}
