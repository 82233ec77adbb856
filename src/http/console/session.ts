import { deleteCookie, getCookie, type H3Event, setCookie } from 'h3'
import { LRUCache } from 'lru-cache'
import { boolean, enums, type Infer, is, object, string } from 'superstruct'
import {
  type ActingOperator,
  localAdministrator,
  type Operator,
} from '../../domain/operators/operator.ts'
import type { Invited } from '../../domain/operators/sign-in-link.ts'
import { Problem } from '../../domain/problem.ts'
import { type Encrypted, parseUrl } from '../../domain/text.ts'
import { randomBytes } from '../../machine/random.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Vault } from '../../ports/vault.ts'
import { digestOf, isEqualInConstantTime } from '../operator-signature.ts'
import { isOwnAuthority, type ListenerNames } from '../verify-signed-requests.ts'

/** Who is signed in. */
export interface SignedIn {
  readonly operator: ActingOperator
  readonly csrf: string
}

export interface SessionOptions extends ListenerNames {
  readonly instanceId: string
  /** The token of the service itself. */
  readonly token: string
  readonly clock: Clock
  readonly vault: Vault
  /** The holder of a token. */
  authenticate(token: string): Promise<ActingOperator | undefined>
  /** A named operator, who may have been disabled. */
  findOperator(operatorId: string): Promise<Operator | undefined>
  /** Whom the link with this code signs in. Nobody can use it again. */
  useLink(code: string): Invited | undefined
  /** Ends all sessions of a named operator on all instances. */
  endSessions(operatorId: string): Promise<void>
}

const validSeconds = 12 * 3600

/** The content of the cookie, encrypted. Nothing of a session is stored, so any instance accepts the cookie of a named operator. */
const sessionShape = object({
  purpose: enums(['console session']),
  id: string(),
  operatorId: string(),
  tokenDigest: string(),
  csrf: string(),
  instanceId: string(),
  startedAt: string(),
  /** The operator's value when the session began. */
  sessionsEndedAt: string(),
  isSecure: boolean(),
})

type Session = Infer<typeof sessionShape>

export class Sessions {
  readonly #options: SessionOptions
  readonly #isSecure: boolean
  readonly #localDigest: string
  /** Sessions that were ended here. If the store accepts writes, sessions of named operators also end in the store. */
  readonly #ended = new LRUCache<string, true>({ max: 10_000, ttl: validSeconds * 1000 })

  constructor(options: SessionOptions) {
    this.#options = options
    this.#isSecure = options.baseUrl.startsWith('https:')
    this.#localDigest = digestOf(options.token)
  }

  /** Throws UNAUTHENTICATED if the token is not valid. */
  async begin(event: H3Event, token: string): Promise<ActingOperator> {
    const operator = await this.#options.authenticate(token)
    if (!operator) throw new Problem('UNAUTHENTICATED', 'This token is not valid.')
    return this.#begin(event, operator, digestOf(token))
  }

  /** Throws UNAUTHENTICATED if the code of the link was used, is too old, or its operator may not sign in any more. */
  async beginByLink(event: H3Event, code: string): Promise<ActingOperator> {
    const invited = this.#options.useLink(code)
    if (invited && isLocal(invited)) {
      return this.#begin(event, localAdministrator, this.#localDigest)
    }
    const operator = invited && (await this.#findNamed(invited))
    if (!operator) throw new Problem('UNAUTHENTICATED', 'This link is not valid any more.')
    return this.#begin(event, operator, invited.tokenDigest)
  }

  async #begin(
    event: H3Event,
    operator: ActingOperator,
    tokenDigest: string,
  ): Promise<ActingOperator> {
    const stored = await this.#options.findOperator(operator.operatorId)
    const session: Session = {
      purpose: 'console session',
      id: randomBytes(16).toString('hex'),
      operatorId: operator.operatorId,
      tokenDigest,
      csrf: randomBytes(32).toString('base64url'),
      instanceId: this.#options.instanceId,
      startedAt: this.#options.clock.now(),
      sessionsEndedAt: stored?.sessionsEndedAt ?? '',
      isSecure: this.#isSecure,
    }
    setCookie(event, this.#cookieFor(event), this.#options.vault.encrypt(JSON.stringify(session)), {
      ...this.#attributes(),
      maxAge: validSeconds,
    })
    return operator
  }

  /** Clears the cookie, and refuses copies of it on this instance. No store is needed. */
  end(event: H3Event): void {
    deleteCookie(event, this.#cookieFor(event), this.#attributes())
    const session = this.read(event)
    if (session) this.#ended.set(session.id, true)
  }

  /** Ends all sessions of a named operator on all instances. */
  async endAll({ operatorId }: ActingOperator): Promise<void> {
    if (!isLocal({ operatorId })) await this.#options.endSessions(operatorId)
  }

  /** Asks for the operator each time, so that a replaced token or a disabled operator is signed out immediately. */
  async find(event: H3Event): Promise<SignedIn | undefined> {
    const session = this.read(event)
    if (!session || this.#ended.has(session.id)) return undefined
    const operator = isLocal(session) ? this.#findLocal(session) : await this.#findNamed(session)
    return operator && { operator, csrf: session.csrf }
  }

  #findLocal({ tokenDigest, instanceId }: Session): ActingOperator | undefined {
    const isHere = instanceId === this.#options.instanceId && tokenDigest === this.#localDigest
    return isHere ? localAdministrator : undefined
  }

  async #findNamed(session: Invited): Promise<ActingOperator | undefined> {
    const operator = await this.#options.findOperator(session.operatorId)
    if (operator?.state !== 'active' || operator.tokenDigest !== session.tokenDigest)
      return undefined
    const { operatorId, name, role, sessionsEndedAt = '' } = operator
    return sessionsEndedAt === session.sessionsEndedAt ? { operatorId, name, role } : undefined
  }

  /** The session in the cookie, which may have ended since. */
  read(event: H3Event): Session | undefined {
    const [encrypted, another] = cookiesOf(event, this.#cookieFor(event))
    // If there are two cookies, a page at another port of this host has set one of them, and
    // nothing says which.
    const session =
      encrypted === undefined || another !== undefined ? undefined : this.#open(encrypted)
    if (!session || session.isSecure !== this.#isSecure) return undefined
    const ageMs = Date.parse(this.#options.clock.now()) - Date.parse(session.startedAt)
    return ageMs < validSeconds * 1000 ? session : undefined
  }

  #open(encrypted: string): Session | undefined {
    try {
      const session: unknown = JSON.parse(
        this.#options.vault.decryptPresent(encrypted as Encrypted),
      )
      return is(session, sessionShape) ? session : undefined
    } catch {
      return undefined
    }
  }

  /** The ports of a host share their cookies, and tunnels can lead from one host to several services. */
  #cookieFor(event: H3Event): string {
    const [, port] = /:(\d+)$/.exec(hostOf(event)) ?? []
    const name = port === undefined ? 'coopshare_session' : `coopshare_session_${port}`
    return this.#isSecure ? `__Host-${name}` : name
  }

  #attributes() {
    return { httpOnly: true, sameSite: 'strict', secure: this.#isSecure, path: '/' } as const
  }
}

/** All cookies with one name: another page of this host could add one with a narrower path. */
function cookiesOf({ req }: H3Event, name: string): readonly string[] {
  const pairs = (req.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : []))
}

function isLocal({ operatorId }: Pick<Session, 'operatorId'>): boolean {
  return operatorId === localAdministrator.operatorId
}

/** A page must not open under a host name of another site that resolves to this machine. */
export function requireOwnHost(event: H3Event, options: ListenerNames): void {
  const host = hostOf(event)
  if (isOwnAuthority(event, withPort(host, options), options)) return
  if (options.names?.includes(host)) return
  throw new Problem(
    'FORBIDDEN',
    `${host} is not a known address of this service. If it leads here, for example through a tunnel or a proxy, start the service with --operator-names ${host}.`,
  )
}

/**
 * A link of another site opens a page. Loaded as an image or in a frame, a page would only let that
 * site measure the answer. Other ports of this host belong to the same site, so the cookie comes
 * with their requests.
 */
export function requireOwnVisit({ req: { headers } }: H3Event): void {
  const site = headers.get('sec-fetch-site') ?? 'none'
  if (['none', 'same-origin'].includes(site) || headers.get('sec-fetch-dest') === 'document') return
  throw new Problem('FORBIDDEN', 'Another page has requested this. Open it in a separate window.')
}

/** A form of another site is refused, even if the browser sends the cookie with it. */
export function requireOwnForm(event: H3Event, options: ListenerNames): void {
  const { headers } = event.req
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isOwnSite = site === null ? origin !== null : site === 'same-origin'
  if (isOwnSite && (origin === null || isOwnOrigin(origin, event, options))) return
  throw foreignForm()
}

export function requireOwnCsrf({ csrf }: Pick<SignedIn, 'csrf'>, given: string | null): void {
  if (given === null || !isEqualInConstantTime(given, csrf)) throw foreignForm()
}

function foreignForm(): Problem {
  return new Problem(
    'FORBIDDEN',
    'The form does not come from this page. Open the page again and repeat what you did.',
  )
}

function hostOf({ req, url, runtime }: H3Event): string {
  // RFC 9112 3.2.2: if the target is a whole URL, its host counts.
  const isWhole = runtime?.node?.req.url?.startsWith('/') === false
  const host = isWhole ? undefined : req.headers.get('host')
  return (host ?? url.host).toLowerCase()
}

function isOwnOrigin(origin: string, event: H3Event, { baseUrl }: ListenerNames): boolean {
  const { protocol, host } = parseUrl(origin) ?? {}
  if (host === undefined || host !== hostOf(event)) return false
  if (protocol === new URL(baseUrl).protocol) return true
  // Behind another name there may be a proxy, which may add TLS but not remove it.
  return protocol === 'https:' && !isOwnAuthority(event, withPort(host, { baseUrl }), { baseUrl })
}

function withPort(host: string, { baseUrl }: ListenerNames): string {
  if (/:\d+$/.test(host)) return host
  const { protocol, port } = new URL(baseUrl)
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`
}

const languageCookie = 'coopshare_language'

export function readLanguage(event: H3Event): string | undefined {
  return getCookie(event, languageCookie)
}

export function keepLanguage(event: H3Event, language: string): void {
  const maxAge = 365 * 24 * 3600
  setCookie(event, languageCookie, language, { httpOnly: true, sameSite: 'lax', path: '/', maxAge })
}
