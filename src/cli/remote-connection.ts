import { randomBytes } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import { buffer } from 'node:stream/consumers'
import { Problem } from '../domain/problem.ts'
import type { ProblemCode } from '../domain/problem-code.ts'
import {
  authorityOf,
  type Challenge,
  digestOf,
  ForgedResponse,
  isEqualInConstantTime,
  operatorProof,
  renderSigned,
  signatureOf,
  signedResponseType,
  verifyResponse,
} from '../http/operator-signature.ts'
import { statementFilePath } from '../http/statement-file.ts'
import { hostnameOf, serverNameOf } from '../machine/host-names.ts'
import type { Environment } from '../ports/collections.ts'
import { isOperatorToken, signerOf } from '../usecases/operators/operator-tokens.ts'
import { parseRows, type RunningConnection } from './connection.ts'
import type { Control } from './control-file.ts'

export async function reachNamed(peer: Peer): Promise<RunningConnection> {
  const challenges = cacheChallenge(() => requireChallenge(peer))
  await challenges.current()
  return createRemoteConnection({ peer, challenges })
}

type Bounds = Pick<Peer, 'environment' | 'timeoutMs'>

/**
 * undefined if the service is gone: after a crash, other processes may have got its process id and its port.
 * @param bounds with a token, the caller acts as its operator instead of the local administrator
 */
export async function reachRunning(
  control: Control,
  { token, ...bounds }: Bounds & { readonly token?: string | undefined },
): Promise<RunningConnection | undefined> {
  const tls = { isOwn: true } as const
  const challenges = cacheChallenge(async () => {
    const challenge = await requireChallenge({ ...control, ...bounds, tls })
    if (challenge.instanceId !== control.instanceId)
      throw new Problem(
        'SERVICE_UNAVAILABLE',
        `The service at ${control.url} was restarted. Try again.`,
      )
    return challenge
  })
  const patience = bounds.timeoutMs === undefined ? longestBusy : 1
  if (!(await isAnswering(control, challenges, patience))) return undefined
  if (token !== undefined) return reachNamed({ ...control, ...bounds, tls, token })
  return createRemoteConnection({ peer: { ...control, ...bounds, tls }, challenges })
}

/** The number of times that a command asks a service which is busy. Each takes up to five seconds. */
const longestBusy = 6

/** Throws if the service has taken the question but does not answer. It holds the lock of the store, so it is not gone. */
async function isAnswering(
  control: Control,
  challenges: ChallengeCache,
  patience: number,
): Promise<boolean> {
  try {
    await challenges.current()
    return true
  } catch (error) {
    if (!isTimeout(error)) return false
    if (patience <= 1)
      throw new Problem(
        'SERVICE_UNAVAILABLE',
        `The service at ${control.url} (process ${control.pid}) is running but does not answer. The service may be busy: try again in a moment. If that does not help, look at the service log. The command has done nothing.`,
        { cause: error },
      )
    return isAnswering(control, challenges, patience - 1)
  }
}

function isTimeout(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError') return true
  }
  return false
}

export interface Peer {
  readonly url: string
  readonly token: string
  readonly environment: Environment
  /** The time limit for each call. By default, a call fails if the service is silent for five minutes. */
  readonly timeoutMs?: number | undefined
  readonly tls?: PeerTls | undefined
}

interface PeerTls {
  /** The authority that issued the certificate; undefined for a public authority. */
  readonly ca?: string | undefined
  /** Set for the service in the control file: both sides prove that they know its token, so any certificate is accepted. */
  readonly isOwn?: true
}

interface Sent {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** A service closes connections that are idle for five seconds, so none of these is used again after two. */
const agentOptions = { keepAlive: true, timeout: 2000 }
const clients = {
  http: { client: http, agent: new http.Agent(agentOptions), connected: 'connect' },
  https: { client: https, agent: new https.Agent(agentOptions), connected: 'secureConnect' },
}
const connectMs = 10_000
const silenceMs = 300_000

/** The request was sent, but no answer has come. */
class NoAnswer extends Error {}

/** Does not use `fetch`, which compiles WebAssembly and so makes a command 90 ms slower. */
function exchange(
  { url, tls: { ca, isOwn } = {}, timeoutMs }: Pick<Peer, 'url' | 'tls' | 'timeoutMs'>,
  { path, body, ...sent }: Sent,
): Promise<http.IncomingMessage> {
  const { client, agent, connected } = url.startsWith('https:') ? clients.https : clients.http
  const trust = { ...(ca !== undefined && { ca }), ...(isOwn && { rejectUnauthorized: false }) }
  const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const servername = serverNameOf(hostnameOf(new URL(url)))
  const options = {
    ...sent,
    ...trust,
    servername,
    agent,
    timeout: connectMs,
    ...(signal && { signal }),
  }
  return new Promise((resolve, reject) => {
    const call = client.request(`${url}${path}`, options)
    let isSent = false
    let answer: http.IncomingMessage | undefined
    const send = () => {
      isSent = true
      call.setTimeout(silenceMs)
    }
    const fail = (cause = new Error('The connection was closed.')) =>
      reject(isSent ? new NoAnswer('No answer arrived.', { cause }) : cause)
    call.on('socket', (socket) => (socket.connecting ? socket.once(connected, send) : send()))
    call.on('response', (response) => {
      answer = response
      resolve(response)
    })
    call.on('timeout', () => {
      // The service is not silent if this program reads too slowly.
      if (answer && answer.readableLength > 0) call.setTimeout(silenceMs)
      else call.destroy(new Error('The service is silent.'))
    })
    call.on('error', fail)
    // After an answer that changes the protocol, this is the only event.
    call.on('close', () => fail())
    call.end(body)
  })
}

function isSuccess(status = 0): boolean {
  return status >= 200 && status < 300
}

interface Channel {
  readonly peer: Peer
  readonly challenges: ChallengeCache
}

interface StatementToSend {
  readonly name: string
  readonly text: string
  readonly dry_run?: boolean | undefined
}

/** The token is never sent. Requests are signed with it, or with the key that is derived from an operator's token. */
function createRemoteConnection(channel: Channel): RunningConnection {
  const send: RunningConnection['send'] = async (method, path, body) => {
    const answer = await request(channel, path, body && JSON.stringify(body), method)
    return parse(await buffer(answer))
  }
  const sendStatement = async ({ name, text, dry_run }: StatementToSend) => {
    const query = new URLSearchParams({ name, ...(dry_run && { dry_run: 'true' }) })
    const answer = await request(channel, `${statementFilePath}?${query}`, text)
    return parse(await buffer(answer))
  }
  return {
    call: (name, input) =>
      (name === 'statement.import'
        ? sendStatement(input as StatementToSend)
        : send('POST', `/operations/${name}`, input)) as never,
    list: async function* (name, input) {
      const answer = await request(channel, `/operations/${name}`, JSON.stringify(input))
      yield* parseRows(answer) as AsyncIterable<never>
    },
    backup: async function* () {
      yield* await request(channel, '/store/backup')
    },
    send,
    address: channel.peer.url,
    close: async () => {},
  }
}

/**
 * Yields only authenticated parts of the response. Throws if the service refuses. A request with a body is a POST.
 */
async function request(
  { peer, challenges }: Channel,
  path: string,
  body?: string,
  method = body === undefined ? 'GET' : 'POST',
): Promise<AsyncIterable<Uint8Array>> {
  const signed = sign(peer, await challenges.current(), { method, path, body })
  const sent = { path, method, headers: signed.headers, body }
  const answer = await exchange(peer, sent).catch((error) => {
    if (!(error instanceof NoAnswer)) throw unreachable(peer, error)
    throw new Problem(
      'SERVICE_UNAVAILABLE',
      `The service at ${peer.url} did not answer. If the operation changes something, it may have completed; check before you retry.`,
      { cause: error },
    )
  })
  const { statusCode: status = 0, headers } = answer
  if (headers['content-type'] !== signedResponseType) {
    answer.destroy()
    throw unproven(peer, status)
  }
  const { key } = signerOf(peer.token)
  const answered = { key, signature: signed.signature, status }
  const content = tellingFaults(peer, verifyResponse(answered, answer))
  if (isSuccess(status)) return content
  if (status === 503) challenges.forget()
  throw problemOf(parse(await buffer(content)), peer)
}

function sign(
  peer: Peer,
  challenge: Challenge,
  asked: { readonly method: string; readonly path: string; readonly body: string | undefined },
) {
  const { token, environment } = peer
  const { method, path, body = '' } = asked
  const request = {
    ...challenge,
    authority: authorityOf(peer.url),
    nonce: randomBytes(16).toString('hex'),
    digest: digestOf(body),
  }
  const { operatorId, key } = signerOf(token)
  const signature = signatureOf(key, { ...request, method, path, environment })
  const headers = {
    authorization: renderSigned({ operatorId, request, signature }),
    'coopshare-environment': environment,
    'content-type': 'application/json',
  }
  return { signature, headers }
}

async function* tellingFaults(
  peer: Peer,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    if (error instanceof ForgedResponse) throw unproven(peer, undefined)
    throw new Problem(
      'SERVICE_UNAVAILABLE',
      `Lost the connection to the service at ${peer.url} during its response. The operation may have completed; check before you retry.`,
      { cause: error },
    )
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

function problemOf(answer: unknown, peer: Peer): Error {
  const { code, detail, errors, trace_id }: ProblemDetails = Object(answer)
  if (code && detail) return new Problem(code, detail, errors && { errors })
  const reason = trace_id
    ? `see requestId ${trace_id} in its log.`
    : (detail ?? 'it gave no reason.')
  return new Error(`The service at ${peer.url} failed: ${reason}`)
}

/** Anybody between this program and the service could have written an unsigned response. */
function unproven(peer: Peer, status: number | undefined): Problem {
  if (status === 401) return tokenRefused(peer)
  const answer = status === undefined ? 'Part of the response' : `The response (${status})`
  return new Problem(
    'SERVICE_UNAVAILABLE',
    `${answer} is not signed by the service at ${peer.url}; a proxy may have written it. The operation may have completed; check before you retry.`,
  )
}

function unreachable(peer: Pick<Peer, 'url'>, cause: Error): Problem {
  const fault = certificateFault(cause)
  if (fault) {
    const advice =
      certificateAdvice[fault.code ?? ''] ??
      'If it is your own, give its authority with --operator-ca.'
    const message = `The certificate at ${peer.url} is not trusted: ${fault.message}. ${advice}`
    return new Problem('SERVICE_UNAVAILABLE', message, { cause: fault })
  }
  const message = `No service answers at ${peer.url}. Is it running? If it has a certificate, use https.`
  return new Problem('SERVICE_UNAVAILABLE', message, { cause })
}

/** The fault that TLS reports about a certificate. */
function certificateFault(error: unknown): NodeJS.ErrnoException | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException
    // An alert is about a certificate that the server wants from this program.
    if (/^(?!.*ALERT).*(CERT|SELF_SIGNED|VERIFY_LEAF|ALTNAME)/.test(code ?? '')) return cause
  }
  return undefined
}

const certificateAdvice: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED:
    'Renew the certificate and restart the service, or correct the clock or --operator-ca here.',
  CERT_NOT_YET_VALID: 'Check the clock of this machine.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'In --operator-url, use a name or address of the certificate.',
}

function tokenRefused({ url, token }: Pick<Peer, 'url' | 'token'>): Problem {
  const message = isOperatorToken(token)
    ? `The service at ${url} refuses your operator token: the token was replaced, you are disabled, or the token belongs to another store. Check that you have copied the token exactly, or ask an administrator.`
    : `The service at ${url} refuses the operator token. Check that you have copied your token into COOPSHARE_OPERATOR_TOKEN exactly. Without the variable, commands on the machine of the service use the token in control.json.`
  return new Problem('UNAUTHENTICATED', message)
}

type Endpoint = Pick<Peer, 'url' | 'token' | 'tls' | 'timeoutMs'>

/** Fails if the service does not prove that it knows the token. The token is not sent. */
async function requireChallenge({ url, token, tls, timeoutMs }: Endpoint): Promise<Challenge> {
  const nonce = randomBytes(16).toString('hex')
  const { operatorId: operator, key } = signerOf(token)
  const asked = { nonce, ...(operator !== undefined && { operator }) }
  const { instance_id: instanceId, time, proof } = await askIdentity({ url, tls, timeoutMs }, asked)
  if (typeof instanceId !== 'string' || typeof proof !== 'string' || typeof time !== 'number')
    throw noOperatorEndpoint(url)
  if (!isEqualInConstantTime(proof, operatorProof(key, { instanceId, time, nonce })))
    throw tokenRefused({ url, token })
  return { instanceId, time }
}

const identityMs = 5000

type Claimed = Partial<Record<'instance_id' | 'time' | 'proof', unknown>>

async function askIdentity(
  { url, tls, timeoutMs = identityMs }: Pick<Peer, 'url' | 'tls' | 'timeoutMs'>,
  query: Readonly<Record<string, string>>,
): Promise<Claimed> {
  const path = `/identity?${new URLSearchParams(query)}`
  const bounds = { url, tls, timeoutMs: Math.min(timeoutMs, identityMs) }
  const answer = await exchange(bounds, { path }).catch((error) => {
    throw unreachable({ url }, error)
  })
  try {
    if (isSuccess(answer.statusCode)) return Object(JSON.parse(await readShort(answer)))
  } catch {
    // Another server answers with something else, or not to the end.
  } finally {
    answer.destroy()
  }
  throw noOperatorEndpoint(url)
}

const shortLength = 64 * 1024

async function readShort(answer: http.IncomingMessage): Promise<string> {
  let read = ''
  for await (const part of answer.setEncoding('utf8')) {
    read += part
    if (read.length > shortLength) throw new Error('The answer is too long.')
  }
  return read
}

function noOperatorEndpoint(url: string): Problem {
  return new Problem(
    'SERVICE_UNAVAILABLE',
    `The server at ${url} is not an operator endpoint, so the token was not sent. \`serve\` prints the address of its operator endpoint.`,
  )
}

interface ChallengeCache {
  current(): Promise<Challenge>
  /** Call this if the service may have been restarted. */
  forget(): void
}

/** Shorter than the minute for which the service accepts a challenge. */
const goodForMs = 20_000

function cacheChallenge(ask: () => Promise<Challenge>): ChallengeCache {
  let cached: { readonly challenge: Promise<Challenge>; readonly atMs: number } | undefined
  const forget = () => {
    cached = undefined
  }
  return {
    forget,
    current() {
      const now = performance.now()
      if (!cached || now - cached.atMs > goodForMs) {
        cached = { challenge: ask(), atMs: now }
        cached.challenge.catch(forget)
      }
      return cached.challenge
    },
  }
}
