import { Problem } from '../../domain/problem.ts'
import { publicCodeOf, statusOf } from '../problem-details.ts'
import { type Html, html } from './html.ts'
import { messageIn } from './messages.ts'
import type { Page, Visit } from './page.ts'

/** The addresses of lists are typed, kept and sent, so they may name what does not exist. */
const faultsOfAddress: ReadonlySet<Problem['code']> = new Set([
  'VALIDATION_ERROR',
  'INVALID_PARAMETER',
  'ORGANIZATION_NOT_FOUND',
  'COOPERATIVE_NOT_FOUND',
  'INVESTOR_NOT_FOUND',
  'SHARE_PURCHASE_NOT_FOUND',
  'OPERATOR_NOT_FOUND',
  'EVENT_NOT_FOUND',
] as const)

interface List extends Pick<Page, 'title' | 'section'> {
  /** Without a filter. */
  readonly path: string
  show(): Promise<Page>
  renderFilter(): Html | Promise<Html>
}

/** Shows a list, or why its address is wrong, with the form of the filter and a way to the whole list. */
export async function showList(
  visit: Visit,
  { title, section, path, show, renderFilter }: List,
): Promise<Page> {
  const { say, event } = visit
  try {
    return await show()
  } catch (error) {
    if (!(error instanceof Problem) || !faultsOfAddress.has(error.code)) throw error
    event.context.problemCode = publicCodeOf(error.code)
    const body = html`<div class="note bad" role="alert"><p>${say('badAddress')}</p><p>${messageIn(visit, error.message)}</p></div>
<p><a href="${path}">${say('wholeList')}</a></p>
${await renderFilter()}`
    return { title, section, body, status: statusOf(error.code) }
  }
}
