// Fuzzes every route of the partner API and of the operator endpoint in a simulated world without
// other faults.
import { parse } from 'yaml'
import { Dice } from '../dice.ts'
import { Ledger } from '../ledger.ts'
import { Operators } from '../operators.ts'
import { Partners } from '../partner.ts'
import { type Call, operatorToken } from '../service.ts'
import { World } from '../world.ts'
import { mutateBytes, mutateValue, oddText } from './mutate.ts'
import { type Sample, Samples } from './samples.ts'

type Door = 'partners' | 'operators'

/** A request as it is kept in the corpus. */
export interface FuzzedRequest {
  readonly door: Door
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** In base64. */
  readonly body: string | null
}

export interface FuzzResult {
  readonly tried: number
  readonly statuses: Readonly<Record<string, number>>
  readonly findings: readonly { readonly fault: string; readonly input: unknown }[]
}

/** A request that needs more CPU time than this makes the requests behind it wait too long. */
const longestMs = 3000
/**
 * A pause after each request, so that the service does not refuse requests because of their rate.
 */
const restMs = 400
const stack = /\n\s+at [\w<#.]|node_modules|\/src\/\w+\//

const pages: readonly string[] = ['/', '/console.css', '/sign-in', '/actions', '/metrics']

export async function fuzzRequests(seed: number, count: number): Promise<FuzzResult> {
  const fuzzing = await RequestFuzzing.begin(seed)
  for (let number = 0; number < count && fuzzing.isSound; number += 1) await fuzzing.tryOne()
  return fuzzing.end()
}

/** Repeats requests that were once answered wrongly. */
export async function replayRequests(requests: readonly FuzzedRequest[]): Promise<FuzzResult> {
  const fuzzing = await RequestFuzzing.begin(1)
  for (const request of requests) await fuzzing.send(fuzzing.fill(request))
  return fuzzing.end()
}

class RequestFuzzing {
  readonly #world: World
  readonly #dice: Dice
  readonly #ids = new Map<string, string>()
  readonly #samples = new Map<Door, Samples>()
  readonly #findings: { fault: string; input: unknown }[] = []
  readonly #statuses: Record<string, number> = {}
  #token = ''
  #tried = 0

  private constructor(seed: number) {
    this.#dice = new Dice(seed, 6)
    this.#world = new World(seed, new Set())
  }

  static async begin(seed: number): Promise<RequestFuzzing> {
    const made = new RequestFuzzing(seed)
    await made.#setUp()
    return made
  }

  get isSound(): boolean {
    return this.#findings.length === 0
  }

  async #setUp(): Promise<void> {
    const world = this.#world
    const ledger = new Ledger()
    const partners = new Partners(world, ledger)
    await world.drive(world.start())
    await world.drive(new Operators(world, ledger, partners).setUp(this.#dice))
    const [organization] = ledger.organizations
    const [cooperative] = ledger.cooperatives
    if (!organization || !cooperative) throw new Error('Nothing is set up.')
    await world.drive(partners.provision(organization, this.#dice))
    const [investor] = organization.investors
    if (!investor) throw new Error('There is no investor.')
    const order = partners.newOrder(investor, this.#dice)
    await world.drive(partners.place(order, this.#dice))
    this.#token = organization.token ?? ''
    const ids = { cooperative_id: cooperative.cooperativeId, investor_id: investor.investorId }
    for (const [name, id] of Object.entries({ ...ids, share_purchase_id: order.sharePurchaseId })) {
      this.#ids.set(name, String(id))
    }
    this.#samples.set('partners', new Samples(await this.#read('partners', '/openapi.yaml')))
    this.#samples.set(
      'operators',
      new Samples(await this.#read('operators', '/openapi/operator.json')),
    )
  }

  async #read(door: Door, path: string): Promise<Record<string, unknown>> {
    const answer = await this.#world.drive(this.#world.call(door, { method: 'GET', path }))
    return parse(answer?.text ?? '') as Record<string, unknown>
  }

  async tryOne(): Promise<void> {
    const door = this.#dice.chance(0.7) ? 'partners' : 'operators'
    await this.send(this.#mutate(this.#make(door)))
  }

  /** Replaces the placeholders of a request by the ids and tokens of this world. */
  fill({ path, headers, ...request }: FuzzedRequest): FuzzedRequest {
    const filled = Object.entries(headers).map(([name, value]) => [name, this.#fillText(value)])
    return { ...request, path: this.#fillText(path), headers: Object.fromEntries(filled) }
  }

  #fillText(text: string): string {
    const values = { ...Object.fromEntries(this.#ids), token: this.#token, operatorToken }
    return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
      name in values ? String(values[name as keyof typeof values]) : whole,
    )
  }

  #make(door: Door): FuzzedRequest {
    const dice = this.#dice
    const page = { method: 'GET', path: dice.pick(pages) ?? '/', query: [], body: undefined }
    const samples = this.#samples.get(door)
    const documented = (samples?.all ?? []).filter(({ path }) => path !== '/docs')
    const sample: Sample = dice.chance(0.05) ? page : (dice.pick(documented) ?? page)
    const { method, path, query } = sample
    const json = sample.body && samples ? samples.make(dice, sample.body) : undefined
    const chosen = query
      .filter(() => dice.chance(0.3))
      .map((name) => `${name}=${this.#queryValue()}`)
    const headers: Record<string, string> = {
      authorization: `Bearer {${door === 'partners' ? 'token' : 'operatorToken'}}`,
      'x-forwarded-for': `203.0.113.${dice.below(256)}`,
      'idempotency-key': dice.pick(['a', 'b', 'c', oddText(dice)]) ?? 'a',
    }
    if (json !== undefined) headers['content-type'] = 'application/json'
    const body = json === undefined ? null : this.#writeJson(json)
    const wholePath = `${path}${chosen.length > 0 ? `?${chosen.join('&')}` : ''}`
    return this.fill({ door, method, path: wholePath, headers, body })
  }

  #queryValue(): string {
    const dice = this.#dice
    return dice.chance(0.5) ? String(dice.below(5)) : encodeURIComponent(wellFormed(oddText(dice)))
  }

  #writeJson(json: unknown): string {
    const dice = this.#dice
    let value = json
    while (dice.chance(0.6)) value = mutateValue(dice, value)
    let bytes = Buffer.from(JSON.stringify(value) ?? '')
    if (dice.chance(0.15)) bytes = mutateBytes(dice, bytes) as typeof bytes
    return bytes.toString('base64')
  }

  #mutate(request: FuzzedRequest): FuzzedRequest {
    const dice = this.#dice
    const { headers } = request
    const way = dice.weigh({ nothing: 6, path: 2, method: 0.5, header: 3, token: 1, type: 0.5 })
    if (way === 'path') {
      const path = mutateBytes(dice, Buffer.from(request.path.slice(1))).toString('latin1')
      return { ...request, path: `/${path}` }
    }
    if (way === 'method') {
      const method = dice.pick(['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST', 'GET', 'BREW'])
      return { ...request, method: method ?? 'GET' }
    }
    if (way === 'token') {
      const { authorization = '' } = headers
      const changed = dice.chance(0.3)
        ? ''
        : mutateBytes(dice, Buffer.from(authorization)).toString('latin1')
      return { ...request, headers: { ...headers, authorization: changed } }
    }
    if (way === 'nothing') return request
    const names = ['accept', 'accept-language', 'if-none-match', 'range', 'origin', 'cookie']
    const name = way === 'type' ? 'content-type' : (dice.pick([...names, 'x-forwarded-for']) ?? '')
    return { ...request, headers: { ...headers, [name]: wellFormed(oddText(dice)) } }
  }

  async send(request: FuzzedRequest): Promise<void> {
    const { door, method, path } = request
    const body =
      request.body === null ? undefined : Uint8Array.from(Buffer.from(request.body, 'base64'))
    const call: Call = { method, path, headers: request.headers, body }
    // A `Request` cannot express everything that a socket can deliver.
    if (!isRequest(call)) return
    this.#tried += 1
    const world = this.#world
    const before = process.cpuUsage()
    const answer = await world.drive(world.call(door, call)).catch((error: Error) => {
      this.#find(`no answer: ${error.message}`, request)
      return undefined
    })
    const { user, system } = process.cpuUsage(before)
    await world.drive(world.loop.pause(restMs))
    for (const fault of world.violations.splice(0)) this.#find(fault, request)
    if (!answer) return
    const { status, text } = answer
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1
    if ((user + system) / 1000 > longestMs) this.#find('the answer takes too long', request)
    if (status >= 400 && stack.test(text)) this.#find('the answer shows a stack', request)
    if (this.#isOpen(request, status)) this.#find(`without a token it answers ${status}`, request)
  }

  /** Whether the service has answered a private path without a valid token. */
  #isOpen({ door, path, headers }: FuzzedRequest, status: number): boolean {
    const { pathname } = new URL(path, 'http://127.0.0.1')
    const isPrivate = /^\/(v1|operations)\//.test(pathname)
    const token = door === 'partners' ? this.#token : operatorToken
    return isPrivate && status < 400 && !headers['authorization']?.includes(token)
  }

  #find(fault: string, input: unknown): void {
    this.#findings.push({ fault, input })
  }

  end(): FuzzResult {
    if (this.#world.service) this.#world.service.process.isDead = true
    return { tried: this.#tried, statuses: this.#statuses, findings: this.#findings }
  }
}

/** Replaces lone surrogates, which encodeURIComponent and headers refuse. */
function wellFormed(text: string): string {
  return Buffer.from(text)
    .toString('utf8')
    .replaceAll(/[^\x20-\x7e]/g, '?')
}

function isRequest({ method, path, headers = {}, body }: Call): boolean {
  try {
    new Request(`http://127.0.0.1${path}`, { method, headers, body: body ?? null })
    return true
  } catch {
    return false
  }
}
