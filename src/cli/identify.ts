import { randomBytes } from 'node:crypto'
import { FetchError, ofetch } from 'ofetch'
import { Problem } from '../domain/problem.ts'
import { operatorProof } from '../http/operator-proof.ts'
import { tokenRefused, unreachable } from './remote-connection.ts'

interface Endpoint {
  readonly url: string
  readonly token: string
}

/** Which start of the service answers, when it is one that knows the token. The token itself is not sent. */
export async function findInstance(endpoint: Endpoint): Promise<string | undefined> {
  return requireInstance(endpoint).catch(() => undefined)
}

/** Says what is there instead. */
export async function requireInstance({ url, token }: Endpoint): Promise<string> {
  const nonce = randomBytes(16).toString('hex')
  const { instance_id: instanceId, proof } = await askIdentity(url, nonce)
  if (typeof instanceId !== 'string' || typeof proof !== 'string') throw noOperatorEndpoint(url)
  if (proof !== operatorProof(token, { instanceId, nonce })) throw tokenRefused({ url })
  return instanceId
}

type Claimed = Partial<Record<'instance_id' | 'proof', unknown>>

async function askIdentity(url: string, nonce: string): Promise<Claimed> {
  try {
    const query = { nonce }
    const answer = await ofetch(`${url}/identity`, { query, retry: 0, timeout: 5000 })
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    throw error.status === undefined ? unreachable({ url }, error) : noOperatorEndpoint(url)
  }
}

function noOperatorEndpoint(url: string): Problem {
  return new Problem(
    'SERVICE_UNAVAILABLE',
    `What answers at ${url} is not an operator endpoint, so the token was not sent. \`serve\` prints the address of its own.`,
  )
}
