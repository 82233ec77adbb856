import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { H3Plugin } from 'h3'
import { withOwnAddress } from '../contract/published-files.ts'
import {
  type CompressibleRepresentation,
  compressibleOf,
  sendCompressible,
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
      const { representation, contentSecurityPolicy } = await page
      return sendCompressible(event, representation, {
        contentType: 'text/html; charset=utf-8',
        cacheControl: 'public, max-age=300',
        headers: { 'content-security-policy': contentSecurityPolicy },
      })
    })
  }
}

interface ReferencePage {
  readonly contentSecurityPolicy: string
  readonly representation: CompressibleRepresentation
}

/** Loaded on the first request, because it is large. */
async function loadPage(change: ChangePage, calls: Calls | undefined): Promise<ReferencePage> {
  const published = await import('../contract/reference-page.ts')
  const shown = await change(String(await unpack(Buffer.from(published.gzippedPage, 'base64'))))
  const page = calls ? shown.replace('<script>', () => partsFor(calls, published)) : shown
  return {
    contentSecurityPolicy: (calls ? published.calling : published).contentSecurityPolicy,
    representation: await compressibleOf(page),
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

/** The content security policy allows the page's script by its digest. */
export const contractElement = /<script type="application\/json" id="contract">.*?<\/script>/s
