// Reads the routes of an OpenAPI document, and makes valid requests for them.
import type { Dice } from '../dice.ts'
import type { Names } from './names.ts'

type Json = Readonly<Record<string, unknown>>

export interface Sample {
  readonly method: string
  /** The path, with names in braces. */
  readonly path: string
  readonly query: readonly string[]
  readonly body: Json | undefined
  readonly media: string | undefined
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

export class Samples {
  readonly all: readonly Sample[]
  readonly #document: Json

  constructor(document: Json) {
    this.#document = document
    const paths = Object.entries(document['paths'] as Record<string, Json>)
    this.all = paths.flatMap(([path, item]) =>
      methods.flatMap((method) => (item[method] ? [this.#sampleOf(path, method, item)] : [])),
    )
  }

  #sampleOf(path: string, method: string, item: Json): Sample {
    const operation = item[method] as Json
    const parameters = [item['parameters'], operation['parameters']].flatMap((list) =>
      ((list as Json[] | undefined) ?? []).map((one) => this.#resolve(one)),
    )
    const query = parameters
      .filter((one) => one['in'] === 'query')
      .map((one) => String(one['name']))
    const requestBody = this.#resolve((operation['requestBody'] as Json | undefined) ?? {})
    const content = (requestBody['content'] ?? {}) as Record<string, Json>
    const [media, described] = Object.entries(content)[0] ?? []
    const body = described?.['schema'] as Json | undefined
    return { method: method.toUpperCase(), path: plainPath(path), query, body, media }
  }

  #resolve(schema: Json): Json {
    const { $ref: reference } = schema
    if (typeof reference !== 'string') return schema
    const steps = reference.slice(2).split('/')
    const found = steps.reduce<unknown>(
      (at, step) => (at as Json | undefined)?.[step],
      this.#document,
    )
    return this.#resolve((found ?? {}) as Json)
  }

  /** Makes a value that mostly fits the schema, with ids that exist. */
  make(dice: Dice, names: Names, of: Json): unknown {
    return this.#make({ dice, names, name: '', depth: 0 }, of)
  }

  #make(at: Place, of: Json): unknown {
    const { dice, depth } = at
    const schema = this.#resolve(of)
    const { enum: values, const: only, type, examples, oneOf, anyOf, allOf } = schema
    if (only !== undefined) return only
    if (Array.isArray(values)) return dice.pick(values)
    const kind = Array.isArray(type) ? dice.pick(type as string[]) : type
    if (kind === undefined || kind === 'string') {
      const known = knownValue(at)
      if (known !== undefined && dice.chance(0.9)) return known
    }
    if (Array.isArray(examples) && dice.chance(0.5)) return dice.pick(examples)
    const below = { ...at, depth: depth + 1 }
    const choice = (oneOf ?? anyOf) as Json[] | undefined
    if (choice) {
      const full = dice.chance(0.8) ? choice.filter((one) => one['type'] !== 'null') : choice
      return this.#make(below, dice.pick(full) ?? {})
    }
    if (Array.isArray(allOf)) {
      const parts = allOf.map((one: Json) => this.#make(below, one))
      return parts.length === 1 ? parts[0] : Object.assign({}, ...parts)
    }
    if (kind === 'object' || schema['properties']) return this.#makeObject(below, schema)
    if (kind === 'array') {
      const least = Number(schema['minItems'] ?? 0)
      const length = Math.max(least, depth > 6 ? 0 : dice.below(3))
      const items = (schema['items'] ?? {}) as Json
      return Array.from({ length }, () => this.#make(below, items))
    }
    if (kind === 'integer' || kind === 'number')
      return Number(schema['minimum'] ?? 1) + dice.below(3)
    if (kind === 'boolean') return dice.chance(0.5)
    return kind === 'null' ? null : textFor(dice, String(schema['format'] ?? ''))
  }

  #makeObject(at: Place, schema: Json): unknown {
    const { dice, depth } = at
    const required = (schema['required'] ?? []) as string[]
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
    // Some objects have all properties, and others have little more than the required ones.
    const share = dice.pick([0.1, 0.4, 0.95]) ?? 0
    const chosen = properties.filter(
      ([name]) => required.includes(name) || (depth < 9 && dice.chance(share)),
    )
    return Object.fromEntries(chosen.map(([name, one]) => [name, this.#make({ ...at, name }, one)]))
  }
}

interface Place {
  readonly dice: Dice
  readonly names: Names
  /** The name of the field. */
  readonly name: string
  readonly depth: number
}

/** `{id}` has a different meaning in each path. */
function plainPath(path: string): string {
  return path
    .replace('/cooperatives/{id}', '/cooperatives/{cooperative_id}')
    .replace('{investorId}', '{investor_id}')
    .replace('{purchaseId}', '{share_purchase_id}')
    .replace('{version}', '1.6.0')
    .replace('{kind}', 'hero')
    .replace('/errors/{name}', '/errors/not-found')
}

const texts: Readonly<Record<string, readonly string[]>> = {
  email: ['frieda@mail.example', 'Jörg.Groß@mail.example'],
  iban: ['DE89370400440532013000', 'DE75512108001245126199'],
  debtor_iban: ['DE89370400440532013000'],
  bic: ['COBADEFFXXX', 'INGDDEFFXXX'],
  birth_date: ['1984-02-29', '1960-12-31'],
  postal_code: ['87435', '10115'],
  website_url: ['https://coop.example'],
  url: ['https://receiver.example/hooks', 'https://receiver.example/2'],
  signed_at: ['2026-11-01T12:00:00Z', '2026-10-25T02:30:00+02:00'],
  share_price: ['100.00', '0.01', '999999.99'],
  share_value: ['100.00'],
  entry_fee: ['0.00', '25.00'],
  reference: ['MANDATE-1', 'M/2'],
  scope: ['cooperatives:read', 'applications:write portfolio:read'],
  name: ['Bank1', 'Bank2', 'Bürger eG', 'n-17'],
  reason: ['A reason.', 'Begründung'],
  content_type: ['image/png'],
  base64: [
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  ],
  new_encryption_key: ['0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'],
  signing_secret: ['whsec_0123456789abcdef0123456789abcdef'],
  hash: [''],
  fate: ['settle', 'reject', 'settled in 3 days'],
}

function knownValue({ dice, names, name }: Place): string | undefined {
  const [own] = dice.chance(0.85) ? [names.pick(dice, name)] : []
  return own ?? dice.pick(texts[name] ?? [])
}

function textFor(dice: Dice, format: string): string {
  if (format === 'uuid') return '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  if (format === 'date') return '2026-11-01'
  if (format === 'date-time') return '2026-11-01T12:00:00Z'
  if (format.endsWith('email')) return 'frieda@mail.example'
  if (format === 'uri') return 'https://receiver.example/hooks'
  return dice.pick(['Bank1', 'coop-1', '100.00', 'DE', 'de', 'abc', 'x1']) ?? ''
}
