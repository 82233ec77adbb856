import type { H3Event } from 'h3'
import { Problem } from '../domain/problem.ts'
import { weightsIn } from './cacheable-response.ts'
import { html } from './console/html.ts'
import { publicPagePolicy, renderPublicHeader, renderPublicPage } from './look/look.ts'

/** Browsers name text/html; a program that accepts anything does not want a page. */
export function prefersPage({ req }: H3Event): boolean {
  const weights = weightsIn(req.headers.get('accept') ?? '')
  const weightOf = (type: string) => weights.get(type) ?? 0
  const json = Math.max(weightOf('application/json'), weightOf('application/problem+json'))
  return weightOf('text/html') > 0 && weightOf('text/html') >= json
}

interface Lost {
  /** What does not exist, as a sentence. */
  readonly detail: string
  /** The page that lists what exists. */
  readonly list: { readonly path: string; readonly name: string }
}

/** Answers that a page does not exist: with a page for a browser, and with a problem for a program. */
export function answerLost(event: H3Event, { detail, list }: Lost): string {
  event.context.vary = 'Accept'
  if (!prefersPage(event)) throw new Problem('NOT_FOUND', detail)
  event.res.status = 404
  event.res.headers.set('content-type', 'text/html; charset=utf-8')
  event.res.headers.set('content-security-policy', publicPagePolicy)
  const body = html`${renderPublicHeader()}
<main>
<h1>There is no such page</h1>
<p>${detail} The address may be old or mistyped.</p>
<p><a href="${list.path}">${list.name}</a> · <a href="/">First page</a></p>
</main>`
  return renderPublicPage({ title: 'There is no such page', body })
}
