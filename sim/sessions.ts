import type { Ledger, Organization, RecordedCall } from './ledger.ts'
import type { Answer, Call } from './service.ts'
import type { World } from './world.ts'

const tokenMs = 870_000

export interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: string | object
  readonly headers?: Readonly<Record<string, string>>
  readonly recorded?: RecordedCall
}

/** Gets tokens for the partners and sends requests with them. */
export class Sessions {
  readonly #world: World
  readonly #ledger: Ledger

  constructor(world: World, ledger: Ledger) {
    this.#world = world
    this.#ledger = ledger
  }

  /**
   * Resolves with undefined if there is no valid token, or if the outcome of the request is
   * unknown.
   */
  async ask(organization: Organization, asked: Asked): Promise<Answer | undefined> {
    const token = await this.#tokenOf(organization)
    if (token === undefined) return undefined
    const { method, path, body, headers, recorded } = asked
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const call: Call = {
      method,
      path,
      reached: recorded && reachedBy(recorded),
      body: typeof body === 'object' ? JSON.stringify(body) : body,
      headers: {
        authorization: `Bearer ${token}`,
        'x-forwarded-for': organization.address,
        ...json,
        ...headers,
      },
    }
    const answer = await this.#world.call('partners', call)
    if (answer) this.#requireOwn(organization, call, answer)
    // The token was revoked or has expired, so the next request gets a new one.
    if (answer?.status === 401) {
      organization.token = undefined
      return undefined
    }
    return answer
  }

  async #tokenOf(organization: Organization): Promise<string | undefined> {
    const { loop } = this.#world
    if (organization.token && loop.nowMs - organization.tokenMs < tokenMs) return organization.token
    const [secret] = organization.secrets
    const pair = Buffer.from(`${organization.clientId}:${secret?.secret}`).toString('base64')
    const headers = {
      authorization: `Basic ${pair}`,
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': organization.address,
    }
    const body = 'grant_type=client_credentials'
    const asked = loop.nowMs
    const answer = await this.#world.call('partners', {
      method: 'POST',
      path: '/oauth2/token',
      headers,
      body,
    })
    if (answer?.status !== 200) {
      // The secret may have been replaced and revoked while the request was under way.
      const isCurrent = organization.secrets[0] === secret
      if (isCurrent && answer && answer.status < 500 && answer.status !== 429)
        unexpected(this.#world, 'a token', answer)
      return undefined
    }
    organization.token = String(answer.body.access_token)
    organization.tokenMs = asked
    organization.firstToken ??= { token: organization.token, atMs: loop.nowMs }
    return organization.token
  }

  /** An answer to one organization must never have an id of another. */
  #requireOwn({ organizationId, name }: Organization, { path }: Call, { text }: Answer): void {
    for (const [id] of text.matchAll(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
    )) {
      const owner = this.#ledger.owners.get(id)
      if (owner === undefined || owner === organizationId || path.includes(id)) continue
      this.#world.violate(`an answer to ${name} has an id of another organization: ${path}`)
    }
  }
}

export function unexpected(world: World, what: string, { status, text }: Answer): void {
  if (status === 429) return
  world.violate(`${what} is answered with ${status}: ${text.slice(0, 300)}`)
}

export function reachedBy(call: RecordedCall): () => void {
  return () => {
    call.isReached = true
  }
}
