import { readShortId } from '../../domain/ids.ts'
import type { StoredInvestor } from '../../domain/investors/investor.ts'
import { maximumCounted } from '../../domain/page.ts'
import { withoutAttempt } from '../../domain/payments/payment.ts'
import { Problem } from '../../domain/problem.ts'
import {
  type SharePurchase,
  sharePurchaseIdOfReference,
} from '../../domain/share-purchases/share-purchase.ts'
import { sharePurchaseIdOf } from '../../domain/webhooks/event.ts'
import { isNamed, spellingsOf, wordsOf } from '../../domain/words.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { type FoundRecords, findRecords, idsRead, readIdBeginning } from '../find-records.ts'
import type { Service } from '../service.ts'
import {
  describePerson,
  type OrderHistory,
  type Person,
  readOrderHistory,
} from './read-investors.ts'
import { namesOf, readSearchTerms, type SearchTerms, type TermKind } from './search-terms.ts'

export const matchKinds = [
  'investor_id',
  'share_purchase_id',
  'event_id',
  'partner_customer_ref',
  'mandate_reference',
  'iban',
  'email',
  'name',
] as const
/** Says which value matches the search: one of the person, or one of their orders. */
export type MatchKind = (typeof matchKinds)[number]

export interface FoundPerson {
  readonly person: Person
  readonly matched: readonly MatchKind[]
  /** Matching orders first, then the newest ones. */
  readonly stories: readonly OrderHistory[]
  readonly orderCount: number
}

export interface Found extends FoundRecords {
  /** Persons with a word as it was typed come first, then the newest ones. */
  readonly persons: readonly FoundPerson[]
  /** The number of further matches; if `isMoreCounted` is false, there are even more. */
  readonly more: number
  readonly isMoreCounted: boolean
}

export interface Find {
  readonly text: string
  readonly limit?: number | undefined
}

const defaultLimit = 10
const shownOrders = 10

/** Everything that a text may mean. The cost depends on the number of matches, not on the size of the store. */
export async function find(
  { store, vault }: Service,
  { text, limit = defaultLimit }: Find,
): Promise<Found> {
  const wanted = readShortId(text) ?? text.trim()
  requireSearchable(wanted)
  return store.read(async (records) => {
    const [search, others] = await Promise.all([
      searchInvestors({ records, vault }, wanted, limit),
      findRecords(records, wanted, limit),
    ])
    const found = await search.investors()
    const persons = found.slice(0, limit).map(async ({ stored, matched, orders }) => {
      const { organizationId, investorId } = stored
      const page = { page: 1, size: shownOrders }
      const [person, { items, totalItems }] = await Promise.all([
        describePerson(records, vault, stored),
        records.sharePurchases.pageByInvestor(organizationId, investorId, page),
      ])
      const others = items.filter((one) => !orders.has(one.sharePurchaseId))
      const shown = [...orders.values(), ...others].slice(0, shownOrders)
      const stories = await Promise.all(shown.map((order) => readOrderHistory(records, order)))
      return { person, matched: [...matched], stories, orderCount: totalItems }
    })
    const { unseen, isCounted } = search
    return {
      ...others,
      persons: await Promise.all(persons),
      more: Math.max(0, found.length - limit) + unseen,
      isMoreCounted: isCounted,
    }
  })
}

/** What a text may mean that somebody is typing. */
export interface Suggested extends FoundRecords {
  readonly persons: readonly Person[]
  readonly orders: readonly SharePurchase[]
}

/** The maximum number of persons that are decrypted while the last word is too short to be searched for. */
const personsFiltered = 50

/**
 * A few of each kind, without histories. A last word of one or two letters is not searched for: it selects among persons
 * whom the other words find.
 * @param limit of each kind
 */
export async function suggest(
  { store, vault }: Pick<Service, 'store' | 'vault'>,
  text: string,
  limit: number,
): Promise<Suggested> {
  const wanted = readShortId(text) ?? text.trim()
  if (!isSearchable(wanted)) return nothingSuggested
  return store.read(async (records) => {
    const reads = { records, vault }
    const words = wordsOf(wanted)
    const begun = [...(words.at(-1) ?? '')].length < 3 ? words.slice(0, -1).join(' ') : ''
    const [search, wider, others] = await Promise.all([
      searchInvestors(reads, wanted, limit),
      begun === '' ? undefined : searchInvestors(reads, begun, personsFiltered),
      findRecords(records, wanted, limit),
    ])
    const found = await search.investors()
    const orders = found.flatMap((hit) => [...hit.orders.values()])
    const describe = ({ stored }: { readonly stored: StoredInvestor }) =>
      describePerson(records, vault, stored)
    const persons = await Promise.all(found.slice(0, limit).map(describe))
    const known = new Set(found.map(({ stored }) => stored.investorId))
    const near = (await wider?.investors())?.filter(({ stored }) => !known.has(stored.investorId))
    const named = (await Promise.all((near ?? []).map(describe))).filter(({ investor }) =>
      isNamed(spellingsOf(namesOf(investor.profile)), words),
    )
    return {
      ...others,
      persons: [...persons, ...named].slice(0, limit),
      orders: orders.slice(0, limit),
    }
  })
}

const nothingSuggested: Suggested = {
  persons: [],
  orders: [],
  organizations: [],
  clients: [],
  cooperatives: [],
  collections: [],
  events: [],
  moreRecords: 0,
}

async function searchInvestors(
  { records, vault }: { readonly records: ReadableRecords; readonly vault: Service['vault'] },
  wanted: string,
  limit: number,
): Promise<Search> {
  const search = new Search(records, limit)
  const searchTerms = await readSearchTerms(records, { vault })
  const searches = searchesFor(records, searchTerms, wanted)
  await Promise.all(searches.map((one) => search.run(one)))
  return search
}

function isSearchable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

function requireSearchable(text: string): void {
  if (isSearchable(text)) return
  throw new Problem(
    'VALIDATION_ERROR',
    'The text to find has no letter or digit. Give a name, an e-mail address, an IBAN, a reference, or at least 6 characters of an id.',
  )
}

type Investors = Awaited<ReturnType<ReadableRecords['investors']['listByIdPrefix']>>

interface OneSearch {
  readonly kind: MatchKind
  /** A record without a rank matches exactly. */
  investors?(limit: number): Promise<{
    readonly records: Investors
    readonly count: number
    readonly ranks?: ReadonlyMap<string, number>
  }>
  orders?(limit: number): Promise<{
    readonly records: readonly SharePurchase[]
    readonly count: number
  }>
}

function searchesFor(
  records: ReadableRecords,
  searchTerms: SearchTerms,
  text: string,
): readonly OneSearch[] {
  return [...searchesForIds(records, text), ...searchesForTerms(records, searchTerms, text)]
}

function searchesForIds(records: ReadableRecords, text: string): readonly OneSearch[] {
  const issuedTo = sharePurchaseIdOfReference(withoutAttempt(text))
  const prefix = issuedTo ?? readIdBeginning(text)
  if (prefix === undefined) return []
  const { investors, sharePurchases, events } = records
  const short = readShortId(prefix)
  return [
    ...(short === undefined ? [] : searchesForEnds(records, short)),
    {
      kind: 'investor_id',
      investors: async () => counted(await investors.listByIdPrefix(prefix, idsRead)),
    },
    {
      kind: issuedTo === undefined ? 'share_purchase_id' : 'mandate_reference',
      orders: async () => counted(await sharePurchases.listByIdPrefix(prefix, idsRead)),
    },
    {
      kind: 'event_id',
      orders: async () => {
        const found = await events.listByIdPrefix(prefix, idsRead)
        const orders = found.map((event) =>
          sharePurchases.get(event.organizationId, sharePurchaseIdOf(event)),
        )
        return counted((await Promise.all(orders)).filter((order) => order !== undefined))
      },
    },
  ]
}

/** Tables show the ends of ids. */
function searchesForEnds(
  { investors, sharePurchases }: ReadableRecords,
  end: string,
): readonly OneSearch[] {
  return [
    {
      kind: 'investor_id',
      investors: async () => counted(await investors.listByIdEnd(end, idsRead)),
    },
    {
      kind: 'share_purchase_id',
      orders: async () => counted(await sharePurchases.listByIdEnd(end, idsRead)),
    },
  ]
}

function counted<Record>(found: readonly Record[]) {
  return { records: found, count: found.length }
}

const ofInvestors = ['partner_customer_ref', 'iban', 'email'] as const
const ofOrders = ['mandate_reference', 'iban'] as const

function searchesForTerms(
  records: ReadableRecords,
  searchTerms: SearchTerms,
  text: string,
): readonly OneSearch[] {
  const { investors, sharePurchases } = records
  const possible = <Kind extends TermKind>(kinds: readonly Kind[]) =>
    kinds.flatMap((kind) => searchTerms.ofText(kind, text).map((terms) => ({ kind, terms })))
  return [
    ...searchesForNames(records, searchTerms, text),
    ...possible(ofInvestors).map(({ kind, terms }) => ({
      kind,
      investors: (limit: number) => investors.search(terms, limit),
    })),
    ...possible(ofOrders).map(({ kind, terms }) => ({
      kind,
      orders: (limit: number) => sharePurchases.search(terms, limit),
    })),
  ]
}

/**
 * Names with the whole words come first, then those with all of these words but the last, which somebody may still be
 * typing, and then those whose words only begin like these.
 */
function searchesForNames(
  { investors }: ReadableRecords,
  searchTerms: SearchTerms,
  text: string,
): readonly OneSearch[] {
  const beginnings = searchTerms.ofText('name_beginning', text)
  return searchTerms.ofText('name', text).map((whole, at) => {
    const begun = beginnings[at] ?? whole
    const all = [whole, [...whole.slice(0, -1), ...begun.slice(-1)], begun]
    const searched = [...new Map(all.map((terms) => [terms.join(), terms])).values()]
    return {
      kind: 'name',
      async investors(limit) {
        const found = await Promise.all(searched.map((terms) => investors.search(terms, limit)))
        const ranks = new Map<string, number>()
        const records = found.flatMap((part, rank) =>
          part.records.filter(({ investorId }) => {
            const isNew = !ranks.has(investorId)
            if (isNew) ranks.set(investorId, rank)
            return isNew
          }),
        )
        // Only investors with the terms of an earlier version have a word without its beginnings.
        const count = Math.max(records.length, ...found.map((part) => part.count))
        return { records, count, ranks }
      },
    }
  })
}

interface Hit {
  readonly organizationId: string
  /** Hits with a lower rank come first; those that match exactly have 0. */
  rank: number
  readonly matched: Set<MatchKind>
  readonly orders: Map<string, SharePurchase>
}

/** Merges the results of several searches by investor. */
class Search {
  /** The number of matching records besides those that were read. */
  unseen = 0
  isCounted = true
  readonly #records: ReadableRecords
  readonly #limit: number
  readonly #hits = new Map<string, Hit>()

  constructor(records: ReadableRecords, limit: number) {
    this.#records = records
    this.#limit = limit
  }

  async run({ kind, investors, orders }: OneSearch): Promise<void> {
    const [persons, bought] = await Promise.all([investors?.(this.#limit), orders?.(this.#limit)])
    for (const found of persons?.records ?? []) {
      const hit = this.#hitOf(found)
      hit.matched.add(kind)
      hit.rank = Math.min(hit.rank, persons?.ranks?.get(found.investorId) ?? 0)
    }
    for (const order of bought?.records ?? []) {
      const hit = this.#hitOf(order)
      hit.rank = 0
      hit.matched.add(kind)
      hit.orders.set(order.sharePurchaseId, order)
    }
    for (const one of [persons, bought]) {
      if (!one) continue
      this.unseen += one.count - one.records.length
      const isPrefix = one.count === one.records.length
      if (one.count >= (isPrefix ? idsRead : maximumCounted)) this.isCounted = false
    }
  }

  /** By rank, then newest first. */
  async investors() {
    const found = [...this.#hits].map(async ([investorId, hit]) => {
      const stored = await this.#records.investors.get(hit.organizationId, investorId)
      return stored ? [{ stored, ...hit }] : []
    })
    const all = (await Promise.all(found)).flat()
    return all.sort(
      (left, right) =>
        left.rank - right.rank || (left.stored.createdAt < right.stored.createdAt ? 1 : -1),
    )
  }

  #hitOf({ organizationId, investorId }: Pick<SharePurchase, 'organizationId' | 'investorId'>) {
    const hit = this.#hits.get(investorId) ?? {
      organizationId,
      rank: Number.POSITIVE_INFINITY,
      matched: new Set<MatchKind>(),
      orders: new Map<string, SharePurchase>(),
    }
    this.#hits.set(investorId, hit)
    return hit
  }
}

const namedIds = 5

const kindsOfShortIds = {
  order: {
    code: 'SHARE_PURCHASE_NOT_FOUND',
    name: 'share purchases',
    advice: 'Give a whole id, or the last 8 characters of one.',
    search: async ({ sharePurchases }: ReadableRecords, short: string) =>
      (await searchBoth(sharePurchases, short)).map(({ sharePurchaseId }) => sharePurchaseId),
  },
  investor: {
    code: 'INVESTOR_NOT_FOUND',
    name: 'investors',
    advice: 'Give a whole id, or the last 8 characters of one.',
    search: async ({ investors }: ReadableRecords, short: string) =>
      (await searchBoth(investors, short)).map(({ investorId }) => investorId),
  },
  event: {
    code: 'EVENT_NOT_FOUND',
    name: 'events',
    advice: 'Give a whole id.',
    // The id of an event does not begin with a time, so tables show its beginning.
    search: async ({ events }: ReadableRecords, short: string) =>
      (await events.listByIdPrefix(short, namedIds + 1)).map(({ eventId }) => eventId),
  },
} as const

interface SearchableIds<Record> {
  listByIdEnd(end: string, limit: number): Promise<readonly Record[]>
  listByIdPrefix(prefix: string, limit: number): Promise<readonly Record[]>
}

async function searchBoth<Record>(
  { listByIdEnd, listByIdPrefix }: SearchableIds<Record>,
  short: string,
): Promise<readonly Record[]> {
  const found = await Promise.all([
    listByIdEnd(short, namedIds + 1),
    listByIdPrefix(short, namedIds + 1),
  ])
  return found.flat()
}

/**
 * Returns the whole id that a person means by a short id from a table. Any other text is returned unchanged. So is a
 * short id that no record has: it is then refused as an unknown id.
 */
export async function resolveShortId(
  { store }: Pick<Service, 'store'>,
  kind: keyof typeof kindsOfShortIds,
  text: string,
): Promise<string> {
  const short = readShortId(text)
  if (short === undefined) return text
  const { code, name, advice, search } = kindsOfShortIds[kind]
  const ids = [...new Set(await store.read((records) => search(records, short)))]
  const [only = text, ...others] = ids
  if (others.length === 0) return only
  const more = ids.length > namedIds ? ' and more' : ''
  throw new Problem(
    code,
    `Several ${name} have the short id ${short}: ${ids.slice(0, namedIds).join(', ')}${more}. ${advice}`,
  )
}
