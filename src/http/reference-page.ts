import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { H3Event, H3Plugin, HTTPResponse } from 'h3'
import { withOwnAddress } from '../contract/own-address.ts'
import { strongEtag } from '../usecases/strong-etag.ts'
import { acceptsGzip } from './accepts-gzip.ts'
import { answerCacheable } from './answer-cacheable.ts'

/** Without a token, as the contract that it shows. */
export function referencePageRoutes(baseUrl: string): H3Plugin {
  let page: Promise<ReferencePage> | undefined
  return (app) => {
    app.get('/docs', async (event) => {
      page ??= loadPage(baseUrl)
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
async function loadPage(baseUrl: string): Promise<ReferencePage> {
  const { contentSecurityPolicy, gzippedPage } = await import('../contract/reference-page.ts')
  const published = Buffer.from(gzippedPage, 'base64')
  const publishedPage = String(await unpack(published))
  const page = publishedPage.replace(contractElement, (contract) =>
    withOwnAddress(contract, baseUrl),
  )
  return {
    contentSecurityPolicy,
    compressed: formOf(page === publishedPage ? published : await pack(page)),
    plain: formOf(Buffer.from(page)),
  }
}

const unpack = promisify(gunzip)
const pack = promisify(gzip)

/** What runs in the page is let through by its digest, and stays as it is. */
const contractElement = /<script type="application\/json" id="contract">.*?<\/script>/s

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
