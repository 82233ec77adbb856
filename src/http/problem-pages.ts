import { getRouterParam, type H3Event, type H3Plugin } from 'h3'
import { type ProblemRow, problems, problemsWithoutCode } from '../domain/problem-code.ts'
import { representationOf, sendCacheable } from './cacheable-response.ts'
import { type Html, html } from './console/html.ts'
import { publicPagePolicy, renderPublicHeader, renderPublicPage } from './look/look.ts'
import { answerLost } from './lost-page.ts'
import { slugOf } from './problem-details.ts'

/**
 * The pages to which the `type` of problems leads. They are public and for people, so not below
 * /v1.
 */
export const allProblemsPath = '/errors'
export const problemPagesPath = `${allProblemsPath}/`

interface ProblemPage extends ProblemRow {
  readonly name: string
  readonly statuses: readonly number[]
}

const rows = Object.entries<ProblemRow>({ ...problems, ...problemsWithoutCode })
const pages = new Map(rows.filter(([, row]) => row.publicCode === undefined).map(toPage))

function toPage([name, row]: readonly [string, ProblemRow]): readonly [string, ProblemPage] {
  const statuses = rows
    .filter(([code, { publicCode = code }]) => publicCode === name)
    .map(([, { status }]) => status)
    .sort()
  return [slugOf(name), { ...row, name, statuses }]
}

export function problemPageRoutes(): H3Plugin {
  return (app) => {
    app.get(allProblemsPath, (event: H3Event) => sendCacheable(event, representAll()))
    app.get(`${problemPagesPath}:slug`, (event: H3Event) => {
      const page = pages.get(getRouterParam(event, 'slug') ?? '')
      if (page) return sendCacheable(event, representPage(page))
      return answerLost(event, {
        detail: 'No problem has this name.',
        list: { path: allProblemsPath, name: 'All error pages' },
      })
    })
  }
}

function representAll() {
  const list = [...pages].map(
    ([slug, { name, title }]) =>
      html`<li><a href="${problemPagesPath}${slug}">${name}</a> <span class="soft">${title}</span></li>`,
  )
  const body = html`${renderPublicHeader()}
<main>
<h1>Error pages</h1>
<p>The <code>type</code> of each problem document leads to one of these pages, and its <code>code</code> is the name.</p>
<ul>${list}</ul>
</main>`
  return represent(renderPublicPage({ title: 'Error pages', body }))
}

function representPage(page: ProblemPage) {
  return represent(renderHtml(page))
}

function represent(page: string) {
  return {
    ...representationOf(page),
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'public, max-age=300',
    headers: { 'content-security-policy': publicPagePolicy },
  }
}

function renderHtml({ name, statuses, title, meaning, advice }: ProblemPage): string {
  const body = html`${renderPublicHeader()}
<main>
<h1>${name}</h1>
<p>Status ${statuses.join(' or ')}</p>
<h2>What happened</h2>
<p>${title}</p>
<h2>Why</h2>
<p>${renderText(meaning)}</p>
<h2>What to do</h2>
<p>${renderText(advice)}</p>
<p><a href="${allProblemsPath}">All error pages</a></p>
</main>`
  return renderPublicPage({ title: name, body })
}

/** Text between backticks becomes code. */
function renderText(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
