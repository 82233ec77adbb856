import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { getRouterParam, type H3Event, type H3Plugin } from 'h3'
import {
  type CompressibleRepresentation,
  compressibleOf,
  sendCompressible,
} from '../cacheable-response.ts'
import { Html, html } from '../console/html.ts'
import { publicPagePolicy, renderPublicHeader, renderPublicPage } from '../look/look.ts'
import { answerLost } from '../lost-page.ts'
import { type GuidePage, guidePath } from './page.ts'

const guideTitle = 'Guide for partners'

/** Public, like the contract: the documents for partners as pages. */
export function guideRoutes(): H3Plugin {
  let guide: Promise<Guide> | undefined
  return (app) => {
    app.get(`${guidePath}**`, async (event: H3Event) => {
      guide ??= loadGuide()
      const page = await (await guide).read(getRouterParam(event, '_') ?? '')
      if (!page)
        return answerLost(event, {
          detail: 'The guide has no such page.',
          list: { path: guidePath, name: guideTitle },
        })
      return sendCompressible(event, page, {
        contentType: 'text/html; charset=utf-8',
        cacheControl: 'public, max-age=300',
        headers: { 'content-security-policy': publicPagePolicy },
      })
    })
  }
}

interface Guide {
  /** @param path below /guide/; empty for the table of contents */
  read(path: string): Promise<CompressibleRepresentation> | undefined
}

const unpack = promisify(brotliDecompress)

/** Loaded on the first request, because it is large. */
async function loadGuide(): Promise<Guide> {
  const { compressedPages } = await import('./pages.ts')
  const text = String(await unpack(Buffer.from(compressedPages, 'base64')))
  const pages: readonly GuidePage[] = JSON.parse(text)
  const renderers = new Map([
    ['', () => renderContents(pages)],
    ...pages.map((page) => [page.path, () => renderPage(page)] as const),
  ])
  const rendered = new Map<string, Promise<CompressibleRepresentation>>()
  return {
    read(path) {
      const render = renderers.get(path)
      if (!render) return undefined
      const page = rendered.get(path) ?? compressibleOf(render())
      rendered.set(path, page)
      return page
    },
  }
}

function renderContents(pages: readonly GuidePage[]): string {
  const sections = [...new Set(pages.map(({ section }) => section))]
  const lists = sections.map((section) => {
    const own = pages.filter((page) => page.section === section)
    return html`<h2>${section}</h2>
<ul>${own.map(({ path, heading }) => html`<li><a href="${guidePath}${path}">${new Html(heading)}</a></li>`)}</ul>`
  })
  const body = html`${renderPublicHeader()}
<main>
<h1>${guideTitle}</h1>
<p>From your first order to receivers of webhooks. The <a href="/docs">reference of the API</a> has each request with its answers, and the <a href="/errors">error pages</a> have each code.</p>
${lists}
</main>`
  return renderPublicPage({ title: `${guideTitle} · coopshare`, body })
}

function renderPage({ title, heading, parts, body }: GuidePage): string {
  const links = parts.map(
    (part) => html`<li><a href="#${part.anchor}">${new Html(part.heading)}</a></li>`,
  )
  const contents = html`<nav aria-label="On this page"><ul>${links}</ul></nav>`
  const page = html`${renderPublicHeader(html`<a href="${guidePath}">${guideTitle}</a>`)}
<main class="guide">
<h1>${new Html(heading)}</h1>
${parts.length > 1 && contents}
${new Html(body)}
</main>`
  return renderPublicPage({ title: `${title} · coopshare`, body: page })
}
