import { Problem } from '../domain/problem.ts'
import { escapeToOneLine } from '../domain/text.ts'
import type { FeedPage, FollowedRequest } from '../http/request-feed.ts'
import type { ExchangeRow } from '../wire/bench.ts'
import { callBench } from '../wire/bench-calls.ts'
import type { RunningConnection } from './connection.ts'

type Send = RunningConnection['send']

/** The wait is short, because a service that stops waits for the answer. */
const wait = '3s'

/** Yields the requests of partners from now on. With the bench, it also yields deliveries and all content. */
export async function* followRequests(
  send: Send,
  organization: string | undefined,
): AsyncGenerator<FollowedRequest | ExchangeRow> {
  const id = organization === undefined ? undefined : await idOf(send, organization)
  yield* (await hasBench(send)) ? followJournal(send, id) : followFeed(send, id)
}

async function* followFeed(
  send: Send,
  organization: string | undefined,
): AsyncGenerator<FollowedRequest> {
  let { next } = (await send('GET', '/requests')) as FeedPage
  const query = new URLSearchParams({ wait, ...(organization !== undefined && { organization }) })
  for (;;) {
    query.set('after', String(next))
    const answer = (await send('GET', `/requests?${query}`)) as FeedPage
    next = answer.next
    yield* answer.requests
  }
}

async function* followJournal(
  send: Send,
  organization: string | undefined,
): AsyncGenerator<ExchangeRow> {
  const [last] = await callBench(send, 'bench.list_exchanges', { limit: 1 })
  let after = last?.sequence ?? 0
  for (;;) {
    const request = { wait, organization, after }
    const exchanges = await callBench(send, 'bench.list_exchanges', request)
    after = exchanges.at(-1)?.sequence ?? after
    yield* exchanges
  }
}

async function hasBench(send: Send): Promise<boolean> {
  try {
    await callBench(send, 'bench.show_clock', {})
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
