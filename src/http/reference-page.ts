import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { H3Event, H3Plugin, HTTPResponse } from 'h3'
import { withOwnAddress } from '../contract/published-files.ts'
import {
  acceptsGzip,
  type Representation,
  representationOf,
  sendCacheable,
} from './cacheable-response.ts'

/** Public, like the contract. */
export function contractPageRoutes(baseUrl: string): H3Plugin {
  return referencePageRoutes((page) =>
    page.replace(contractElement, (contract) => withOwnAddress(contract, baseUrl)),
  )
}

/** The document of the operator listener, which its page shows instead of the contract. */
export const operatorDocumentPath = '/openapi/operator.json'

/** Turns the published page into the one to serve. */
type ChangePage = (page: string) => string | Promise<string>

export function referencePageRoutes(change: ChangePage): H3Plugin {
  let page: Promise<ReferencePage> | undefined
  return (app) => {
    app.get('/docs', async (event) => {
      page ??= loadPage(change)
      return answer(event, await page)
    })
  }
}

interface ReferencePage {
  readonly contentSecurityPolicy: string
  readonly compressed: Representation
  readonly plain: Representation
}

/** Loaded on the first request, because it is large. */
async function loadPage(change: ChangePage): Promise<ReferencePage> {
  const { contentSecurityPolicy, gzippedPage } = await import('../contract/reference-page.ts')
  const published = Buffer.from(gzippedPage, 'base64')
  const publishedPage = String(await unpack(published))
  const page = await change(publishedPage)
  return {
    contentSecurityPolicy,
    compressed: representationOf(page === publishedPage ? published : await pack(page)),
    plain: representationOf(page),
  }
}

const unpack = promisify(gunzip)
const pack = promisify(gzip)

/** The content security policy allows the page's script by its digest. */
export const contractElement = /<script type="application\/json" id="contract">.*?<\/script>/s

function answer(event: H3Event, page: ReferencePage): Uint8Array | HTTPResponse {
  const isCompressed = acceptsGzip(event.req.headers.get('accept-encoding') ?? '')
  event.res.headers.set('vary', 'accept-encoding')
  return sendCacheable(event, {
    ...(isCompressed ? page.compressed : page.plain),
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'public, max-age=300',
    headers: {
      'content-security-policy': page.contentSecurityPolicy,
      ...(isCompressed && { 'content-encoding': 'gzip' }),
    },
  })
}
