import type { H3Plugin } from 'h3'
import { type Representation, representationOf, sendCacheable } from '../cacheable-response.ts'
import {
  type Calls,
  contractElement,
  operatorDocumentPath,
  referencePageRoutes,
} from '../reference-page.ts'

/**
 * The document needs no token, because it contains nothing secret.
 * @param calls undefined for a page that only shows the document
 */
export function operatorDocumentRoutes(baseUrl: string, calls: Calls | undefined): H3Plugin {
  let loaded: Promise<OperatorDocument> | undefined
  const load = () => {
    loaded ??= loadDocument(baseUrl)
    return loaded
  }
  return (app) => {
    app.get(operatorDocumentPath, async (event) => {
      const { rendered } = await load()
      return sendCacheable(event, {
        ...rendered,
        contentType: 'application/json',
        cacheControl: 'public, max-age=300',
      })
    })
    app.register(referencePageRoutes(async (page) => showOnPage(page, await load()), calls))
  }
}

interface OperatorDocument {
  readonly title: string
  readonly text: string
  readonly rendered: Representation
}

/** The document is loaded on the first request, so that it does not slow down the start. */
async function loadDocument(baseUrl: string): Promise<OperatorDocument> {
  const { createOperatorDocument } = await import('./document.ts')
  const document = createOperatorDocument(baseUrl)
  const text = JSON.stringify(document)
  const { title, version } = document.info
  return { title: `${title} ${version}`, text, rendered: representationOf(text) }
}

/** The scripts and styles do not change, so their digests in the policy stay valid. */
function showOnPage(page: string, { title, text }: OperatorDocument): string {
  const json = text.replaceAll('<', '\\u003c')
  return page
    .replace(
      contractElement,
      () => `<script type="application/json" id="contract">${json}</script>`,
    )
    .replace(/<title>.*?<\/title>/, `<title>${title}</title>`)
    .replace(/<h1>.*?<\/h1>/, `<h1>${title}</h1>`)
    .replace('GET /openapi.yaml', `GET ${operatorDocumentPath}`)
}
