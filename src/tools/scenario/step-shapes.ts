import { array, type Infer, object, optional, refine, type Struct } from 'superstruct'
import { resets } from '../../domain/bench/fault.ts'
import { rateLimits } from '../../domain/rate-limits.ts'
import { webhookEventTypes } from '../../domain/webhooks/event.ts'
import { integerWithin, listWithin } from '../../wire/bounds.ts'
import type { JsonSchema } from '../../wire/json-schema.ts'
import { choiceOf, described, schemaOfShape } from '../../wire/schema-of-shape.ts'
import {
  bareOr,
  bool,
  choice,
  count,
  documented,
  duration,
  expectationShape,
  instant,
  json,
  money,
  noOptions,
  order,
  sameParts,
  shortOr,
  status,
  text,
  textList,
  textsByName,
} from './expectation-shapes.ts'

const refused = () =>
  optional(text('Code with which the service must refuse the step, for example VALIDATION_ERROR.'))
const client = () =>
  optional(
    text(
      'Client id or organization. Default: the organization of `webhooks`, or else the first organization in the fixtures.',
    ),
  )
const capture = () =>
  optional(textsByName('Names for parts of the answer, such as `id: items.0.id`.'))

const decision = (what: string) =>
  documented(shortOr(order(), object({ order: order(), refused: refused() })), what)

const rejection = (what: string) =>
  documented(
    shortOr(
      order(),
      object({
        order: order(),
        reason: optional(text('Reason, shown to the partner and the investor.')),
        refused: refused(),
      }),
    ),
    what,
  )

const request = (what: string) =>
  documented(
    shortOr(
      text('`URL` or `METHOD URL`. The URL begins with `$APP` or is a path such as /v1/me.'),
      object({
        url: text('URL that starts with `$APP`, or a path of the partner API such as /v1/me.'),
        method: optional(
          text('Method of the request. Default: GET for `call`, POST for `run` and with `json`.'),
        ),
        json: optional(json('Body of the request.')),
        headers: optional(textsByName('Request headers.')),
        client: client(),
        token: optional(
          text(
            'Name of a token. Steps with the same name send the same token. `none` sends no token.',
          ),
        ),
        status: optional(status('Status of the answer. Default: any below 400.')),
        answer: optional(json('What the answer must contain. The answer may have more keys.')),
        lost: optional(bool('Whether the connection must break before the answer arrives.')),
        capture: capture(),
      }),
    ),
    what,
  )

const commandSteps = {
  fault: documented(
    object({
      on: text('Operation id from the contract, or `delivery`.'),
      client: optional(text('Only requests of this client id.')),
      receiver: optional(text('Only deliveries to this webhook endpoint.')),
      times: optional(count('Number of times that the fault occurs. Default: always.', 1)),
      delay: optional(duration('Real time to wait first.')),
      reset: optional(choice(resets, 'When the connection is cut.')),
      status: optional(
        status('Status that the service answers instead of carrying out the request.'),
      ),
      retry_after: optional(count('Retry-After of the answer, in seconds.', 1)),
      code: optional(text('Problem code of the answer.')),
    }),
    'Makes requests or deliveries fail.',
  ),
  clear: choice(['faults', 'journal'], 'Removes all faults, or empties the journal.'),
  maintenance: documented(
    shortOr(
      choice(['on', 'off'], ''),
      object({
        on: bool('Whether partner requests get 503.'),
        retry_after: optional(count('Header Retry-After of the answers, in seconds.', 1)),
      }),
    ),
    'Answers 503 to every partner request, or stops doing so.',
  ),
  advance: documented(
    shortOr(
      duration('Time to advance the clock, for example 3d.'),
      object({
        by: duration('Time to advance the clock, for example 3d.'),
        timeout: optional(duration('Real time to wait for due work. Default: 30s.')),
      }),
    ),
    'Moves the clock forwards. The service does all work that falls due in the meantime, in order.',
  ),
  to: instant('Moves the clock to an instant.'),
  reset: documented(bareOr(noOptions), 'Resets the service to its initial data and time.'),
  expire_tokens: documented(
    bareOr(object({ client: optional(text('Only tokens of this client id.')) })),
    'Expires the access tokens issued so far.',
  ),
  rotate_key: documented(
    bareOr(object({ now: optional(bool('Whether the new key signs immediately.')) })),
    'Rotates the key that signs access tokens.',
  ),
  rotate_secret: documented(
    bareOr(noOptions),
    'Replaces the signing secret of the webhook endpoint; the built-in receiver uses the new secret.',
  ),
  receiver: documented(
    object({
      answer: status('Status that the built-in receiver answers to events with a valid signature.'),
      times: optional(
        count(
          'Number of events that get this answer before the receiver answers 204 again. Default: all later events.',
          1,
        ),
      ),
    }),
    'Changes what the built-in receiver answers.',
  ),
} as const

const operatorSteps = {
  approve: decision('Approves an order.'),
  settle: decision('Settles an approved order.'),
  cancel: decision('Cancels a submitted order, as the operator.'),
  reject: rejection('Rejects an order.'),
  bank_return: rejection('Rejects an order because the bank has returned its direct debit.'),
  replay: documented(
    shortOr(
      choice(['dead'], ''),
      object({ event: choice(webhookEventTypes, 'Type of the event.'), of: order() }),
    ),
    'Sends an event of an order again, or all dead events.',
  ),
  disable_client: text('Disables the client with this id, or the client of this organization.'),
  enable_client: text('Enables the client with this id again.'),
  set_price: documented(
    object({
      cooperative: text('Cooperative key.'),
      price: money('New price per share.'),
    }),
    'Changes a share price.',
  ),
  publish: text('Publishes the cooperative with this key.'),
  unpublish: text('Takes the cooperative with this key out of the catalogue.'),
} as const

const partnerSteps = {
  order: documented(
    object({
      investor: text('`partner_customer_ref` of the investor.'),
      cooperative: text('Cooperative key.'),
      shares: count('Number of shares.', 1),
      idempotency_key: optional(text('Idempotency-Key of the request.')),
      client: client(),
      as: optional(text('Name for the order in later steps.')),
      replayed: optional(
        bool('Whether the answer must be the stored answer to an earlier request.'),
      ),
      refused: refused(),
      lost: optional(bool('Whether the connection must break before the answer arrives.')),
    }),
    'Places an order through the partner API.',
  ),
  call: request('Calls the partner API with a token, or calls your app.'),
  run: request('Calls your app with POST.'),
  await: documented(
    object({
      operation: text('Operation id from the contract, or `delivery`.'),
      count: optional(
        count(
          'Number of requests since the start, or since the last `reset` or `clear: journal`.',
          1,
        ),
      ),
      timeout: optional(duration('Real time to wait. Default: 5s.')),
      same: optional(textList(sameParts)),
      as: optional(text('Name for the order in the last answer.')),
      capture: capture(),
    }),
    'Waits for requests of your app.',
  ),
  expect: documented(expectationShape, 'Fails the scenario if the expectation is not met.'),
} as const

/** In the order of the reference. */
export const stepShapes = { ...partnerSteps, ...operatorSteps, ...commandSteps } as const

type StepShapes = typeof stepShapes
export type StepName = keyof StepShapes
export type StepValue<Name extends StepName> = Infer<StepShapes[Name]>

/** Steps that can be written as a single word: `- reset`. */
export const bareSteps = ['reset', 'expire_tokens', 'rotate_key', 'rotate_secret'] as const

const stepNames = Object.keys(stepShapes) as StepName[]

const optionalSteps = Object.fromEntries(
  stepNames.map((name) => [name, optional(stepShapes[name] as Struct<unknown>)]),
)

/** Exactly one of its keys is present. */
type Step = { readonly [Name in StepName]?: StepValue<Name> }

const oneStep = refine(
  object(optionalSteps),
  'step',
  (step) => Object.keys(step).length === 1 || `must have exactly one key: ${stepNames.join(', ')}`,
)

const onlyOne = { minProperties: 1, maxProperties: 1 }
const keyedStep = described(oneStep, { ...schemaOfShape(oneStep), ...onlyOne })
const bareStep = choice(bareSteps, '')

const stepShape = choiceOf<Step | (typeof bareSteps)[number]>([bareStep, keyedStep], (value) =>
  typeof value === 'string' ? bareStep : keyedStep,
)

export const builtInReceiver = 'built-in'

const limits = documented(
  object({
    ...Object.fromEntries(
      Object.values(rateLimits).map(({ flag, inScenarios }) => [
        flag.replaceAll('-', '_'),
        optional(count(inScenarios, 1)),
      ]),
    ),
    max_share_count: optional(
      documented(
        integerWithin({ min: 1, max: 1_000_000 }),
        'Maximum number of shares in one order.',
      ),
    ),
  }),
  'Limits of the service. The flags of `serve` with the same names set the same limits.',
)

const webhooks = documented(
  object({
    organization: text('Name of the organization whose events are sent.'),
    to: optional(
      text(
        `URL of the receiver, for example \`$APP/webhooks\`, or \`${builtInReceiver}\`, which is the default.`,
      ),
    ),
    secret: optional(text('Signing secret of the endpoint. Default: a new one for each run.')),
  }),
  'A webhook endpoint, which is registered before the first step.',
)

/** How the service starts for a scenario. */
const givenShape = documented(
  object({
    fixtures: optional(
      documented(array(text('')), 'Fixture files; their paths are relative to the scenario file.'),
    ),
    demo: optional(bool('Whether the service has the demo data.')),
    now: optional(instant('Time at which the clock starts. Default: now.')),
    seed: optional(count('Seed that makes ids and secrets the same in every run.')),
    backoff: optional(
      duration(
        'Time to wait before the first retry of a delivery; the wait doubles with each retry. Default: 30s.',
      ),
    ),
    webhook_time: optional(
      choice(['wall', 'virtual'], 'Clock for the time in webhook signatures. Default: wall.'),
    ),
    token_time: optional(
      choice(['wall', 'virtual'], 'Clock for `iat` and `exp` in access tokens. Default: wall.'),
    ),
    limits: optional(limits),
    webhooks: optional(webhooks),
  }),
  'How the service starts. Each scenario has its own service.',
)

/** The content of a scenario file. */
export const scenarioShape = object({
  scenario: text('Name of the scenario, for reports.'),
  given: optional(givenShape),
  steps: documented(
    listWithin(stepShape, { min: 1 }),
    'The steps, in the order in which they happen.',
  ),
})

export type WireScenario = Infer<typeof scenarioShape>

interface RootSchema extends JsonSchema {
  readonly $schema: string
  readonly title: string
}

/** The schema of a scenario, for editors and for messages about unknown keys. */
export function scenarioSchema(): RootSchema {
  const schema = schemaOfShape(scenarioShape)
  const title = 'Scenario of coopshare'
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema }
}
