import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { getRouterParam, type H3Event, type H3Plugin, type HTTPResponse } from 'h3'
import { type PublishedFile, publishedFiles, withOwnAddress } from '../contract/published-files.ts'
import { Problem } from '../domain/problem.ts'
import { strongEtag } from '../usecases/digests.ts'
import { signatureVectorsFile } from '../wire/signature-vectors.ts'
import { acceptsGzip, type CacheableResponse, sendCacheable } from './cacheable-response.ts'
import { describeProblem, slugOf } from './problem-details.ts'
import { type ExplainedProblem, explanations } from './problem-explanations.ts'

/** Without a token: a partner reads it before having one. */
export function contractRoutes(baseUrl: string): H3Plugin {
  return (app) => {
    const files = [...publishedFiles(), signatureVectorsFile()]
    for (const file of files) app.get(`/${file.path}`, handlerOf(file, baseUrl))
  }
}

function handlerOf({ contentType, text, isFrozen, isLatest }: PublishedFile, baseUrl: string) {
  const cacheControl = isFrozen ? 'public, max-age=31536000, immutable' : 'public, max-age=300'
  let rendered: { readonly bytes: Uint8Array; readonly etag: string } | undefined
  return (event: H3Event): Uint8Array | HTTPResponse => {
    rendered ??= renderContract(isLatest ? withOwnAddress(text, baseUrl) : text)
    return sendCacheable(event, { ...rendered, contentType, cacheControl })
  }
}

/** Loaded on the first request, so that it does not slow down the start. */
export function renderContract(text: string) {
  const bytes = Buffer.from(text)
  return { bytes, etag: strongEtag(bytes) }
}

/** Public, like the contract. */
export function contractPageRoutes(baseUrl: string): H3Plugin {
  return referencePageRoutes((page) =>
    page.replace(contractElement, (contract) => withOwnAddress(contract, baseUrl)),
  )
}

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
  readonly compressed: Form
  readonly plain: Form
}

interface Form {
  readonly bytes: Uint8Array
  readonly etag: string
}

/** Loaded on the first request, because it is large. */
async function loadPage(change: ChangePage): Promise<ReferencePage> {
  const { contentSecurityPolicy, gzippedPage } = await import('../contract/reference-page.ts')
  const published = Buffer.from(gzippedPage, 'base64')
  const publishedPage = String(await unpack(published))
  const page = await change(publishedPage)
  return {
    contentSecurityPolicy,
    compressed: formOf(page === publishedPage ? published : await pack(page)),
    plain: formOf(Buffer.from(page)),
  }
}

const unpack = promisify(gunzip)
const pack = promisify(gzip)

/** The content security policy allows the page's script by its digest. */
export const contractElement = /<script type="application\/json" id="contract">.*?<\/script>/s

function formOf(bytes: Uint8Array): Form {
  return { bytes, etag: strongEtag(bytes) }
}

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

/**
 * The pages to which the `type` of problems leads. They are public and for people, so not below
 * /v1.
 */
export const problemPagesPath = '/errors/'

/** On the operator listener. */
export const operatorDocumentPath = '/openapi/operator.json'

export function problemPageRoutes(): H3Plugin {
  const names = new Map(namesOf(explanations).map((name) => [slugOf(name), name]))
  const rendered = new Map<ExplainedProblem, CacheableResponse>()
  const answerOf = (name: ExplainedProblem) => {
    const answer = rendered.get(name) ?? renderProblemPage(name)
    rendered.set(name, answer)
    return answer
  }
  return (app) => {
    app.get(`${problemPagesPath}:slug`, (event: H3Event) => {
      const name = names.get(getRouterParam(event, 'slug') ?? '')
      if (name === undefined) throw new Problem('NOT_FOUND', 'No problem has this name.')
      return sendCacheable(event, answerOf(name))
    })
  }
}

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(table) as Name[]
}

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color:#222;background:#fff}h2{font-size:1.1rem;margin-bottom:0}'
const styleDigest = createHash('sha256').update(style).digest('base64')
const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${styleDigest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

function renderProblemPage(name: ExplainedProblem): CacheableResponse {
  const bytes = Buffer.from(renderHtml(name))
  return {
    bytes,
    etag: strongEtag(bytes),
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'public, max-age=300',
    headers: { 'content-security-policy': contentSecurityPolicy },
  }
}

function renderHtml(name: ExplainedProblem): string {
  const { why, whatToDo } = explanations[name]
  const { title, statuses } = describeProblem(name)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>${style}</style>
</head>
<body>
<h1>${name}</h1>
<p>Status ${statuses.join(' or ')}</p>
<h2>What happened</h2>
<p>${escapeHtml(title)}</p>
<h2>Why</h2>
<p>${escapeHtml(why)}</p>
<h2>What to do</h2>
<p>${escapeHtml(whatToDo)}</p>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
