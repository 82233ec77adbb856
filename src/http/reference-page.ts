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

/** How the page gets the token with which it calls this service. */
export interface Calls {
  readonly kind: 'client' | 'operator'
  /** Public credentials, which nobody has to type. */
  readonly credentials?: { readonly client_id: string; readonly client_secret: string } | undefined
}

/**
 * Public, like the contract.
 * @param calls undefined for a page that only shows the contract
 */
export function contractPageRoutes(baseUrl: string, calls: Calls | undefined): H3Plugin {
  const change = (page: string) =>
    page.replace(contractElement, (contract) => withOwnAddress(contract, baseUrl))
  return referencePageRoutes(change, calls)
}

/** The document of the operator listener, which its page shows instead of the contract. */
export const operatorDocumentPath = '/openapi/operator.json'

/** Turns the published page into the one to serve. */
type ChangePage = (page: string) => string | Promise<string>

export function referencePageRoutes(change: ChangePage, calls: Calls | undefined): H3Plugin {
  let page: Promise<ReferencePage> | undefined
  return (app) => {
    app.get('/docs', async (event) => {
      page ??= loadPage(change, calls)
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
async function loadPage(change: ChangePage, calls: Calls | undefined): Promise<ReferencePage> {
  const published = await import('../contract/reference-page.ts')
  const shown = await change(String(await unpack(Buffer.from(published.gzippedPage, 'base64'))))
  const page = calls ? shown.replace('<script>', () => partsFor(calls, published)) : shown
  return {
    contentSecurityPolicy: (calls ? published.calling : published).contentSecurityPolicy,
    compressed: representationOf(await pack(page)),
    plain: representationOf(page),
  }
}

/** The parts come before the script that shows the contract, which looks for them. */
function partsFor(calls: Calls, { calling }: typeof import('../contract/reference-page.ts')) {
  const json = JSON.stringify(calls).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="calls">${json}</script>
<script>${calling.script}</script>
<script>`
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
