import { define, enums, nullable, optional, refine, type Struct, string } from 'superstruct'
import { isUuid } from '../domain/ids.ts'
import { type Money, parseMoney, parseSum, zeroMoney } from '../domain/money.ts'
import { scopes } from '../domain/oauth/scope.ts'
import { maximumListLimit } from '../domain/page.ts'
import { fateError, parseFate } from '../domain/share-purchases/fate-text.ts'
import type { Fate } from '../domain/share-purchases/share-purchase.ts'
import {
  countCharacters,
  isBlank,
  isDistinctName,
  isStorable,
  notDistinct,
} from '../domain/text.ts'
import {
  isCalendarDate,
  parseTimestamp,
  type Timestamp,
  timestampError,
} from '../domain/timestamp.ts'
import { webhookEventTypes } from '../domain/webhooks/event.ts'
import { integerWithin, listWithin } from './bounds.ts'
import type { JsonSchema } from './json-schema.ts'
import { described } from './schema-of-shape.ts'

/** An amount in a file: "250.00", or 250 and 250.5 without quotes. */
export type Amount = string | number

// A number with more than two decimals is refused, so nothing is rounded.
function amountOf(value: unknown, parse = parseMoney): Money | undefined {
  return typeof value === 'string' || typeof value === 'number' ? parse(String(value)) : undefined
}

const hint = 'must be an amount such as "250.00"'

const amountSchema = {
  description: 'An amount such as `"250.00"`, with at most two digits after the point.',
  anyOf: [
    { type: 'string', pattern: '^\\d+(\\.\\d{1,2})?$' },
    { type: 'number', minimum: 0 },
  ],
} as const

export function amount(): Struct<Amount, null> {
  const shape = define<Amount>('amount', (value) => amountOf(value) !== undefined || hint)
  return described(shape, amountSchema)
}

export function positiveAmount(): Struct<Amount, null> {
  const shape = define<Amount>('positive amount', (value) => {
    const money = amountOf(value)
    if (money === undefined) return hint
    return money !== zeroMoney || 'must be greater than zero'
  })
  return described(shape, { ...amountSchema, description: `${amountSchema.description} Not zero.` })
}

/** An amount with enough digits for many shares. */
export function sum(): Struct<Amount, null> {
  const shape = define<Amount>('sum', (value) => amountOf(value, parseSum) !== undefined || hint)
  return described(shape, amountSchema)
}

/** @param value an amount that fits the shape */
export function readAmount(value: Amount): Money {
  return passed(amountOf(value))
}

export function readSum(value: Amount): Money {
  return passed(amountOf(value, parseSum))
}

function passed(money: Money | undefined): Money {
  if (money === undefined)
    throw new TypeError('An amount cannot be read, although its shape was checked.')
  return money
}

/**
 * A text of a certain format. A value that is not a text gets the same message as an empty text.
 * @param findFault returns the end of a sentence that begins with the path
 */
export function textWithFormat(
  name: string,
  findFault: (text: string) => string | undefined,
  schema: JsonSchema,
): Struct<string, null> {
  const faultOf = (value: unknown) => findFault(typeof value === 'string' ? value : '')
  const shape = define<string>(name, (value) => faultOf(value) ?? true)
  return described(shape, schema)
}

/** What `parseDuration` reads. */
export const durationSchema = { type: 'string', pattern: '^\\d{1,9}(ms|s|m|h|d)$' } as const

export function id(): Struct<string, null> {
  const findFault = (text: string) => (isUuid(text) ? undefined : 'must be a UUID in lower case')
  return textWithFormat('id', findFault, { type: 'string', format: 'uuid' })
}

/** A day, as yyyy-MM-dd. */
export function date(): Struct<string, null> {
  return textWithFormat(
    'date',
    (text) => (isCalendarDate(text) ? undefined : 'must be a date in the form yyyy-MM-dd'),
    { type: 'string', format: 'date' },
  )
}

/** The maximum length of a list. */
export function limit() {
  return integerWithin({ min: 1, max: maximumListLimit })
}

/** Optional values may be null, as in responses. */
export function optionalOrNull<Value, Schema>(shape: Struct<Value, Schema>) {
  return optional(nullable(shape))
}

/** A client without scopes could only read its own client info. */
export const scopesShape = listWithin(enums(scopes), { min: 1 })

export const eventTypesShape = listWithin(enums(webhookEventTypes), { min: 1 })

const lineBreaks = /[\n\r\t]/g

/**
 * Non-blank text of up to `maximumLength` characters, without control characters. Spec gap: see
 * docs/partners/details.md.
 */
export function text(maximumLength = 200): Struct<string, null> {
  const shape = refine(string(), 'text', (value) => textFault(value, maximumLength) ?? true)
  return described(shape, textSchema(maximumLength))
}

export function optionalText(maximumLength?: number): Struct<string | null | undefined, null> {
  return optionalOrNull(text(maximumLength))
}

/** A name by which people choose something, so no two names may look the same. */
export function distinctName(): Struct<string, null> {
  return described(
    refine(text(), 'name', (value) => isDistinctName(value) || notDistinct),
    textSchema(200),
  )
}

/** Text that may have several lines. */
export function multilineText(maximumLength = 4000): Struct<string, null> {
  const shape = refine(
    string(),
    'prose',
    (value) => textFault(value.replace(lineBreaks, ' '), maximumLength) ?? true,
  )
  return described(shape, textSchema(maximumLength))
}

/** Text in YAML, where unquoted digits are a number. */
export function fileText(maximumLength = 200): Struct<string, null> {
  const shape = define<string>('text', (value) => {
    if (typeof value === 'number') return 'must be text: put it in quotes'
    if (typeof value !== 'string') return 'must be text'
    return textFault(value, maximumLength) ?? true
  })
  return described(shape, textSchema(maximumLength))
}

/** A text of any length. Within the program, its parts can come one by one. */
export function textInParts(): Struct<string | AsyncIterable<string>, null> {
  const shape = define<string | AsyncIterable<string>>('text', (value) =>
    typeof value === 'string' || (typeof value === 'object' && value) ? true : 'must be text',
  )
  // Only a refinement sees the object itself.
  const checked = refine(shape, 'text', (value) =>
    typeof value === 'string' || Symbol.asyncIterator in Object(value) ? true : 'must be text',
  )
  return described(checked, { type: 'string' })
}

function textSchema(maxLength: number) {
  return { type: 'string', minLength: 1, maxLength }
}

function textFault(value: string, maximumLength: number): string | undefined {
  if (isBlank(value)) return 'must not be blank'
  if (countCharacters(value) > maximumLength) return `must have at most ${maximumLength} characters`
  return isStorable(value) ? undefined : 'must not contain control characters or broken surrogates'
}

/** The fate of an order in staging, which the service carries out without an operator. */
export function fate(): Struct<string, null> {
  return textWithFormat('fate', fateError, { type: 'string' })
}

/** @param text a text that fits the shape */
export function readFate(text: string | null | undefined): Fate | undefined {
  return text == null ? undefined : parseFate(text)
}

export function timestamp(): Struct<string, null> {
  return textWithFormat('timestamp', timestampError, { type: 'string', format: 'date-time' })
}

/** @param text a text that fits the shape */
export function readTimestamp(text: string): Timestamp {
  const instant = parseTimestamp(text)
  if (!instant) throw new TypeError('A timestamp cannot be read, although its shape was checked.')
  return instant
}

export function readOptionalTimestamp(text: string | null | undefined): Timestamp | undefined {
  return text == null ? undefined : readTimestamp(text)
}

export function readRange({
  since,
  until,
}: {
  readonly since?: string | undefined
  readonly until?: string | undefined
}) {
  return { since: readOptionalTimestamp(since), until: readOptionalTimestamp(until) }
}
