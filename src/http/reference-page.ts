import { gunzipSync } from 'node:zlib'
import type { H3Event, H3Plugin, HTTPResponse } from 'h3'
import { strongEtag } from '../usecases/strong-etag.ts'
import { acceptsGzip } from './accepts-gzip.ts'
import { answerCacheable } from './answer-cacheable.ts'

/** Without a token, as the contract that it shows. */
export function referencePageRoutes(): H3Plugin {
  let page: Promise<ReferencePage> | undefined
  return (app) => {
    app.get('/docs', async (event) => {
      page ??= loadPage()
      return answer(event, await page)
    })
  }
}

interface ReferencePage {
  readonly contentSecurityPolicy: string
  readonly compressed: Form
  readonly plain: Form
}

interface Form {
  readonly bytes: Uint8Array
  readonly etag: string
}

/** Only once somebody asks: it is large. */
async function loadPage(): Promise<ReferencePage> {
  const { contentSecurityPolicy, gzippedPage } = await import('../contract/reference-page.ts')
  const gzipped = Buffer.from(gzippedPage, 'base64')
  return {
    contentSecurityPolicy,
    compressed: formOf(gzipped),
    plain: formOf(gunzipSync(gzipped)),
  }
}

function formOf(bytes: Uint8Array): Form {
  return { bytes, etag: strongEtag(bytes) }
}

function answer(event: H3Event, page: ReferencePage): Uint8Array | HTTPResponse {
  const isCompressed = acceptsGzip(event.req.headers.get('accept-encoding') ?? '')
  event.res.headers.set('vary', 'accept-encoding')
  return answerCacheable(event, {
    ...(isCompressed ? page.compressed : page.plain),
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'public, max-age=300',
    headers: {
      'content-security-policy': page.contentSecurityPolicy,
      ...(isCompressed && { 'content-encoding': 'gzip' }),
    },
  })
}
