import type { H3Event, Middleware } from 'h3'
import type { Service } from '../usecases/service.ts'
import { type Representation, representationOf, sendCacheable } from './cacheable-response.ts'
import { type Html, html } from './console/html.ts'
import { nameTexts } from './console/name-texts.ts'
import { type Language, languageOf } from './console/texts.ts'
import { firstCalls } from './first-calls.ts'
import { guidePath } from './guide/page.ts'
import { homeTexts } from './home-texts.ts'
import { publicPagePolicy, renderPublicHeader, renderPublicPage } from './look/look.ts'
import { prefersPage } from './lost-page.ts'
import { allProblemsPath } from './problem-pages.ts'

/** What the first page of a service with demo data shows. All of it is public. */
export interface Demo {
  readonly client_id: string
  readonly client_secret: string
  readonly consoleUrl?: string | undefined
}

const anyClient = { client_id: 'CLIENT_ID', client_secret: 'CLIENT_SECRET' }

/** The first chapter of the contract, as openapi-explorer addresses it. */
const sixCallsPath = '/docs#?route=overview--place-a-first-order-in-six-calls'

type Settings = Pick<Service['settings'], 'environment' | 'baseUrl'>

/**
 * A person who opens the address of the API in a browser gets a page with links to everything. For programs, nothing
 * exists at this path.
 */
export function homePage(settings: Settings, demo: Demo | undefined): Middleware {
  const rendered = new Map<Language, Representation>()
  const representationIn = (language: Language) => {
    const known = rendered.get(language) ?? representationOf(renderHome(settings, demo, language))
    rendered.set(language, known)
    return known
  }
  return (event, next) => {
    if (event.url.pathname !== '/') return next()
    event.context.vary = 'Accept, Accept-Language'
    const { method, headers } = event.req
    if (!['GET', 'HEAD'].includes(method) || !prefersPage(event)) return next()
    return sendPage(
      event,
      representationIn(languageOf(undefined, headers.get('accept-language') ?? '')),
    )
  }
}

function sendPage(event: H3Event, representation: Representation) {
  return sendCacheable(event, {
    ...representation,
    contentType: 'text/html; charset=utf-8',
    // After a restart, the page of a demo may have another address of the console.
    cacheControl: 'no-cache',
    headers: { 'content-security-policy': publicPagePolicy },
  })
}

function renderHome(
  { environment, baseUrl }: Settings,
  demo: Demo | undefined,
  language: Language,
) {
  const column = language === 'de' ? 1 : 0
  const say = (name: keyof typeof homeTexts) => homeTexts[name][column]
  const isStaging = environment === 'staging'
  const calls = firstCalls(baseUrl, demo ?? anyClient)
  const environmentName = nameTexts[`environment.${environment}`][column]
  const body = html`${renderPublicHeader(html`<span class="environment ${environment}">${environmentName}</span>`)}
<main>
<h1>${say('title')}</h1>
<p>${say('intro')} ${say(isStaging ? 'staging' : 'production')}</p>
<dl><dt>${say('address')}</dt><dd><code>${baseUrl}</code></dd></dl>
<h2>${say('read')}</h2>
<ul>
${link('/docs', say('reference'), say('referenceHint'))}
${link(guidePath, say('guide'), say('guideHint'))}
<li>${say('document')}: <a href="/openapi.yaml">YAML</a>, <a href="/openapi.json">JSON</a></li>
${link('/openapi.postman_collection.json', say('collection'), say('collectionHint'))}
${link(allProblemsPath, say('errors'), say('errorsHint'))}
${link('/openapi/manifest.json', say('versions'))}
${link('/signature-vectors.json', say('vectors'))}
${isStaging && link('/openapi/sandbox.json', say('sandbox'), say('sandboxHint'))}
<li>${say('health')}: <a href="/readyz">readyz</a>, <a href="/livez">livez</a></li>
</ul>
${demo && renderDemo(demo, say)}
<h2>${say('begin')}</h2>
<ol>
<li>${say('token')}<pre>${calls.token}</pre></li>
<li>${say('catalogue')}<pre>${calls.catalogue}</pre></li>
<li>${say('investor')}<pre>${calls.investor}</pre></li>
<li><a href="${sixCallsPath}">${say('order')}</a></li>
</ol>
</main>`
  return renderPublicPage({ language, title: `${say('title')} · coopshare`, body })
}

function link(path: string, text: string, hint?: string): Html {
  return html`<li><a href="${path}">${text}</a>${hint !== undefined && html`<span class="soft"> – ${hint}</span>`}</li>`
}

function renderDemo(
  { client_id, client_secret, consoleUrl }: Demo,
  say: (name: keyof typeof homeTexts) => string,
): Html {
  return html`<h2>${say('demo')}</h2>
<p>${say('demoHint')}</p>
<dl><dt><code>client_id</code></dt><dd><code>${client_id}</code></dd>
<dt><code>client_secret</code></dt><dd><code>${client_secret}</code></dd>
${consoleUrl !== undefined && html`<dt>${say('console')}</dt><dd><a href="${consoleUrl}">${consoleUrl}</a><br><span class="soft"><code>coopshare console --open</code> ${say('consoleHint')}</span></dd>`}</dl>`
}
