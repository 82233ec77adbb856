// Finds the requests of an OpenAPI document and makes valid samples of them.
import type { Dice } from '../dice.ts'

type Json = Readonly<Record<string, unknown>>

export interface Sample {
  readonly method: string
  /** The path, with names of parameters in braces. */
  readonly path: string
  readonly query: readonly string[]
  readonly body: Json | undefined
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
    const body = this.#resolve((operation['requestBody'] as Json | undefined) ?? {})
    const content = body['content'] as Record<string, Json> | undefined
    const [media] = Object.values(content ?? {})
    return {
      method: method.toUpperCase(),
      path,
      query,
      body: media?.['schema'] as Json | undefined,
    }
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

  /** Makes a value, which the schema allows in most cases. */
  make(dice: Dice, of: Json, depth = 0): unknown {
    const schema = this.#resolve(of)
    const { enum: values, const: only, type, examples, oneOf, anyOf, allOf } = schema
    if (only !== undefined) return only
    if (Array.isArray(values)) return dice.pick(values)
    if (Array.isArray(examples) && dice.chance(0.5)) return dice.pick(examples)
    const choice = (oneOf ?? anyOf) as Json[] | undefined
    if (choice) return this.make(dice, dice.pick(choice) ?? {}, depth + 1)
    if (Array.isArray(allOf)) {
      return Object.assign({}, ...allOf.map((one: Json) => this.make(dice, one, depth + 1)))
    }
    const kind = Array.isArray(type) ? dice.pick(type as string[]) : type
    if (kind === 'object' || schema['properties']) return this.#makeObject(dice, schema, depth)
    if (kind === 'array') {
      const length = depth > 4 ? 0 : dice.below(3)
      return Array.from({ length }, () =>
        this.make(dice, (schema['items'] ?? {}) as Json, depth + 1),
      )
    }
    if (kind === 'integer' || kind === 'number')
      return Number(schema['minimum'] ?? 1) + dice.below(3)
    if (kind === 'boolean') return dice.chance(0.5)
    return kind === 'null' ? null : textFor(dice, String(schema['format'] ?? ''))
  }

  #makeObject(dice: Dice, schema: Json, depth: number): unknown {
    const required = (schema['required'] ?? []) as string[]
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
    const chosen = properties.filter(
      ([name]) => required.includes(name) || (depth < 4 && dice.chance(0.4)),
    )
    return Object.fromEntries(chosen.map(([name, one]) => [name, this.make(dice, one, depth + 1)]))
  }
}

function textFor(dice: Dice, format: string): string {
  if (format === 'uuid') return '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  if (format === 'date') return '2026-11-01'
  if (format === 'date-time') return '2026-11-01T12:00:00Z'
  if (format === 'email') return 'frieda@mail.example'
  if (format === 'uri') return 'https://receiver.example/hooks'
  return dice.pick(['Bank1', 'coop-1', '100.00', 'DE', 'de', 'abc', 'x1']) ?? ''
}
