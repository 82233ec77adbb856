// Fuzzes all routes of the partner API, the operator endpoint and the console, with many requests in
// flight at a time.
import { parse } from 'yaml'
import { Dice } from '../dice.ts'
import { operatorToken } from '../service.ts'
import { type FuzzedRequest, type Made, RequestMaker } from './make-request.ts'
import { Names } from './names.ts'
import { type Finding, type FuzzResult, showsStack } from './result.ts'
import { Samples } from './samples.ts'
import { type Door, FuzzedService, origins } from './service.ts'

export interface Answered {
  readonly status: number
  readonly code: string
  readonly text: string
}

/** A request with this CPU time counts as a hang, because all other requests wait for it. */
const longestMs = 3000
const inFlight = 64
/** The number of requests before the partner is replaced, because operations may have removed it. */
const perPartner = 1280
/** If more requests in flight are refused, the token has become invalid or has no scopes. */
const mostRefused = inFlight / 10
/** The fuzzer does not parse longer answers. */
const longestText = 20_000
const isPrivate: Readonly<Record<Door, RegExp>> = {
  partners: /^\/v1\//,
  operators: /^\/(operations|bench|store|requests|metrics)\b/,
}

let documents: Readonly<Record<Door, Samples>> | undefined

export async function fuzzRequests(seed: number, count: number): Promise<FuzzResult> {
  const before = process.cpuUsage()
  const fuzzing = await RequestFuzzing.begin(seed)
  while (fuzzing.tried < count && fuzzing.isSound) await fuzzing.tryMany()
  const result = await fuzzing.end()
  const { user, system } = process.cpuUsage(before)
  return { ...result, cpuMs: (user + system) / 1000 }
}

export class RequestFuzzing {
  readonly names = new Names()
  tried = 0
  readonly #service: FuzzedService
  readonly #dice: Dice
  #maker: RequestMaker | undefined
  readonly #findings: Finding[] = []
  readonly #outcomes = new Map<string, number>()
  readonly #reached = new Set<string>()
  #partners = 0
  #tillNext = 0
  #refused = 0

  private constructor(seed: number, service: FuzzedService) {
    this.#dice = new Dice(seed, 6)
    this.#service = service
    this.names.set('operatorToken', operatorToken)
  }

  static async begin(seed: number): Promise<RequestFuzzing> {
    const made = new RequestFuzzing(seed, await FuzzedService.begin(seed))
    documents ??= {
      partners: new Samples(await made.#read('partners', '/openapi.yaml')),
      operators: new Samples(await made.#read('operators', '/openapi/operator.json')),
    }
    made.#maker = new RequestMaker(made.#dice, made.names, documents)
    await made.#welcome()
    return made
  }

  get isSound(): boolean {
    return this.#findings.length === 0
  }

  async #read(door: Door, path: string): Promise<Record<string, unknown>> {
    const { text } = await this.#require(door, { method: 'GET', path })
    return parse(text) as Record<string, unknown>
  }

  /** Creates a partner with everything that its requests need, and signs in to the console. */
  async #welcome(): Promise<void> {
    this.#partners += 1
    this.#tillNext = perPartner
    const { names } = this
    // Changed requests create organizations and cooperatives, too, so that a plain number may be taken.
    const mark = `${this.#partners}-${this.#dice.word()}`
    const name = `Partner ${mark}`
    const organization = await this.#operate('organization.create', { name })
    const client = await this.#operate('client.create', { organization: name })
    const key = `coop-${mark}`
    const price = { energy_category: 'solar', share_price: '100.00', published: true }
    const cooperative = await this.#operate('cooperative.create', { key, name: key, ...price })
    const url = `https://receiver-${this.#partners}.example/hooks`
    const endpoint = await this.#operate('webhook.register', { organization: name, url })
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: String(client['client_id']),
      client_secret: String(client['client_secret']),
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const path = '/oauth2/token'
    const request = { method: 'POST', path, headers, body: form.toString() }
    const token = JSON.parse((await this.#require('partners', request)).text)
    names.set('token', token.access_token)
    for (const each of [organization, client, endpoint]) names.learn(each)
    for (const field of ['organization_id', 'client_id', 'client_secret'] as const)
      names.set(field, String((field === 'organization_id' ? organization : client)[field]))
    names.set('cooperative_id', String(cooperative['id']))
    names.set('key', key)
    names.set('webhook_endpoint_id', String(endpoint['webhook_endpoint_id']))
    await this.#invest(String(cooperative['id']))
    await this.#signIn()
  }

  async #invest(cooperativeId: string): Promise<void> {
    const at = '2026-11-01T12:00:00Z'
    const given = { given: true, given_at: at }
    const reference = `customer-${this.#partners}`
    const investor = await this.#asPartner('/v1/investors', {
      partner_customer_ref: reference,
      email: 'frieda@mail.example',
      profile: {
        first_name: 'Frieda',
        last_name: 'Groß',
        birth_date: '1984-02-29',
        address: { street: 'Allee', house_number: '12', postal_code: '87435', city: 'Kempten' },
        bank_account: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
        consents: { terms: given, privacy: given, data_sharing: given },
      },
    })
    const id = String(investor['investor_id'])
    const order = await this.#asPartner(`/v1/investors/${id}/share-purchases`, {
      cooperative_id: cooperativeId,
      share_count: 3,
      statute_consent_given_at: at,
      sepa_mandate: { signed_at: at, reference: 'MANDATE-1' },
    })
    this.names.set('investor_id', id)
    this.names.set('partner_customer_ref', reference)
    this.names.set('share_purchase_id', String(order['share_purchase_id']))
  }

  async #signIn(): Promise<void> {
    const origin = origins.operators
    const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ token: operatorToken }).toString()
    const answer = this.#request('operators', { method: 'POST', path: '/sign-in', headers, body })
    await this.#service.drive([answer])
    const cookie = (await answer).headers.get('set-cookie')?.split(';')[0] ?? ''
    this.names.set('cookie', cookie)
    const page = await this.#require('operators', { method: 'GET', path: '/', headers: { cookie } })
    this.names.set('csrf', /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '')
  }

  async #operate(name: string, input: object): Promise<Record<string, unknown>> {
    const headers = { authorization: `Bearer ${operatorToken}` }
    const path = `/operations/${name}`
    const request = { method: 'POST', path, headers, body: JSON.stringify(input) }
    return JSON.parse((await this.#require('operators', request)).text)
  }

  async #asPartner(path: string, body: object): Promise<Record<string, unknown>> {
    const headers = {
      authorization: `Bearer ${this.names.first('token')}`,
      'content-type': 'application/json',
      'idempotency-key': `welcome-${this.#partners}`,
    }
    const request = { method: 'POST', path, headers, body: JSON.stringify(body) }
    return JSON.parse((await this.#require('partners', request)).text)
  }

  async #require(door: Door, request: Plain): Promise<Answered> {
    const answering = this.#request(door, request).then((answer) => read(answer, true))
    await this.#service.drive([answering])
    const answer = await answering
    if (answer.status < 400) return answer
    throw new Error(`${request.path} is answered with ${answer.status}: ${answer.text}`)
  }

  #request(door: Door, { method, path, headers = {}, body = null }: Plain): Promise<Response> {
    const request = new Request(`${origins[door]}${path}`, { method, headers, body })
    return this.#service.answer(door, request)
  }

  async tryMany(): Promise<void> {
    const maker = this.#maker
    if (!maker) return
    if (this.#tillNext <= 0 || this.#refused > mostRefused) await this.#welcome()
    this.#tillNext -= inFlight
    this.#refused = 0
    const many: Made[] = []
    while (many.length < inFlight) many.push(maker.make())
    const begun = performance.now()
    await this.#sendAll(many)
    if (performance.now() - begun > longestMs) await this.#findSlow(many)
    await this.#service.rest(this.#dice.between(10, 3000))
    for (const error of this.#service.errors.splice(0)) this.#find(`the log has: ${error}`, null)
  }

  async #sendAll(many: readonly Made[]): Promise<void> {
    const open = new Set<Made>()
    const answering = many.flatMap((made) => {
      const sent = this.#send(made.request)
      if (!sent) return []
      open.add(made)
      return [
        sent.then(
          (answer) => {
            open.delete(made)
            this.#judge(made, answer)
          },
          (error: Error) => {
            open.delete(made)
            this.#find(`no answer: ${error.stack}`, made.request)
          },
        ),
      ]
    })
    const isOver = await this.#service.drive(answering)
    if (!isOver) for (const { request } of open) this.#find('the answer never comes', request)
  }

  /** Finds out which of these requests has delayed the others, if any has. */
  async #findSlow(many: readonly Made[]): Promise<void> {
    for (const made of many) {
      const before = process.cpuUsage()
      await this.#sendAll([made])
      const { user, system } = process.cpuUsage(before)
      const ms = (user + system) / 1000
      if (ms > longestMs) this.#find(`the answer takes ${Math.round(ms)} ms`, made.request)
    }
  }

  /** Returns undefined for a request that only a socket can carry. */
  #send({ door, method, path, headers, body, isBase64 }: FuzzedRequest) {
    const bytes = isBase64 ? Uint8Array.from(Buffer.from(body ?? '', 'base64')) : body
    try {
      const request = new Request(`${origins[door]}${path}`, { method, headers, body: bytes })
      this.tried += 1
      return this.#service.answer(door, request).then((answer) => read(answer))
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
  }

  /** Sends the request once, and judges the answer. */
  async ask(request: FuzzedRequest): Promise<Answered | undefined> {
    const { fill } = this.names
    const filled = {
      ...request,
      path: fill.call(this.names, request.path),
      headers: JSON.parse(fill.call(this.names, JSON.stringify(request.headers))),
      body: request.isBase64 ? request.body : request.body && fill.call(this.names, request.body),
    }
    const answering = this.#send(filled)
    if (!answering) return undefined
    if (!(await this.#service.drive([answering]))) {
      this.#find('the answer never comes', request)
      return undefined
    }
    const answer = await answering
    this.#judge({ route: '', request: filled }, answer)
    return answer
  }

  #judge({ route, request }: Made, answer: Answered): void {
    const { status, code, text } = answer
    const key = `${request.door} ${status} ${code}`
    this.#outcomes.set(key, (this.#outcomes.get(key) ?? 0) + 1)
    if (request.door === 'partners' && (status === 401 || status === 403)) this.#refused += 1
    if (status >= 500 && !isExpected(request, answer)) {
      const logged = this.#service.errors.splice(0).join('\n')
      this.#find(`it is answered with ${status}: ${text.slice(0, 300)} ${logged}`, request)
    }
    if (status >= 400 && showsStack(text)) this.#find('the answer shows a stack trace', request)
    if (this.#isOpen(request, status)) this.#find(`without a token it answers ${status}`, request)
    if (status >= 300) return
    this.#reached.add(route)
    // Most ids are known by this time.
    if (text.startsWith('{') || text.startsWith('[')) {
      if (this.#dice.chance(0.1)) this.names.learn(JSON.parse(text))
    }
  }

  /** Whether a request without a valid token got a successful answer. */
  #isOpen({ door, path, headers }: FuzzedRequest, status: number): boolean {
    if (status >= 400 || !isPrivate[door].test(path)) return false
    const token = door === 'partners' ? this.names.first('token') : operatorToken
    return !headers['authorization']?.includes(token)
  }

  #find(fault: string, input: FuzzedRequest | null): void {
    const { names } = this
    const stripped = input && JSON.parse(names.strip(JSON.stringify(input)))
    this.#findings.push({ fault: names.strip(fault), input: stripped })
  }

  /** Requires that the store is sound after all requests. */
  async end(): Promise<FuzzResult> {
    if (this.isSound) {
      for (const name of ['store.check', 'audit.verify']) {
        const answer = await this.#operate(name, {})
        if (answer['sound'] !== true) this.#find(`${name}: ${JSON.stringify(answer)}`, null)
      }
    }
    this.#service.end()
    return {
      tried: this.tried,
      outcomes: Object.fromEntries(this.#outcomes),
      findings: this.#findings,
      reached: [...this.#reached],
    }
  }
}

interface Plain {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | null
}

/** The answer to an operator who gives an invalid encryption key. */
function isExpected({ path }: FuzzedRequest, { status, code }: Answered): boolean {
  return (
    status === 503 && (code === 'ENCRYPTION_KEY_REFUSED' || /^\/actions\/store\.rekey/.test(path))
  )
}

async function read(response: Response, isWhole = false): Promise<Answered> {
  const { status } = response
  const bytes = Buffer.from(await response.arrayBuffer())
  const isText = isWhole || status >= 400 || bytes.length < longestText
  const text = isText ? bytes.toString('utf8') : ''
  const [, code = ''] = (status >= 400 && /"(?:code|error)":\s?"(\w+)"/.exec(text)) || []
  return { status, code, text }
}
