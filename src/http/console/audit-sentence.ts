// Entries of the audit as sentences, with the names of what they are about.
import { shortIdLength } from '../../domain/ids.ts'
import type { Row } from '../../operations/operations.ts'
import { type Deed, deeds, sentences, unknownDeed } from './audit-texts.ts'
import { foreign, type Html, html, type Part } from './html.ts'
import { linkTo, money, stateIn, type Visit, valueIn } from './page.ts'
import { isTextName, type TextName } from './texts.ts'

export type Entry = Row<'audit.list'>
type Change = Entry['changes'][number]

/** What the store knows now about the records that entries name. */
export interface Known {
  /** The names of partners, clients, cooperatives, operators and endpoints, by id. */
  readonly names: ReadonlyMap<string, string>
  readonly orders: Awaited<ReturnType<Visit['service']['reads']['amountsOf']>>
}

/** Reads each record once that the entries name. */
export async function readKnown({ service }: Visit, entries: readonly Entry[]): Promise<Known> {
  const idsOf = (subject: string) => entries.flatMap(({ subjects }) => subjects[subject] ?? [])
  const [names, orders] = await Promise.all([
    service.reads.namesOf({
      organizations: idsOf('organization_id'),
      clients: idsOf('client_id'),
      cooperatives: idsOf('cooperative_id'),
      operators: idsOf('operator_id'),
      endpoints: idsOf('webhook_endpoint_id'),
    }),
    service.reads.amountsOf(idsOf('share_purchase_id')),
  ])
  return { names, orders }
}

/** Who did what, whose it was, and the amounts. */
export function sentenceOf(visit: Visit, entry: Entry, known: Known): Html {
  const { language } = visit
  const { operation, outcome, code } = entry
  const deed = Object.hasOwn(deeds, operation) ? deeds[operation as keyof typeof deeds] : undefined
  const records = recordsOf(entry, known)
  const verbs = verbsOf(deed ?? unknownDeed(operation), language, records)
  const tail = tailOf(visit, entry, known).map((part) => html`, ${part}`)
  const values = { ...verbs, who: actorOf(visit, entry), tail, code: html`<code>${code}</code>` }
  return fill(sentences[outcome][language === 'de' ? 1 : 0], values)
}

type Values = Readonly<Record<string, Part>>

/** A part in brackets needs all its values; otherwise what follows its bar takes its place. */
function fill(template: string, values: Values): Html {
  const parts: Part[] = []
  let end = 0
  for (const found of template.matchAll(/\[([^\]|]*)(?:\|([^\]]*))?\]|\{(\w+)\}/g)) {
    const [whole, group, other = '', name = ''] = found
    parts.push(template.slice(end, found.index))
    end = found.index + whole.length
    if (group === undefined) parts.push(values[name])
    else {
      const names = [...group.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each)
      parts.push(fill(names.every((each) => values[each]) ? group : other, values))
    }
  }
  return html`${[...parts, template.slice(end)]}`
}

function verbsOf({ en, de }: Deed, language: Visit['language'], records: Values): Values {
  if (language === 'de') {
    const [object, participle, infinitive] = de
    return { object: fill(object, records), participle, infinitive }
  }
  const [past, infinitive, object] = en
  const filled = fill(object, records)
  return { past, infinitive, object: filled.text !== '' && html` ${filled}` }
}

function actorOf({ say }: Visit, { actor }: Entry): Html {
  if (actor.kind === 'system') return html`${say('thisService')}`
  if (actor.id === 'local') return html`${say('localAdministrator')}`
  if (actor.id === 'unknown') return html`${say('somebody')}`
  return actor.organization === null
    ? foreign(actor.name)
    : html`${foreign(actor.name)} (${foreign(actor.organization)})`
}

const short = (id: string) => `…${id.slice(-shortIdLength)}`

function recordsOf({ subjects, changes, actor }: Entry, { names }: Known): Values {
  const { share_purchase_id: order, organization_id: partner, client_id: client } = subjects
  const { webhook_endpoint_id: endpoint, cooperative_id: cooperative, kid: key } = subjects
  const { investor_id: investor, operator_id: operator, event_id: event } = subjects
  const nameOf = (id: string, record: string) => names.get(id) ?? formerNameOf(changes, record, id)
  const named = (id: string | undefined, record: string) =>
    id && html`${foreign(nameOf(id, record) ?? short(id))}`
  return {
    order: order && linkTo.order(order, short(order)),
    // The name of a client is followed by that of its partner.
    partner:
      partner && actor.kind !== 'client'
        ? linkTo.partner(partner, nameOf(partner, 'organization') ?? short(partner))
        : undefined,
    client: named(client, 'client'),
    endpoint: named(endpoint, 'webhook_endpoint'),
    cooperative:
      cooperative &&
      linkTo.cooperative(cooperative, nameOf(cooperative, 'cooperative') ?? short(cooperative)),
    operator: named(operator, 'operator'),
    investor: investor && linkTo.investor(investor, short(investor)),
    key: key && html`<code>${short(key)}</code>`,
    event: event && linkTo.event(event, short(event)),
  }
}

/** The name of a record that was removed since. */
function formerNameOf(changes: readonly Change[], record: string, id: string): string | undefined {
  const change = changes.find((each) => each.record === record && each.id === id)
  const { name, host } = { ...change?.before, ...change?.after } as Readonly<
    Record<string, unknown>
  >
  return typeof name === 'string' ? name : typeof host === 'string' ? host : undefined
}

/** The status is in the sentence of all other operations. */
const withStatus: readonly string[] = [
  'purchase.confirm',
  'fixtures.apply',
  'fate',
  'returnOwnDirectDebit',
]

/** What the sentence ends with: amounts, and values before and after. */
function tailOf(visit: Visit, entry: Entry, { orders }: Known): readonly Part[] {
  const { say } = visit
  const { subjects, changes, operation } = entry
  const { share_purchase_id: id = '', attempts, address } = subjects
  const order = orders.get(id)
  const ofOrder = order
    ? [
        order.share_count === 1 ? say('oneShare') : say('manyShares', { count: order.share_count }),
        money(order.total, order.currency, visit),
      ]
    : []
  const status = changes.find((each) => each.record === 'share_purchase' && each.id === id)
    ?.after?.['status']
  const isShown = withStatus.includes(operation) && typeof status === 'string'
  return [
    ...ofOrder,
    isShown && say('nowStatus', { status: stateIn(visit, status) }),
    ...(changes.length === 1 ? changes.flatMap((change) => valuesOf(visit, change)) : []),
    ...(id === '' && changes.length > 1 ? countsOf(visit, changes) : []),
    address && say('atAddress', { address }),
    attempts && (attempts === '1' ? say('oneAttempt') : say('attemptsOf', { count: attempts })),
  ].filter((part) => part !== undefined && part !== false)
}

/** What people want to know of a change without opening its details. */
function valuesOf(visit: Visit, { record, before, after }: Change): readonly Part[] {
  const { say } = visit
  const change = (name: string) => [before?.[name], after?.[name]] as const
  const parts: Part[] = []
  if (record === 'cooperative') {
    const [old, now] = change('share_price')
    if (typeof old === 'string' && typeof now === 'string')
      parts.push(fromTo(visit, money(old, 'EUR', visit), money(now, 'EUR', visit)))
  }
  if (record === 'organization') {
    const [old, now] = change('name')
    if (typeof old === 'string' && typeof now === 'string')
      parts.push(html`${say('formerly', { name: old })}`)
    for (const name of ['investor_mail', 'self_service'] as const) {
      const [was, is] = change(name)
      if (typeof was === 'boolean' && typeof is === 'boolean')
        parts.push(`${say(name)}: ${say(is ? 'yes' : 'no')}`)
    }
  }
  if (record === 'operator') {
    const [old, now] = change('role')
    if (typeof old === 'string' && typeof now === 'string')
      parts.push(fromTo(visit, valueIn(visit, 'role', old), valueIn(visit, 'role', now)))
    else if (typeof now === 'string')
      parts.push(say('withRole', { role: valueIn(visit, 'role', now) }))
  }
  if (record === 'client') {
    const [old, now] = change('granted_scopes')
    if (Array.isArray(old) && Array.isArray(now)) parts.push(html`<code>${now.join(' ')}</code>`)
  }
  return parts
}

function fromTo({ say }: Visit, before: string, after: string): Html {
  return html`${say('fromTo', { before, after })}`
}

const kinds: Readonly<Record<string, TextName>> = {
  share_purchase: 'orders',
  organization: 'partners',
  client: 'clients',
  cooperative: 'cooperatives',
  image: 'pictures',
  investor: 'investors',
  webhook_endpoint: 'endpoints',
  operator: 'operators',
  signing_key: 'keys',
}

function countsOf({ say }: Visit, changes: readonly Change[]): readonly Part[] {
  const counts = new Map<string, number>()
  for (const { record } of changes) counts.set(record, (counts.get(record) ?? 0) + 1)
  return [...counts].map(([record, count]) => {
    const name = Object.hasOwn(kinds, record) ? kinds[record] : undefined
    const kind = name && isTextName(name) ? say(name) : record.replaceAll('_', ' ')
    return say('recordsOf', { kind, count })
  })
}
