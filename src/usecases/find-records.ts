// Partners, clients, cooperatives, collections and events that a text may mean. `find-investors.ts` finds persons and orders.
import type { Cooperative } from '../domain/cooperatives/cooperative.ts'
import { readShortId } from '../domain/ids.ts'
import type { Client } from '../domain/oauth/client.ts'
import type { Organization } from '../domain/organizations/organization.ts'
import { collectionIdOf, type DebitCollection } from '../domain/payments/debit-collection.ts'
import type { Event } from '../domain/webhooks/event.ts'
import { isNamed, spellingsOf, wordsOf } from '../domain/words.ts'
import type { ReadableRecords } from '../ports/store.ts'

export interface FoundClient {
  readonly client: Client
  readonly organizationName: string
}

export interface FoundCollection {
  readonly collection: DebitCollection
  readonly cooperativeName: string
}

export interface FoundRecords {
  readonly organizations: readonly Organization[]
  readonly clients: readonly FoundClient[]
  readonly cooperatives: readonly Cooperative[]
  /** One that has this id, or whose file has it. */
  readonly collections: readonly FoundCollection[]
  readonly events: readonly Event[]
  /** The number of further matches of these kinds. */
  readonly moreRecords: number
}

/** The beginning of an id has at least six characters. */
const idBeginning = /^[0-9a-f][0-9a-f-]{5,35}$/

/** Beginnings of ids are counted by reading, so counting stops at this number. */
export const idsRead = 100

/** The beginning of an id, in lower case; undefined if the text is none. */
export function readIdBeginning(text: string): string | undefined {
  const id = text.trim().toLowerCase()
  return idBeginning.test(id) ? id : undefined
}

/**
 * Organizations, clients and cooperatives are in memory in every engine, because every request needs them.
 * @param limit of each kind
 */
export async function findRecords(
  records: ReadableRecords,
  text: string,
  limit: number,
): Promise<FoundRecords> {
  const beginning = readIdBeginning(text)
  const [organizations, clients, cooperatives, collection, events = []] = await Promise.all([
    records.organizations.list(),
    records.clients.list(),
    records.cooperatives.list(),
    records.debitCollections.get(collectionIdOf(text.trim()) ?? beginning ?? ''),
    beginning === undefined ? undefined : records.events.listByIdPrefix(beginning, idsRead),
  ])
  const wanted = { beginning, end: readShortId(text), words: wordsOf(text) }
  const names = new Map(organizations.map(({ organizationId, name }) => [organizationId, name]))
  const nameOf = ({ cooperativeId }: DebitCollection) =>
    cooperatives.find(({ id }) => id === cooperativeId)?.name ?? ''
  const found = {
    organizations: select(organizations, wanted, (each) => [each.organizationId, each.name]),
    clients: select(clients, wanted, (each) => [each.clientId, each.name ?? '']).map((client) => ({
      client,
      organizationName: names.get(client.organizationId) ?? '',
    })),
    cooperatives: select(cooperatives, wanted, ({ id, name, key }) => [id, `${name} ${key}`]),
    collections: collection ? [{ collection, cooperativeName: nameOf(collection) }] : [],
    events,
  }
  const counts = Object.values(found).map(({ length }) => Math.max(0, length - limit))
  return {
    organizations: found.organizations.slice(0, limit),
    clients: found.clients.slice(0, limit),
    cooperatives: found.cooperatives.slice(0, limit),
    collections: found.collections,
    events: events.slice(0, limit),
    moreRecords: counts.reduce((sum, count) => sum + count, 0),
  }
}

interface Wanted {
  readonly beginning: string | undefined
  readonly end: string | undefined
  readonly words: readonly string[]
}

/** The records with such an id or such a name. Names that have a typed word as a whole come first. */
function select<Stored extends object>(
  stored: readonly Stored[],
  { beginning, end, words }: Wanted,
  identify: (record: Stored) => readonly [id: string, name: string],
): readonly Stored[] {
  const found = stored.flatMap((record) => {
    const [id, name] = identify(record)
    const hasId =
      (beginning !== undefined && id.startsWith(beginning)) ||
      (end !== undefined && id.endsWith(end))
    const spellings = spellingsFor(record, name)
    const hasName = words.length > 0 && isNamed(spellings, words)
    if (!hasId && !hasName) return []
    const isWhole = hasId || words.every((word) => spellings.includes(word))
    return [{ record, name, isWhole }]
  })
  found.sort(
    (left, right) =>
      Number(right.isWhole) - Number(left.isWhole) || left.name.localeCompare(right.name),
  )
  return found.map(({ record }) => record)
}

/** A record never changes, but is replaced, so its spellings are made once. */
const knownSpellings = new WeakMap<object, readonly string[]>()

function spellingsFor(record: object, name: string): readonly string[] {
  const spellings = knownSpellings.get(record) ?? spellingsOf(name)
  knownSpellings.set(record, spellings)
  return spellings
}
