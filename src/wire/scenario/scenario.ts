import { array, type Infer, integer, max, min, nonempty, object, optional } from 'superstruct'
import type { JsonSchema } from '../json-schema.ts'
import { schemaOfShape } from '../schema-of-shape.ts'
import { choice, count, duration, instant, noted, text, truth } from './parts.ts'
import { stepShape } from './steps.ts'

export const builtInReceiver = 'built-in'

const limits = noted(
  object({
    rate_limit: optional(count('API requests for each client and minute.', 1)),
    token_rate_limit: optional(count('Token requests per minute.', 1)),
    address_rate_limit: optional(count('API requests for each address and minute.', 1)),
    max_share_count: optional(
      noted(max(min(integer(), 1), 1_000_000), 'Maximum number of shares in one order.'),
    ),
  }),
  'Limits of the service, as the flags of `serve` set them.',
)

const webhooks = noted(
  object({
    organization: text('Name of the organization whose events are sent.'),
    to: optional(
      text(
        `URL of the receiver, for example \`$APP/webhooks\`, or \`${builtInReceiver}\`, which is the default.`,
      ),
    ),
    secret: optional(
      text('Signing secret of the endpoint. Without it, the service makes one for each run.'),
    ),
  }),
  'A webhook endpoint, registered before the first step.',
)

/** How the service starts for a scenario. */
const givenShape = noted(
  object({
    fixtures: optional(
      noted(array(text('')), 'Fixture files; their paths are relative to the scenario file.'),
    ),
    demo: optional(truth('Whether the service has the demo data.')),
    now: optional(instant('Start of the clock. Default: the time of the machine.')),
    seed: optional(count('Makes ids and secrets the same in each run.')),
    backoff: optional(
      duration('Wait before the first retry of a delivery; it doubles. Default: 30s.'),
    ),
    webhook_time: optional(
      choice(['wall', 'virtual'], 'Clock of the time in webhook signatures. Default: wall.'),
    ),
    token_time: optional(
      choice(['wall', 'virtual'], 'Clock of iat and exp in tokens. Default: wall.'),
    ),
    limits: optional(limits),
    webhooks: optional(webhooks),
  }),
  'How the service starts. Each scenario has a service of its own.',
)

/** The content of a scenario file. */
export const scenarioShape = object({
  scenario: text('Name of the scenario, for reports.'),
  given: optional(givenShape),
  steps: noted(nonempty(array(stepShape)), 'What happens, in this order.'),
})

export type WireScenario = Infer<typeof scenarioShape>

interface RootSchema extends JsonSchema {
  readonly $schema: string
  readonly title: string
}

/** For editors, and for what is said of unknown keys. */
export function scenarioSchema(): RootSchema {
  const schema = schemaOfShape(scenarioShape)
  const title = 'Scenario of coopshare'
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema }
}
