import type { Output } from '../operations/operations.ts'
import { type Cell, renderFields, renderTable } from './table.ts'

type Found = Output<'find'>
type Investor = Output<'investor.show'>
type Exported = Output<'investor.export'>
type Erased = Output<'investor.erase'>
type Order = Investor['share_purchases'][number]
type Delivery = NonNullable<Order['history'][number]['event']>['deliveries'][number]

const nothingFound =
  'Nothing was found. The first three letters of each word in a name and the first six characters of an id are enough. An e-mail address, an IBAN or a reference must be complete.'

export function renderFound(answer: Found): string {
  const { found, more, is_more_counted, more_records } = answer
  const records = renderRecords(answer)
  const notes = [
    ...(found.length + records.length === 0 ? [nothingFound] : []),
    ...(more_records > 0
      ? [`${more_records} more partners, clients, cooperatives or events match.`]
      : []),
    ...(more > 0
      ? [
          `${is_more_counted ? more : `More than ${more}`} more match. Add words to the search, or raise --limit.`,
        ]
      : []),
  ]
  const persons = found.map(({ matched, share_purchases, more_share_purchases, ...person }) =>
    [
      renderFields({ ...personOf(person), matched: matched.join(', ') }),
      ...renderStories(share_purchases, more_share_purchases),
    ].join('\n\n'),
  )
  return [...persons, ...records, notes.join('\n')].filter((part) => part !== '').join('\n\n\n')
}

function renderRecords({
  organizations,
  clients,
  cooperatives,
  collections,
  events,
}: Found): string[] {
  const tables = [
    organizations.length > 0 &&
      renderTable(organizations, { ID: 'organization_id', PARTNER: 'name' }),
    clients.length > 0 &&
      renderTable(clients, { ID: 'client_id', CLIENT: 'name', PARTNER: 'organization' }),
    cooperatives.length > 0 &&
      renderTable(cooperatives, {
        ID: 'cooperative_id',
        KEY: 'key',
        COOPERATIVE: 'name',
        CITY: 'city',
      }),
    collections.length > 0 &&
      renderTable(collections, {
        ID: 'collection_id',
        COLLECTION: 'cooperative',
        STATE: 'state',
        DUE: 'due_date',
      }),
    events.length > 0 &&
      renderTable(events, {
        ID: 'event_id',
        EVENT: 'type',
        ORDER: 'share_purchase_id',
        CREATED: 'created_at',
      }),
  ]
  return tables.filter((each) => each !== false)
}

export function renderInvestor(investor: Investor): string {
  const { holdings, share_purchases, more_share_purchases, ...fields } = investor
  return [
    renderFields(personOf(fields)),
    ...renderHoldings(holdings),
    ...renderStories(share_purchases, more_share_purchases),
  ].join('\n\n')
}

const damagedName = '(damaged, see `coopshare store check`)'

/** Marks damaged data. */
function personOf<Fields extends { readonly name: string | null; readonly is_damaged: boolean }>({
  is_damaged: isDamaged,
  ...fields
}: Fields) {
  return isDamaged ? { ...fields, name: damagedName } : fields
}

function renderHoldings(holdings: Investor['holdings']): string[] {
  if (holdings.length === 0) return []
  return [
    renderTable(holdings, {
      COOPERATIVE: 'cooperative',
      SHARES: 'shares',
      PENDING: 'pending_shares',
      'FIRST ACQUIRED': 'first_acquired_at',
    }),
  ]
}

function renderStories(orders: readonly Order[], more: number): string[] {
  return [
    ...orders.map((order) => [titleOf(order), renderHistory(order)].join('\n')),
    ...(more > 0 ? [`${more} more orders.`] : []),
  ]
}

function titleOf(order: Order): string {
  const { share_purchase_id, status, share_count, cooperative, total, total_currency } = order
  const reason = order.reason === null ? '' : ` (${order.reason})`
  return `Order ${share_purchase_id}: ${status}${reason}, ${share_count} ${share_count === 1 ? 'share' : 'shares'} of ${cooperative}, ${total} ${total_currency}`
}

function renderHistory({ history }: Order): string {
  return renderTable(history, {
    AT: 'at',
    STATUS: 'status',
    EVENT: ({ event }) => event?.event_id,
    WEBHOOKS: ({ event }) => describeDeliveries(event?.deliveries, 'webhook'),
    'E-MAIL': ({ event }) => describeDeliveries(event?.deliveries, 'mail'),
  })
}

/** For example `delivered, dead after 6 attempts`. */
function describeDeliveries(deliveries: readonly Delivery[] = [], kind: string): Cell {
  const own = deliveries.filter((delivery) => delivery.kind === kind)
  if (own.length === 0) return null
  return own
    .map(({ state, attempts }) => (attempts > 1 ? `${state} after ${attempts} attempts` : state))
    .join(', ')
}

/** Renders an export for a terminal. */
export function renderExportedInvestor(exported: Exported): string {
  const { exported_at, investor, holdings, share_purchases } = exported
  const { profile, is_damaged: _, ...fields } = investor
  const { address, bank_account, company, consents, ...details } = profile ?? {}
  const parts: readonly (readonly [string, string])[] = [
    ['Person', renderFields({ ...fields, ...details })],
    ['Address', renderSection(address)],
    ['Bank account', renderSection(bank_account)],
    ['Company', renderSection(company)],
    ['Consents', renderConsents(consents)],
    ['Shares', renderHoldings(holdings).join('')],
    ...share_purchases.map(
      (order) => [`Order ${order.share_purchase_id}`, renderOrder(order)] as const,
    ),
  ]
  const known = parts.filter(([, content]) => content !== '')
  return [
    `Everything that is stored about this person, at ${exported_at}.`,
    ...known.map(([title, content]) => `${title}\n${'-'.repeat(title.length)}\n${content}`),
  ].join('\n\n')
}

function renderSection(section: Readonly<Record<string, Cell>> | null | undefined): string {
  return section ? renderFields(section) : ''
}

type Consents = NonNullable<Exported['investor']['profile']>['consents']

function renderConsents(consents: Consents | undefined): string {
  const given = Object.entries(consents ?? {}).map(([name, { given_at }]) => [name, given_at])
  return given.length === 0 ? '' : renderFields(Object.fromEntries(given))
}

function renderOrder(order: Exported['share_purchases'][number]): string {
  const { history, events, payment, ...fields } = order
  const sent = events.map(({ type, body }) =>
    type === 'payment.announced'
      ? `Sent to the investor, in words: ${body}`
      : `Sent to the partner: ${body}`,
  )
  return [renderFields(fields), ...renderPayment(payment), renderHistory(order), ...sent].join(
    '\n\n',
  )
}

function renderPayment(payment: Exported['share_purchases'][number]['payment']): string[] {
  if (payment === null) return []
  const { attempts, ...fields } = payment
  return [
    `Payment\n${renderFields(fields)}`,
    ...attempts.map((attempt) => `Direct debit\n${renderFields(attempt)}`),
  ]
}

export function renderErasure(erased: Erased): string {
  const files = erased.removed_mail_files
  const again = erased.was_erased_before ? ' before' : ''
  return [
    `Erased${again}: ${erased.investor_id} at ${erased.erased_at}.`,
    `Removed: ${erased.removed.join(', ')}${files > 0 ? `, and ${files} e-mails in the mail directory` : ''}.`,
    ...erased.kept.map(({ what, count, why }) => `Kept: ${count} ${nounOf(what, count)}. ${why}`),
    'Earlier backups still contain the person: see docs/operators/personal-data.md.',
  ].join('\n')
}

/** `share_purchases` -> `share purchase` for one of them. */
function nounOf(what: Erased['kept'][number]['what'], count: number): string {
  const plural = what.replace('_', ' ')
  return count === 1 ? plural.replace(/s$/, '') : plural
}
