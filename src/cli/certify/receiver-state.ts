import { setTimeout } from 'node:timers/promises'
import type { $Fetch } from 'ofetch'
import { array, is, nullable, optional, string, type } from 'superstruct'
import { openReader } from '../../open-service.ts'

/** What a receiver says of an order at its state URL. */
export interface ReceiverState {
  readonly status: string | null
  /** Ids of the events that it has processed. */
  readonly events: readonly string[]
}

/**
 * A receiver may answer first and process later, so this asks again until `isReached`, or for
 * some seconds. @returns the last state. Throws a `StateFault`.
 */
export type AwaitState = (
  orderId: string,
  isReached: (state: ReceiverState) => boolean,
  patienceMs?: number,
) => Promise<ReceiverState>

/** What the state URL answers is unusable, as a sentence. */
export class StateFault extends Error {}

const usualPatienceMs = 5000
const pauseMs = 100

export function createStateReader(stateUrl: string | undefined): AwaitState {
  let opened: Promise<$Fetch> | undefined
  return async (orderId, isReached, patienceMs = usualPatienceMs) => {
    if (stateUrl === undefined) throw new StateFault('There is no state URL.')
    opened ??= openReader()
    const url = new URL(stateUrl)
    url.searchParams.set('share_purchase_id', orderId)
    const read = readState.bind(undefined, await opened, url)
    const endMs = performance.now() + patienceMs
    let state = await read()
    while (!isReached(state) && performance.now() < endMs) {
      await setTimeout(pauseMs)
      state = await read()
    }
    return state
  }
}

const stateShape = type({ status: optional(nullable(string())), events: array(string()) })

async function readState(fetch: $Fetch, url: URL): Promise<ReceiverState> {
  const { status, text } = await ask(fetch, url)
  if (status === 404) return { status: null, events: [] }
  if (status !== 200) throw new StateFault(`The state URL answered ${status} instead of 200.`)
  const json = parse(text)
  if (!is(json, stateShape)) {
    throw new StateFault(
      'The state URL did not answer {"status": "…", "events": ["id of an event", …]}.',
    )
  }
  return { status: json.status ?? null, events: json.events }
}

async function ask(fetch: $Fetch, url: URL): Promise<{ status: number; text: string }> {
  try {
    const answer = await fetch.raw<string, 'text'>(url.href, {
      responseType: 'text',
      ignoreResponseError: true,
    })
    return { status: answer.status, text: answer._data ?? '' }
  } catch (error) {
    // What ofetch throws names the URL, which may hold a secret.
    const { cause } = error as { readonly cause?: unknown }
    throw new StateFault(
      `The state URL did not answer. ${cause instanceof Error ? cause.message : ''}`.trim(),
    )
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a receiver says, in the sentence of a finding. */
export function quote(text: string | null): string {
  return text === null ? 'unknown' : JSON.stringify(text.slice(0, 60))
}
