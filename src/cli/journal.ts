import { Flags } from '@oclif/core'
import { Problem } from '../domain/problem.ts'
import { escapeToOneLine } from '../domain/text.ts'
import type { FeedPage, FollowedRequest } from '../http/request-feed.ts'
import type { ExchangeRow } from '../wire/bench.ts'
import { limitFlag } from './arguments.ts'
import type { Connection } from './connection.ts'
import type { Columns } from './table.ts'

export const exchangeFlags = {
  operation: Flags.string({
    helpValue: 'ID',
    description: 'Only requests with this operation id; `delivery` selects deliveries.',
  }),
  client: Flags.string({ helpValue: 'ID', description: 'Only requests of this client.' }),
  direction: Flags.option({
    options: ['partner', 'delivery'] as const,
    description: 'Only requests of partners, or only deliveries.',
  })(),
  limit: limitFlag(),
}

/** The query with its question mark; empty if nothing is given. */
export function queryOf(given: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size === 0 ? '' : `?${query}`
}

export const exchangeColumns: Columns<ExchangeRow> = {
  NO: ({ sequence }) => sequence,
  AT: ({ at }) => at,
  OPERATION: ({ operation, method }) => operation ?? method,
  PATH: ({ path }) => path,
  STATUS: ({ status }) => status,
  CODE: ({ code }) => code,
  CONTRACT: ({ contract }) => contract.verdict,
}

type Send = NonNullable<Connection['send']>

/** The wait is short, because a service that stops waits for the answer. */
const wait = '3s'

/** Yields the requests of partners from now on. With the bench, it also yields deliveries and all content. */
export async function* followRequests(
  send: Send,
  organization: string | undefined,
): AsyncGenerator<FollowedRequest | ExchangeRow> {
  const query = new URLSearchParams({ wait })
  if (organization !== undefined) query.set('organization', await idOf(send, organization))
  yield* (await hasBench(send)) ? followJournal(send, query) : followFeed(send, query)
}

async function* followFeed(send: Send, query: URLSearchParams): AsyncGenerator<FollowedRequest> {
  let { next } = (await send('GET', '/requests')) as FeedPage
  for (;;) {
    query.set('after', String(next))
    const answer = (await send('GET', `/requests?${query}`)) as FeedPage
    next = answer.next
    yield* answer.requests
  }
}

async function* followJournal(send: Send, query: URLSearchParams): AsyncGenerator<ExchangeRow> {
  const [last] = (await send('GET', '/bench/journal?limit=1')) as readonly ExchangeRow[]
  let after = last?.sequence ?? 0
  for (;;) {
    query.set('after', String(after))
    const exchanges = (await send('GET', `/bench/journal?${query}`)) as readonly ExchangeRow[]
    after = exchanges.at(-1)?.sequence ?? after
    yield* exchanges
  }
}

async function hasBench(send: Send): Promise<boolean> {
  try {
    await send('GET', '/bench/clock')
    return true
  } catch (error) {
    const isOff = ['BENCH_OFF', 'TESTING_AID_IN_PRODUCTION'] as readonly string[]
    if (error instanceof Problem && isOff.includes(error.code)) return false
    throw error
  }
}

async function idOf(send: Send, organization: string): Promise<string> {
  const found = await send('POST', '/operations/organization.show', { organization })
  return String((found as { readonly organization_id: string }).organization_id)
}

export function renderLine(request: FollowedRequest | ExchangeRow): string {
  const { at, operation, method, status, code, client_id, duration_ms } = request
  const place = 'route' in request ? request.route : request.path
  const what = operation ?? `${method} ${place}`
  const whom = client_id ?? ('webhook_endpoint_id' in request && request.webhook_endpoint_id)
  const parts = [at, status ?? 'no answer', code, what, `${duration_ms} ms`, whom]
  return escapeToOneLine(parts.filter(Boolean).join('  '))
}
