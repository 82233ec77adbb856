import { randomBytes } from 'node:crypto'
import { FetchError, ofetch } from 'ofetch'
import { Problem } from '../domain/problem.ts'
import { type Challenge, isSame, operatorProof } from '../http/operator-signature.ts'
import { tokenRefused, unreachable } from './remote-connection.ts'

interface Endpoint {
  readonly url: string
  readonly token: string
}

/** Which start of the service answers, and its time; fails when it does not know the token, which is not sent. */
export async function requireChallenge({ url, token }: Endpoint): Promise<Challenge> {
  const nonce = randomBytes(16).toString('hex')
  const { instance_id: instanceId, time, proof } = await askIdentity(url, nonce)
  if (typeof instanceId !== 'string' || typeof proof !== 'string') throw noOperatorEndpoint(url)
  if (typeof time !== 'number') throw otherVersion(url)
  if (!isSame(proof, operatorProof(token, { instanceId, time, nonce }))) throw tokenRefused({ url })
  return { instanceId, time }
}

type Claimed = Partial<Record<'instance_id' | 'time' | 'proof', unknown>>

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

function otherVersion(url: string): Problem {
  return new Problem(
    'SERVICE_UNAVAILABLE',
    `The service at ${url} is of a version that does not take signed requests. Use the commands of that version.`,
  )
}
