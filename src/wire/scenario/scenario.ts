import { array, type Infer, nonempty, object, optional } from 'superstruct'
import type { JsonSchema } from '../json-schema.ts'
import { schemaOfShape } from '../schema-of-shape.ts'
import { givenShape } from './given.ts'
import { noted, text } from './parts.ts'
import { stepShape } from './steps.ts'

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
