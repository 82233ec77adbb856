// What an operation asks before it runs, and what it answered.
import type { OperationName } from '../../operations/operations.ts'
import { foreign, type Html, html, ownPath, type Part } from './html.ts'
import { messageIn } from './messages.ts'
import {
  commandLine,
  copyable,
  csrfField,
  facts,
  linkOf,
  linkTo,
  money,
  type Page,
  type Section,
  state,
  table,
  time,
  type Visit,
  valueIn,
} from './page.ts'
import { isTextName, labelOf } from './texts.ts'

const sectionsByNoun: Readonly<Record<string, Section>> = {
  purchase: 'orders',
  investor: 'investors',
  organization: 'partners',
  client: 'partners',
  token: 'partners',
  webhook: 'partners',
  cooperative: 'catalogue',
  event: 'events',
  audit: 'audit',
  collection: 'payments',
  payment: 'payments',
  statement: 'payments',
}

function sectionOf(name: string): Section {
  return sectionsByNoun[name.split('.')[0] ?? ''] ?? 'system'
}

interface Question {
  readonly name: OperationName
  readonly why: string
  readonly form: URLSearchParams
}

export async function confirmationPage(visit: Visit, { name, why, form }: Question): Promise<Page> {
  const { say, csrf } = visit
  const kept = [...form].filter(([key]) => /^(input|was)\.|^(once|back|command)$/.test(key))
  const given = kept.flatMap(([key, value]): [string, string][] =>
    key.startsWith('input.') && value !== '' ? [[key.slice('input.'.length), value]] : [],
  )
  const body = html`<p><bdi>${why}</bdi></p>
${facts(await describeSubject(visit, given))}
<form method="post" action="/actions/${name}" class="row">${csrfField(csrf)}<input type="hidden" name="confirmed" value="yes">
${kept.map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`)}
<button class="danger">${labelOf(say, name)}</button> <a href="${ownPath(form.get('back'))}">${say('back')}</a>
${commandLine(visit, form.get('command') ?? '')}</form>`
  const title = say('confirmTitle', { what: labelOf(say, name) })
  return { title, section: sectionOf(name), body }
}

type Fact = readonly [name: string, value: Part]

/** What an operation is about, so that nobody has to recognize an id. */
async function describeSubject(
  visit: Visit,
  given: readonly (readonly [string, string])[],
): Promise<readonly Fact[]> {
  const ids = Object.fromEntries(given)
  const described = await Promise.all(
    given.map(async ([key, value]): Promise<readonly Fact[]> => {
      const describe = Object.hasOwn(subjects, key) ? subjects[key] : undefined
      if (!describe) return [[headOf(visit, key), foreign(value)]]
      return describe(visit, value, ids)
    }),
  )
  return described.flat()
}

type Describe = (
  visit: Visit,
  id: string,
  ids: Readonly<Record<string, string>>,
) => Promise<readonly Fact[]>

const subjects: Readonly<Record<string, Describe>> = {
  share_purchase_id: describeOrder,
  investor_id: describeInvestor,
  organization: async (visit, organization) => {
    const { name } = await visit.service.call('organization.show', { organization })
    return [[visit.say('organization'), foreign(name)]]
  },
  cooperative: async (visit, cooperative) => {
    const { name } = await visit.service.call('cooperative.show', { cooperative })
    return [[visit.say('cooperative'), foreign(name)]]
  },
  client_id: describeClient,
  collection_id: describeCollection,
  // The question says it.
  not_taken: async () => [],
  unpaid: async ({ say }) => [[say('unpaid'), say('yes')]],
  refunded: async ({ say }) => [[say('refunded'), say('yes')]],
  // The facts about the client include the secret.
  secret_id: async () => [],
  webhook_endpoint_id: describeEndpoint,
  before: async ({ say }, before) => [[say('until'), time(before)]],
  dead: async ({ say }) => [[say('alsoDead'), say('yes')]],
}

async function describeOrder(visit: Visit, share_purchase_id: string): Promise<readonly Fact[]> {
  const { say } = visit
  const order = await visit.service.call('purchase.show', { share_purchase_id })
  const { name, company } = await visit.service.call('investor.show', {
    investor_id: order.investor_id,
  })
  return [
    [say('share_purchase'), linkTo.order(order.share_purchase_id)],
    [say('status'), state(visit, order.status)],
    [say('investor'), foreign(name ?? company)],
    [say('organization'), foreign(order.organization)],
    [say('cooperative'), foreign(order.cooperative)],
    [say('shares'), order.share_count],
    [say('total'), money(order.total, order.total_currency, visit)],
  ]
}

async function describeCollection(visit: Visit, id: string): Promise<readonly Fact[]> {
  const { say } = visit
  const found = await visit.service.reads.collection(id, { limit: 1 })
  return [
    [say('cooperative'), foreign(found.cooperative_key)],
    [say('state'), state(visit, found.state)],
    [say('due_date'), foreign(found.due_date)],
    [say('count'), found.count],
    [say('sum'), money(found.total, found.total_currency, visit)],
  ]
}

async function describeInvestor(visit: Visit, investor_id: string): Promise<readonly Fact[]> {
  const { say } = visit
  const person = await visit.service.call('investor.show', { investor_id })
  return [
    [say('person'), foreign([person.name, person.company].filter(Boolean).join(', '))],
    [say('reference'), foreign(person.partner_customer_ref)],
    [say('organization'), foreign(person.organization)],
    [say('email'), foreign(person.email)],
    [say('orders'), person.share_purchases.length + person.more_share_purchases],
  ]
}

async function describeClient(
  visit: Visit,
  client_id: string,
  ids: Readonly<Record<string, string>>,
): Promise<readonly Fact[]> {
  const { say } = visit
  const client = await visit.service.call('client.show', { client_id })
  const organization = client.organization_id
  const partner = await visit.service.call('organization.show', { organization })
  const secret = client.secrets.find((each) => each.secret_id === ids['secret_id'])
  const lastUse = secret?.last_used_at ? time(secret.last_used_at) : say('never')
  return [
    [say('organization'), foreign(partner.name)],
    [say('client'), foreign(client.name ?? client_id)],
    ...(secret
      ? [[say('created'), time(secret.created_at)] as const, [say('lastUse'), lastUse] as const]
      : []),
  ]
}

async function describeEndpoint(visit: Visit, id: string): Promise<readonly Fact[]> {
  const { say } = visit
  const all = await visit.service.call('webhook.list', {})
  const endpoint = all.find((each) => each.webhook_endpoint_id === id)
  if (!endpoint) return [[say('webhook_endpoint'), foreign(id)]]
  return [
    [say('organization'), foreign(endpoint.organization)],
    [say('webhook_endpoint'), foreign(endpoint.url)],
  ]
}

interface Result {
  readonly name: OperationName
  readonly back: string
  readonly answer: unknown
  readonly isDryRun: boolean
}

const secretKeys = /^(client_secret|signing_secret|token|access_token)$/

type Values = Readonly<Record<string, unknown>>

export function resultPage(visit: Visit, { name, back, answer, isDryRun }: Result): Page {
  const { say } = visit
  const entries = Object.entries(answer as Values)
  const [secret] = entries.filter(([key]) => secretKeys.test(key))
  const body = html`${
    secret &&
    html`<div class="note" role="status"><p>${say('shownOnce')}</p>
<p>${headOf(visit, secret[0])}: <span class="secret">${copyable(visit, String(secret[1]))}</span></p></div>`
  }${isDryRun && html`<p class="note" role="status">${say('dryRunHint')}</p>`}
${Array.isArray(answer) ? renderValue(visit, answer) : renderFacts(visit, answer as Values)}
<p><a href="${back}">${say('back')}</a></p>`
  const title = isDryRun ? `${say('dry_run')}: ${labelOf(say, name)}` : labelOf(say, name)
  return { title, section: sectionOf(name), body }
}

/** A key of JSON in words. */
function headOf({ say }: Pick<Visit, 'say'>, key: string): string {
  const plain = key.replace(/_(?:id|at)$/, '')
  const words =
    [key, plain].filter(isTextName).map((name) => say(name))[0] ?? key.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function renderFacts(visit: Visit, values: Values): Html {
  const shown = Object.entries(values).filter(
    ([key, value]) => !secretKeys.test(key) && value !== null && value !== undefined,
  )
  return facts(
    shown.map(([key, value]) => [headOf(visit, key), renderValue(visit, value, key)] as const),
  )
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** Any JSON: names and values, and a table for a list of objects. */
function renderValue(visit: Visit, value: unknown, key = ''): Html {
  const { say } = visit
  if (value === null || value === undefined) return html`–`
  if (Array.isArray(value)) return renderList(visit, value)
  if (typeof value === 'object') return renderFacts(visit, value as Values)
  if (typeof value === 'boolean') return html`${say(value ? 'yes' : 'no')}`
  const text = String(value)
  const link = linkOf(key)
  if (link) return link(text)
  // No type is so long that the line has to break within it.
  if (key === 'type') return html`<code>${text}</code>`
  if (key === 'check' || key === 'role') return html`${valueIn(visit, key, text)}`
  if (/^(state|state_after|result)$/.test(key)) return state(visit, text)
  return instant.test(text) ? time(text) : messageIn(visit, text)
}

function renderList(visit: Visit, values: readonly unknown[]): Html {
  if (values.length === 0) return html`–`
  if (values.some((each) => typeof each !== 'object' || each === null)) {
    return html`${values.map((each, index) => html`${index > 0 && ', '}${messageIn(visit, String(each))}`)}`
  }
  const rows = values as readonly Values[]
  const keys = [...new Set(rows.flatMap(Object.keys))].filter((key) =>
    rows.some((row) => row[key] !== null && row[key] !== undefined),
  )
  const columns = keys.map((key) => ({
    head: html`${headOf(visit, key)}`,
    cell: (row: Values) => renderValue(visit, row[key], key),
    isNumber: rows.every((row) => typeof row[key] === 'number'),
  }))
  return table(visit.say, '', rows, columns)
}
