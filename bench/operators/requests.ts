import { sharePurchaseStatuses } from '../../src/domain/share-purchases/share-purchase.ts'
import { eventStates, eventTypes } from '../../src/domain/webhooks/event.ts'
import { frequentNames, type History } from './fill-history.ts'
import { operatorName } from './past-order.ts'

/** The requests of an operator. */
export interface Asked {
  readonly name: string
  /** `POST /operations/…` */
  readonly operation?: string
  readonly input?: object
  /** A page of the console. */
  readonly page?: string
  readonly language?: string
  /**
   * Whether the answer is about all matching records. The time of such an answer grows with the
   * number of records.
   */
  readonly isWhole?: boolean
  /** The fields of a form of the console. */
  readonly form?: readonly (readonly [name: string, value: string])[]
}

/** The table of a command shows 50 rows. One more row shows whether there are more. */
const limit = 51
const languages = ['en', 'de'] as const

export function requestsFor(history: History): readonly Asked[] {
  return [...pagesFor(history), ...findsFor(history), ...listsFor(history)]
}

function findsFor(history: History): readonly Asked[] {
  const { partnerCustomerRef, email, iban, lastName, mandateReference } = history
  const { sharePurchaseId, investorId, eventId, sharedIban } = history
  const texts = {
    'a name': lastName,
    'first and last name': `${frequentNames[0]} ${lastName}`,
    'a name that all people have': frequentNames[0],
    'two frequent names': frequentNames.join(' '),
    'two words that no person has together': `${frequentNames[1]} ${lastName}`,
    'an e-mail address': email,
    'an IBAN': iban,
    'the IBAN of every tenth person': sharedIban,
    'a customer reference': partnerCustomerRef,
    'a mandate reference': mandateReference,
    'an issued mandate reference': sharePurchaseId.replaceAll('-', '').toUpperCase(),
    'the id of an order': sharePurchaseId,
    'the id of an investor': investorId,
    'the id of an event': eventId,
    'six characters of an id': sharePurchaseId.slice(0, 6),
    'nothing that exists': 'Nobody',
  }
  return Object.entries(texts).map(([what, text]) => ({
    name: `find ${what}`,
    operation: 'find',
    input: { text },
  }))
}

function listsFor(history: History): readonly Asked[] {
  const { organizationId: organization, cooperativeId: cooperative, investorId, clientId } = history
  const since = new Date(Date.now() - 50 * 24 * 3600 * 1000).toISOString()
  const until = new Date(Date.now() - 20 * 24 * 3600 * 1000).toISOString()
  const both = { organization, cooperative }
  const order = { order: history.sharePurchaseId }
  const operator = { operator: operatorName }
  return [
    ...sorted('purchase.list', [
      ...[{}, { since, until }, { organization }, { cooperative }, both, { investor: investorId }],
      ...sharePurchaseStatuses.flatMap((status) => [
        ...[{ status }, { status, organization }, { status, cooperative }, { status, ...both }],
      ]),
      ...[
        { ...both, since, until },
        { organization, since },
        { cooperative, until },
      ],
      { investor: investorId, status: 'settled', ...both },
    ]),
    ...sorted('event.list', [
      ...[{}, { since, until }, { organization }, { organization, since }],
      ...eventStates.flatMap((state) => [{ state }, { state, organization }]),
      ...eventTypes.flatMap((type) => [
        ...[{ type }, { type, organization }, { type, until }],
        ...eventStates.map((state) => ({ type, state })),
        { type, state: 'dead', organization },
      ]),
      ...[
        { state: 'dead', mail: true },
        { state: 'dead', mail: true, organization },
      ],
      { state: 'dead', mail: true, type: 'share_purchase.settled' },
    ]),
    ...sorted('investor.list', [{}, { since, until }, { organization }, { organization, since }]),
    list('investor.list', { erased: true }),
    ...[
      {},
      order,
      operator,
      { ...order, ...operator },
      { since, until },
      { ...operator, since },
      ...['operator', 'client', 'system'].map((actor) => ({ actor })),
      ...[{}, order, operator, { actor: 'operator' }].map((one) => ({
        ...one,
        refused: true,
      })),
    ].map((filter) => list('audit.list', filter)),
    ...all('webhook.list', {}, { organization }),
    ...all('client.list', {}, { organization }),
    ...all('event.count', { limit: 1000 }, { organization, limit: 1000 }),
    ...['organization.list', 'cooperative.list', 'operator.list', 'key.list'].flatMap((name) =>
      all(name, {}),
    ),
    ...all('purchase.show', { share_purchase_id: history.sharePurchaseId }),
    ...all('event.show', { event_id: history.eventId }),
    ...all('investor.show', { investor_id: investorId }),
    ...all('client.show', { client_id: clientId }),
    ...all('cooperative.show', { cooperative }),
    ...all('cooperative.price_history', { cooperative }),
    ...all('organization.show', { organization }),
    ...all('purchase.preview', { statuses: ['submitted'], cooperative }),
    ...all('purchase.preview', { statuses: ['submitted'] }).map(whole),
    ...all('event.count', {}).map(whole),
  ]
}

function whole(asked: Asked): Asked {
  return { ...asked, name: `${asked.name}, all`, isWhole: true }
}

function sorted(operation: string, filters: readonly object[]): readonly Asked[] {
  return filters.flatMap((filter) =>
    ['created_at', '-created_at'].map((sort) => list(operation, { ...filter, sort })),
  )
}

function list(operation: string, filter: object): Asked {
  return { name: nameOf(operation, filter), operation, input: { ...filter, limit } }
}

function all(operation: string, ...inputs: readonly object[]): readonly Asked[] {
  return inputs.map((input) => ({ name: nameOf(operation, input), operation, input }))
}

function nameOf(operation: string, input: object): string {
  const parts = Object.entries(input).map(([key, value]) =>
    /id|organization|cooperative$|investor$|order$|since|until/.test(key) ? key : `${key} ${value}`,
  )
  return [operation, ...parts].join(' ')
}

function pagesFor(history: History): readonly Asked[] {
  const { organizationId, cooperativeId, investorId, sharePurchaseId, eventId } = history
  const orders = ['', ...sharePurchaseStatuses.map((status) => `status=${status}`)]
  const ordersOf = [
    `organization=${organizationId}`,
    `cooperative=${cooperativeId}`,
    `organization=${organizationId}&cooperative=${cooperativeId}`,
    `status=submitted&organization=${organizationId}&cooperative=${cooperativeId}`,
    `investor=${investorId}`,
    'sort=created_at',
  ]
  const events = ['', ...eventStates.map((state) => `state=${state}`)]
  const eventsOf = [
    ...eventTypes.map((type) => `type=${type}`),
    `state=dead&type=share_purchase.rejected&organization=${organizationId}`,
  ]
  const paths = [
    '/',
    ...[...orders, ...ordersOf].map((filter) => `/orders?${filter}`),
    `/orders/${sharePurchaseId}`,
    ...['/investors', `/investors?organization=${organizationId}`, `/investors/${investorId}`],
    ...['/partners', `/partners/${organizationId}`, '/catalogue', `/catalogue/${cooperativeId}`],
    ...[...events, ...eventsOf].map((filter) => `/events?${filter}`),
    `/events/${eventId}`,
    ...['/live', '/audit', `/audit?operator=${operatorName}`, `/audit?order=${sharePurchaseId}`],
    ...['/audit?actor=operator', '/audit?refused=true'],
    ...['/system', `/find?text=${frequentNames[0]}`, `/find?text=${history.iban}`],
  ]
  const visits = languages.flatMap((language) =>
    paths.map((path) => ({ name: `${language} ${shortened(path)}`, page: path, language })),
  )
  return [...visits, ...previews(`?cooperative=${cooperativeId}`)]
}

function previews(filter: string): readonly Asked[] {
  return ['approve', 'settle', 'reject'].map((decision) => ({
    name: `preview of ${decision} for the orders of a cooperative`,
    page: '/orders',
    form: [
      ['decision', decision],
      ['matching', 'yes'],
      ['filter', filter],
    ],
  }))
}

/** Shortens ids, because readers cannot use them. */
function shortened(path: string): string {
  return path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replace(/\?$/, '')
}
