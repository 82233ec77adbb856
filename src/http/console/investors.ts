import type { HTTPResponse } from 'h3'
import { ibanError } from '../../domain/investors/bank-identifiers.ts'
import type { Output, Row } from '../../operations/operations.ts'
import { button, command, type Form, mayRun } from './actions.ts'
import { download, flagsOf, foreign, type Html, html, pathTo } from './html.ts'
import { showList } from './list-address.ts'
import {
  type Column,
  commandLine,
  csrfField,
  emptyList,
  emptyPage,
  facts,
  filterForm,
  linkTo,
  money,
  moreOf,
  type Page,
  partnerFilter,
  partnersLink,
  readerOf,
  readPart,
  rowLimit,
  state,
  stateIn,
  table,
  time,
  type Visit,
} from './page.ts'

type Person = Row<'investor.list'>
type Shown = Output<'investor.show'>
type Story = Shown['share_purchases'][number]

/** Whether the text looks like an IBAN that a caller has read out, with a wrong digit. */
export function looksLikeIban(text: string): boolean {
  const iban = text.replaceAll(/\s/g, '').toUpperCase()
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban) && ibanError(iban) !== undefined
}

export function nameOf(
  person: Pick<Person, 'name' | 'company' | 'partner_customer_ref' | 'investor_id'>,
): string {
  return person.name ?? person.company ?? person.partner_customer_ref ?? person.investor_id
}

export function personFacts({ say }: Visit, person: Person): [string, Html | string | undefined][] {
  const { erased_at: erasedAt } = person
  return [
    [say('id'), html`<code>${person.investor_id}</code>`],
    [say('reference'), foreign(person.partner_customer_ref)],
    [
      say('name'),
      person.is_damaged
        ? say('damaged')
        : foreign([person.name, person.company].filter(Boolean).join(', ')),
    ],
    [say('organization'), linkTo.partner(person.organization_id, person.organization)],
    [say('email'), foreign(person.email)],
    [say('created'), time(person.created_at)],
    [say('erased'), erasedAt === null ? undefined : time(erasedAt)],
  ]
}

type Ordering = Pick<Shown, 'investor_id' | 'share_purchases' | 'more_share_purchases'>

/** The newest orders of a person, and a link to all of them. */
export function renderStories(visit: Visit, person: Ordering): Html {
  const { say } = visit
  const { investor_id: investor, share_purchases: stories, more_share_purchases: count } = person
  const shown = table(
    say,
    say('orders'),
    stories,
    [
      { head: 'share_purchase', cell: (row) => linkTo.order(row.share_purchase_id) },
      { head: 'status', cell: (row) => state(visit, row.status) },
      {
        head: 'cooperative',
        cell: (row) => linkTo.cooperative(row.cooperative_id, row.cooperative),
      },
      { head: 'shares', cell: (row) => row.share_count, isNumber: true },
      { head: 'total', cell: (row) => money(row.total, row.total_currency, visit), isNumber: true },
      { head: 'mandate', cell: (row) => html`<code class="long">${row.mandate_reference}</code>` },
      { head: 'placed', cell: (row) => time(row.created_at) },
      { head: 'events', cell: (row) => row.history.map((moment) => renderMoment(visit, moment)) },
    ],
    emptyList(visit, 'empty.own_orders'),
  )
  if (count === 0) return shown
  return html`${shown}<p><a href="${pathTo('/orders', { investor })}">${say('more', { count })}</a></p>`
}

function renderMoment(visit: Visit, { status, event }: Story['history'][number]): Html {
  const name = stateIn(visit, status)
  if (!event) return html`<div>${name}</div>`
  return html`<div><a href="/events/${event.event_id}">${name}</a> ${state(visit, event.state)}</div>`
}

export function listInvestors(visit: Visit): Promise<Page> {
  return showList(visit, {
    title: visit.say('investors'),
    section: 'investors',
    path: '/investors',
    show: () => showInvestors(visit),
    renderFilter: () => renderFilter(visit),
  })
}

async function renderFilter(visit: Visit): Promise<Html> {
  return filterForm(visit, '/investors', html`${await partnerFilter(visit)}`)
}

async function showInvestors(visit: Visit): Promise<Page> {
  const { say } = visit
  const filter = { organization: readerOf(visit)('organization') }
  const [{ shown, pages }, form] = await Promise.all([
    readPart(visit, 'investor.list', filter, (row) => row.investor_id),
    renderFilter(visit),
  ])
  const columns: Column<Person>[] = [
    { head: 'name', cell: (row) => linkTo.investor(row.investor_id, nameOf(row)) },
    { head: 'reference', cell: (row) => foreign(row.partner_customer_ref) },
    { head: 'organization', cell: (row) => linkTo.partner(row.organization_id, row.organization) },
    { head: 'email', cell: (row) => (row.is_damaged ? say('damaged') : foreign(row.email)) },
    { head: 'created', cell: (row) => time(row.created_at) },
  ]
  const body = html`${form}
${table(say, say('investors'), shown, columns, emptyPage(visit, 'empty.investors', partnersLink(visit)))}
${pages}`
  const commands = command('investor', 'list', ...flagsOf(filter), '--json')
  return { title: say('investors'), section: 'investors', commands, body }
}

export async function showInvestor(visit: Visit, investor_id: string): Promise<Page> {
  const { say } = visit
  const person = await visit.service.call('investor.show', { investor_id })
  const body = html`${facts(personFacts(visit, person))}
<h2>${say('holdings')}</h2>${table(
    say,
    say('holdings'),
    person.holdings.slice(0, rowLimit),
    [
      {
        head: 'cooperative',
        cell: (row) => linkTo.cooperative(row.cooperative_id, row.cooperative),
      },
      { head: 'shares', cell: (row) => row.shares, isNumber: true },
      { head: 'pending_shares', cell: (row) => row.pending_shares, isNumber: true },
    ],
    emptyList(visit, 'empty.holdings'),
  )}${moreOf(visit, person.holdings)}
<h2>${say('orders')}</h2>${renderStories(visit, person)}
${mayRun(visit, 'investor.export') && renderCopies(visit, investor_id)}
${person.erased_at === null && mayRun(visit, 'investor.erase') && renderErasure(visit, person)}`
  const commands = command('investor', 'show', investor_id, '--json')
  return { title: nameOf(person), section: 'investors', commands, body }
}

const copies = [
  { label: 'copyGerman', flags: ['-o', 'html'], language: 'de' },
  { label: 'copyEnglish', flags: ['-o', 'html', '--language', 'en'], language: 'en' },
  { label: 'copyJson', flags: ['-o', 'json'], language: '' },
] as const

function renderCopies(visit: Visit, id: string): Html {
  const { say } = visit
  return html`<h2>${say('personalCopy')}</h2><p class="soft">${say('copyHint')}</p>
<form method="post" action="/investors/${id}/export" class="actions">${csrfField(visit.csrf)}<input type="hidden" name="back" value="/investors/${id}">
${copies.map(({ label, flags, language }) => {
  return html`<div><button class="quiet" name="language" value="${language}">${say(label)}</button>
${commandLine(visit, command('investor', 'export', id, ...flags))}</div>`
})}</form>`
}

function renderErasure(visit: Visit, person: Shown): Html {
  const { say } = visit
  const { investor_id } = person
  const open = person.share_purchases.filter(({ status }) => /^(submitted|approved)$/.test(status))
  const isMember = person.holdings.some(({ shares }) => shares > 0)
  const form =
    open.length > 0
      ? html`<p class="note">${say('openOrdersFirst')} ${open.map((order) => html`${linkTo.order(order.share_purchase_id)} `)}</p>`
      : button(visit, {
          operation: 'investor.erase',
          tone: 'danger',
          input: { investor_id },
          fields: html`${isMember && html`<label class="check"><input type="checkbox" name="input.although_member" value="true" required>${say('although_member')}</label>`}<label>${say('reason')}<input name="input.reason" maxlength="200"${isMember && html` required`}></label>`,
          words: [investor_id, ...(isMember ? ['--although-member'] : []), '--reason', 'REASON'],
        })
  return html`<h2>${say('erase')}</h2><p class="soft">${say('eraseHint')}</p>${isMember && html`<p class="note">${say('memberHint')}</p>`}${form}`
}

/** Everything about a person, as a file: a page for the person in a language, or JSON for programs. */
export async function exportInvestor(
  visit: Visit,
  investor_id: string,
  form: Form,
): Promise<HTTPResponse> {
  visit.event.context.operation = 'investor.export'
  const exported = await visit.service.call('investor.export', { investor_id })
  const language = form.get('language')
  if (!language) {
    const json = JSON.stringify(exported, null, 2)
    return download(`investor-${investor_id}.json`, 'application/json', json)
  }
  const { renderInvestorPage } = await import('./investor-export.ts')
  const page = renderInvestorPage(exported, language === 'en' ? 'en' : 'de')
  return download(`investor-${investor_id}.html`, 'text/html; charset=utf-8', page)
}
