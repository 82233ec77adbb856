import {
  array,
  boolean,
  define,
  enums,
  type Infer,
  integer,
  object,
  optional,
  record,
  refine,
  type Struct,
  string,
  type,
  unknown,
} from 'superstruct'
import { sharePurchaseStatuses } from '../../domain/share-purchases/share-purchase.ts'
import { durationForms, parseDuration } from '../../domain/timestamp.ts'
import { eventStates, webhookEventTypes } from '../../domain/webhooks/event.ts'
import { integerWithin } from '../../wire/bounds.ts'
import type { AnyStruct } from '../../wire/check-shape.ts'
import {
  type Amount,
  durationSchema,
  fileText,
  sum,
  textWithFormat,
  timestamp,
} from '../../wire/fields.ts'
import { choiceOf, described, schemaOfShape } from '../../wire/schema-of-shape.ts'

/** Adds a description, which editors and the reference show. The shape must be a new one. */
export function documented<Shape extends AnyStruct>(shape: Shape, description: string): Shape {
  return described(shape, { ...schemaOfShape(shape), description })
}

const longestText = 4000

export function text(description: string): Struct<string, null> {
  return described(fileText(longestText), { type: 'string', description })
}

export function instant(description: string): Struct<string, null> {
  return described(timestamp(), { type: 'string', format: 'date-time', description })
}

export function duration(description: string): Struct<string, null> {
  return textWithFormat(
    'duration',
    (text) => (parseDuration(text) === undefined ? `must be a time ${durationForms}` : undefined),
    { ...durationSchema, description },
  )
}

/** YAML reads an amount without quotes as a number. */
export function money(description: string): Struct<Amount, null> {
  return described(sum(), { anyOf: [{ type: 'string' }, { type: 'number' }], description })
}

export function count(description: string, least = 0) {
  return documented(integerWithin({ min: least }), description)
}

export function status(description: string) {
  return documented(integerWithin({ min: 100, max: 599 }), description)
}

export function bool(description: string) {
  return documented(boolean(), description)
}

export function choice<Value extends string>(values: readonly Value[], description: string) {
  return documented(enums(values), description)
}

export function textList(description: string) {
  return documented(array(text('')), description)
}

export function json(description: string): Struct<unknown, null> {
  return described(unknown(), { description })
}

export function textsByName(description: string): Struct<Record<string, string>, null> {
  return described(record(string(), text('')), {
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
  })
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** A value for the usual case, or an object for all cases. */
export function shortOr<Short, ShortSchema, Full, FullSchema>(
  short: Struct<Short, ShortSchema>,
  full: Struct<Full, FullSchema>,
): Struct<Short | Full, null> {
  return choiceOf([short, full], (value) => (isObject(value) ? full : short))
}

const nothing = described(
  define<true | null>('nothing', (value) => value === null || value === true || 'must be empty'),
  { anyOf: [{ type: 'null' }, { type: 'boolean', const: true }] },
)

/** A step that needs no value: `- reset`, `- reset:` and `- reset: true` are the same. */
export function bareOr<Full, FullSchema>(full: Struct<Full, FullSchema>) {
  return shortOr(nothing, full)
}

export const noOptions = object({})

export const order = () => text('Name of a placed order, or its id.')

export const sameParts =
  'Parts that are the same in all of these requests: `body`, `path`, or the name of a header.'

const statuses = (description: string) => documented(array(integer()), description)

/** Keyed by the name of the expectation. */
export const expectationShapes = {
  order: documented(
    object({
      order: order(),
      status: optional(choice(sharePurchaseStatuses, 'Status of the order.')),
      total: optional(money('Total, for example "510.00".')),
      shares: optional(count('Number of shares.')),
      price: optional(money('Share price.')),
      fee: optional(money('Entry fee.')),
      reason: optional(text('Reason for the rejection.')),
    }),
    'An order in the service.',
  ),
  holdings: documented(
    object({
      holdings: text('`partner_customer_ref` of the investor.'),
      cooperative: optional(
        text('Key of the cooperative. If absent, the holdings in all cooperatives are added up.'),
      ),
      shares: optional(count('Number of settled shares.')),
      pending: optional(count('Number of shares in open orders.')),
      client: optional(text('Organization of the investor, or one of its client ids.')),
    }),
    'The holdings of an investor.',
  ),
  event: documented(
    object({
      event: choice(webhookEventTypes, 'Type of the event.'),
      of: order(),
      state: optional(choice(eventStates, 'State of the deliveries of the event.')),
      attempts: optional(count('Number of attempts to deliver the event.')),
    }),
    'An event of an order, and the state of its deliveries.',
  ),
  deliveries: documented(
    object({
      deliveries: choice([...webhookEventTypes, 'all'], 'Type of the events, or `all`.'),
      of: optional(order()),
      count: optional(count('Number of attempts.')),
      statuses: optional(
        statuses('HTTP statuses that the receiver answered, in order; 0 means no answer.'),
      ),
    }),
    'Attempts to deliver events, as recorded in the journal.',
  ),
  journal: documented(
    object({
      journal: text('Operation id from the contract, or `delivery`.'),
      count: optional(count('Number of requests.')),
      same: optional(textList(sameParts)),
      statuses: optional(statuses('Statuses of the answers, in order; 0 stands for no answer.')),
      contract: optional(
        choice(
          ['conforms', 'violates', 'unchecked'],
          'Verdict on whether each request and its answer match the contract.',
        ),
      ),
    }),
    'Partner requests, as recorded in the journal.',
  ),
  app: documented(
    object({
      app: text('URL of your app, for example `$APP/orders/first`.'),
      method: optional(text('Method of the request. Default: GET.')),
      headers: optional(textsByName('Request headers.')),
      status: optional(status('Status of the answer. Default: any below 400.')),
      json: optional(json('What the answer must contain. The answer may have more keys.')),
      within: optional(
        duration('Repeat the request until the answer matches, for at most this real time.'),
      ),
      capture: optional(textsByName('Names for parts of the answer, such as `id: items.0.id`.')),
    }),
    'The answer of your app.',
  ),
} as const

type Expectations = typeof expectationShapes
export type ExpectationKind = keyof Expectations
export type Expected<Kind extends ExpectationKind> = Infer<Expectations[Kind]>
export type Expectation = { [Kind in ExpectationKind]: Expected<Kind> }[ExpectationKind]

const expectationKinds = Object.keys(expectationShapes) as ExpectationKind[]

/** undefined if no key names an expectation. */
export function kindOf(value: unknown): ExpectationKind | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return expectationKinds.find((kind) => kind in value)
}

const unknownKind = refine(
  type({}),
  'expectation',
  () => `must have one of the keys ${expectationKinds.join(', ')}`,
)

export const expectationShape = choiceOf<Expectation>(Object.values(expectationShapes), (value) => {
  const kind = kindOf(value)
  return kind === undefined ? unknownKind : expectationShapes[kind]
})
