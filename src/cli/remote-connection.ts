import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Problem, type ProblemCode } from '../domain/problem.ts'
import {
  authorityOf,
  type Challenge,
  digestOf,
  renderSigned,
  signatureOf,
} from '../http/operator-signature.ts'
import { ForgedAnswer, openAnswer, signedAnswerType } from '../http/signed-answer.ts'
import type { Environment } from '../usecases/service.ts'
import type { Challenges } from './challenges.ts'
import type { Connection } from './connection.ts'
import { parseRows } from './parse-rows.ts'

export interface Peer {
  readonly url: string
  readonly token: string
  readonly environment: Environment
  /** Of each call; when undefined, the five minutes that `fetch` waits for the head of an answer. */
  readonly timeoutMs?: number | undefined
}

/** Runs operations on a service that is running, through its operator endpoint. The token is not sent: requests are signed with it. */
export function createRemoteConnection(peer: Peer, challenges: Challenges): Connection {
  return {
    call: async (name, input) => {
      const body = JSON.stringify(input)
      const answer = await request({ peer, challenges }, `/operations/${name}`, body)
      return parse(await buffer(answer)) as never
    },
    list: (name, input) => readList({ peer, challenges }, name, input) as never,
    backup: () => readBackup({ peer, challenges }),
    close: async () => {},
  }
}

interface Channel {
  readonly peer: Peer
  readonly challenges: Challenges
}

async function* readList(
  channel: Channel,
  name: string,
  input: unknown,
): AsyncGenerator<readonly unknown[]> {
  yield* parseRows(await request(channel, `/operations/${name}`, JSON.stringify(input)))
}

async function* readBackup(channel: Channel): AsyncIterable<Uint8Array> {
  yield* await request(channel, '/store/backup')
}

/** The content of the answer, of which every part that comes is genuine; a refusal is thrown. With a body it is a POST. */
async function request(
  { peer, challenges }: Channel,
  path: string,
  body?: string,
): Promise<AsyncIterable<Uint8Array>> {
  const method = body === undefined ? 'GET' : 'POST'
  const signed = sign(peer, await challenges.current(), { method, path, body })
  const answer = await send(peer, path, { method, headers: signed.headers, ...(body && { body }) })
  const { status, headers } = answer
  if (headers.get('content-type') !== signedAnswerType) throw unproven(peer, status)
  const answered = { token: peer.token, signature: signed.signature, status }
  const content = tellingFaults(peer, openAnswer(answered, answer.body ?? nothing()))
  if (answer.ok) return content
  if (status === 503) challenges.forget()
  throw problemOf(parse(await buffer(content)), peer)
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function sign(peer: Peer, challenge: Challenge, asked: Asked) {
  const { token, environment } = peer
  const { method, path, body = '' } = asked
  const request = {
    ...challenge,
    authority: authorityOf(peer.url),
    nonce: randomBytes(16).toString('hex'),
    digest: digestOf(body),
  }
  const signature = signatureOf(token, { ...request, method, path, environment })
  const headers = {
    authorization: renderSigned({ request, signature }),
    'coopshare-environment': environment,
    'content-type': 'application/json',
  }
  return { signature, headers }
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
}

async function send(peer: Peer, path: string, init: RequestInit): Promise<Response> {
  const { url, timeoutMs } = peer
  const signal = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs)
  return fetch(`${url}${path}`, { ...init, signal, redirect: 'error' }).catch((error) => {
    throw unreachable(peer, error)
  })
}

async function* tellingFaults(
  peer: Peer,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    throw error instanceof ForgedAnswer ? unproven(peer, undefined) : cutOff(peer, error)
  }
}

function parse(content: Buffer): unknown {
  return content.length === 0 ? undefined : JSON.parse(content.toString())
}

interface ProblemDetails {
  readonly code?: ProblemCode
  readonly detail?: string
  readonly errors?: Readonly<Record<string, string>>
  readonly trace_id?: string
}

function problemOf(told: unknown, peer: Peer): Error {
  const { code, detail, errors, trace_id }: ProblemDetails = Object(told)
  if (code && detail) return new Problem(code, detail, errors && { errors })
  const reason = trace_id
    ? `its log says why, with the requestId ${trace_id}.`
    : (detail ?? 'it does not say why.')
  return new Error(`The service at ${peer.url} failed: ${reason}`)
}

/** Not signed, so anybody between here and the service can have written it. */
function unproven(peer: Peer, status: number | undefined): Problem {
  if (status === 401) return tokenRefused(peer)
  const answer = status === undefined ? 'A part of the answer' : `The answer (${status})`
  return new Problem(
    'SERVICE_UNAVAILABLE',
    `${answer} is not shown to come from the service at ${peer.url}. Something in between may have written it, and what you asked for may be done.`,
  )
}

export function unreachable(peer: Pick<Peer, 'url'>, cause: Error): Problem {
  return new Problem('SERVICE_UNAVAILABLE', `No service answers at ${peer.url}. Is it running?`, {
    cause,
  })
}

/** After the head of an answer, a fault is of its body. */
function cutOff(peer: Peer, cause: unknown): Problem {
  const message = `The service at ${peer.url} has gone in the middle of its answer. What it was asked for may be done.`
  return new Problem('SERVICE_UNAVAILABLE', message, { cause })
}

export function tokenRefused(peer: Pick<Peer, 'url'>): Problem {
  return new Problem(
    'UNAUTHENTICATED',
    `The service at ${peer.url} refuses the operator token. Set COOPSHARE_OPERATOR_TOKEN to the one in its control.json.`,
  )
}
