// Makes documented requests and requests of the console, and then changes many of them.
import type { Dice } from '../dice.ts'
import { mutateBytes, mutateValue, oddText } from './mutate.ts'
import type { Names } from './names.ts'
import type { Sample, Samples } from './samples.ts'
import { type Door, origins } from './service.ts'

/** A request as the corpus stores it. Values of the world replace the names in braces. */
export interface FuzzedRequest {
  readonly door: Door
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Whether the body is in base64, because it is not text. */
  readonly isBase64?: true
}

export interface Made {
  /** The documented route of the request. */
  readonly route: string
  readonly request: FuzzedRequest
}

type Documents = Readonly<Record<Door, Samples>>
type Weighed = readonly { readonly sample: Sample; readonly until: number }[]

/** Paths with large answers that depend on almost nothing in the request. */
const isFixed = /^\/(docs|openapi|errors|store\/backup|metrics)/
/** Operations that read the whole store. */
const isLong = /^\/operations\/(store|audit|fixtures\.export|cooperative\.export|key\.rotate)/
/** Operations after which the service would refuse the tokens of most requests. */
const isHarsh = /\/(organization|client)\.(disable|delete|set_scopes|revoke_secret)|\/key\.revoke/
/** Paths of the testing aids, which all get the same answer without `--bench`. */
const isBench = /^\/(bench|sandbox)\//

const consolePages: readonly string[] = [
  ...['/', '/orders', '/orders/sums', '/orders/{share_purchase_id}', '/find', '/investors'],
  ...['/investors/{investor_id}', '/audit', '/partners', '/partners/{organization_id}'],
  ...['/catalogue', '/catalogue.xlsx', '/catalogue/{cooperative_id}', '/pictures/{cooperative_id}'],
  ...['/events', '/events/{event_id}', '/live', '/live/requests', '/system', '/console.css'],
]
const consoleQuery: readonly string[] = [
  ...['text', 'status', 'organization', 'cooperative', 'investor', 'since', 'until', 'sort'],
  ...['after', 'limit', 'state', 'type', 'done', 'page', 'wait', 'operator', 'operation', 'actor'],
]
const consoleForms: readonly string[] = [
  ...['/orders', '/orders.csv', '/audit.ndjson', '/investors/{investor_id}/export', '/catalogue'],
  ...['/pictures', '/sign-in', '/language'],
]

const methods = ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST', 'GET', 'BREW']
const headerNames: readonly string[] = [
  ...['accept', 'accept-language', 'if-none-match', 'range', 'origin', 'x-forwarded-for', 'host'],
  ...['accept-encoding', 'content-encoding', 'x-request-id', 'coopshare-environment', 'forwarded'],
  ...['idempotency-key', 'content-type', 'if-modified-since', 'x-forwarded-proto', 'cookie'],
]

export class RequestMaker {
  readonly #dice: Dice
  readonly #names: Names
  readonly #documents: Documents
  readonly #weighed: Readonly<Record<Door, Weighed>>
  readonly #operations: Weighed

  constructor(dice: Dice, names: Names, documents: Documents) {
    this.#dice = dice
    this.#names = names
    this.#documents = documents
    this.#weighed = {
      partners: weigh(documents.partners.all),
      operators: weigh(documents.operators.all),
    }
    const { all } = documents.operators
    this.#operations = weigh(all.filter(({ path }) => path.startsWith('/operations/')))
  }

  make(): Made {
    const dice = this.#dice
    const from = dice.weigh({ partners: 60, operators: 30, console: 10 })
    const made = from === 'console' ? this.#visit() : this.#documented(from)
    return { ...made, request: this.#mutate(made.request) }
  }

  #documented(door: Door): Made {
    const dice = this.#dice
    const sample = pickWeighed(dice, this.#weighed[door])
    const query = this.#query(sample.query)
    const headers: Record<string, string> = {
      authorization: `Bearer ${this.#names.first(door === 'partners' ? 'token' : 'operatorToken')}`,
    }
    if (door === 'partners') {
      headers['x-forwarded-for'] = `203.0.113.${dice.below(256)}`
      if (sample.method === 'POST') headers['idempotency-key'] = this.#key()
    }
    const body = this.#body(door, sample)
    if (body) headers['content-type'] = sample.media ?? 'application/json'
    // The request gets a token instead of credentials.
    if (sample.path === '/oauth2/token') delete headers['authorization']
    const path = `${this.#fillPath(sample.path)}${query}`
    const request = { door, method: sample.method, path, headers, ...textOrBytes(body) }
    return { route: `${sample.method} ${sample.path}`, request }
  }

  #key(): string {
    const dice = this.#dice
    return dice.chance(0.9) ? `key-${dice.below(40)}` : printable(oddText(dice)).slice(0, 300)
  }

  /** Makes a documented request, mostly with ids of this world. */
  #fillPath(path: string): string {
    const dice = this.#dice
    return path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (dice.chance(0.03)) return encodeURIComponent(printable(oddText(dice)))
      return this.#names.pick(dice, name) ?? '7c9e6679-7425-40de-944b-e07fc1f90ae7'
    })
  }

  #query(names: readonly string[]): string {
    const dice = this.#dice
    const chosen = names.filter(() => dice.chance(names.length > 10 ? 0.15 : 0.3))
    if (chosen.length === 0) return ''
    return `?${chosen.map((name) => `${name}=${this.#queryValue(name)}`).join('&')}`
  }

  #queryValue(name: string): string {
    const dice = this.#dice
    const known = dice.chance(0.6) ? this.#names.pick(dice, name) : undefined
    if (known !== undefined) return encodeURIComponent(known)
    if (name === 'wait') return dice.chance(0.8) ? `${dice.below(2)}s` : '30s'
    if (dice.chance(0.6)) return String(dice.below(5))
    return encodeURIComponent(wellFormed(oddText(dice)))
  }

  #body(door: Door, { body, media, path }: Sample): Buffer | undefined {
    if (!body) return undefined
    const value = this.#documents[door].make(this.#dice, this.#names, body)
    if (media === 'application/x-www-form-urlencoded') {
      const form = new URLSearchParams(value as Record<string, string>)
      if (path === '/oauth2/token') {
        for (const name of ['client_id', 'client_secret']) form.set(name, this.#names.first(name))
      }
      return this.#mutateText(form.toString())
    }
    return this.#writeJson(value)
  }

  #mutateText(text: string): Buffer {
    const bytes = Buffer.from(text)
    return this.#dice.chance(0.3) ? mutateBytes(this.#dice, bytes) : bytes
  }

  #writeJson(json: unknown): Buffer {
    const dice = this.#dice
    let value = json
    if (dice.chance(0.45)) {
      do value = mutateValue(dice, value)
      while (dice.chance(0.4))
    }
    const bytes = Buffer.from(JSON.stringify(value) ?? '')
    return dice.chance(0.05) ? mutateBytes(dice, bytes) : bytes
  }

  /** Makes a request for a page or a form of the console. */
  #visit(): Made {
    const dice = this.#dice
    const headers: Record<string, string> = { cookie: this.#names.first('cookie') }
    if (dice.chance(0.5)) {
      const page = dice.pick(consolePages) ?? '/'
      const path = `${this.#fillPath(page)}${this.#query(consoleQuery)}`
      const request = { door: 'operators' as const, method: 'GET', path, headers, body: null }
      return { route: `GET ${page}`, request }
    }
    headers['origin'] = origins.operators
    headers['content-type'] = 'application/x-www-form-urlencoded'
    const form = new URLSearchParams({ csrf: this.#names.first('csrf') })
    const action = dice.chance(0.6) ? this.#fillAction(form) : this.#fillForm(form)
    const body = this.#mutateText(form.toString())
    const path = this.#fillPath(action)
    const request = {
      door: 'operators' as const,
      method: 'POST',
      path,
      headers,
      ...textOrBytes(body),
    }
    return { route: `POST ${action}`, request }
  }

  #fillAction(form: URLSearchParams): string {
    const dice = this.#dice
    const sample = pickWeighed(dice, this.#operations)
    if (!sample.body) return '/actions/none'
    const input = this.#documents.operators.make(dice, this.#names, sample.body)
    for (const [name, value] of Object.entries(input as object)) {
      const kind = typeof value === 'string' ? '' : `:${typeof value}`
      if (Array.isArray(value)) for (const one of value) form.append(`input.${name}:list`, `${one}`)
      else form.append(`input.${name}${kind}`, String(value))
    }
    if (dice.chance(0.5)) form.set('confirmed', 'yes')
    if (dice.chance(0.3))
      form.set('back', dice.pick(['/orders', '//x', '/\\x', oddText(dice)]) ?? '')
    return sample.path.replace('/operations/', '/actions/')
  }

  #fillForm(form: URLSearchParams): string {
    const dice = this.#dice
    const names = ['order', 'decision', 'reason', 'filter', 'matching', 'file', 'token', 'language']
    for (const name of names) {
      if (dice.chance(0.5)) form.append(name, this.#names.pick(dice, name) ?? oddText(dice))
    }
    return dice.pick(consoleForms) ?? '/'
  }

  #mutate(request: FuzzedRequest): FuzzedRequest {
    const dice = this.#dice
    const { headers } = request
    const way = dice.weigh({ nothing: 70, path: 8, method: 2, header: 15, token: 2, less: 1 })
    if (way === 'nothing') return request
    if (way === 'path') {
      const path = mutateBytes(dice, Buffer.from(request.path.slice(1))).toString('latin1')
      return { ...request, path: `/${path}` }
    }
    if (way === 'method') return { ...request, method: dice.pick(methods) ?? 'GET' }
    const name = way === 'token' ? 'authorization' : (dice.pick(headerNames) ?? '')
    const { [name]: value = '', ...others } = headers
    if (way === 'less') return { ...request, headers: others }
    const changed = dice.chance(0.3)
      ? mutateBytes(dice, Buffer.from(value)).toString('latin1')
      : printable(oddText(dice))
    return {
      ...request,
      headers: { ...others, [name]: way === 'token' ? changed : printable(changed) },
    }
  }
}

function weigh(samples: readonly Sample[]): Weighed {
  let until = 0
  return samples.map((sample) => {
    if (isFixed.test(sample.path)) until += 0.05
    else if ([isBench, isLong, isHarsh].some((some) => some.test(sample.path))) until += 0.1
    // The partner API has few routes that write.
    else until += sample.path.startsWith('/v1/') && sample.method !== 'GET' ? 6 : 1
    return { sample, until }
  })
}

function pickWeighed(dice: Dice, weighed: Weighed): Sample {
  const at = dice.fraction() * (weighed.at(-1)?.until ?? 0)
  const found = weighed.find(({ until }) => at < until) ?? weighed[0]
  if (!found) throw new Error('There are no samples.')
  return found.sample
}

/** Returns the bytes as text if they are text, so that the corpus is readable. */
function textOrBytes(bytes: Buffer | undefined): Pick<FuzzedRequest, 'body' | 'isBase64'> {
  if (!bytes) return { body: null }
  const text = bytes.toString('utf8')
  if (Buffer.from(text).equals(bytes)) return { body: text }
  return { body: bytes.toString('base64'), isBase64: true }
}

/** Replaces unpaired surrogates, which encodeURIComponent refuses. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString('utf8')
}

/** Replaces the characters that a header cannot contain. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '?')
}
