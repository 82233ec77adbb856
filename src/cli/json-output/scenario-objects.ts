import {
  count,
  type JsonSchema,
  list,
  orNull,
  record,
  refer,
  text,
  truth,
} from '../../wire/json-schema.ts'
import type { RenderedScenario, renderRun } from '../scenario/report.ts'

export const scenarioObjects: Readonly<Record<string, JsonSchema>> = {
  'Scenario run': record<ReturnType<typeof renderRun>>({
    passed: count('Number of scenarios that passed.'),
    failed: count('Number of scenarios that failed.'),
    scenarios: list(refer('Played scenario'), 'In the order of the files.'),
  }),
  'Played scenario': record<RenderedScenario>({
    scenario: text('Name of the scenario.'),
    file: text('File of the scenario.'),
    passed: truth('Whether all was as the scenario says.'),
    steps: count('Number of its steps.'),
    duration_ms: count('How long it took, with the start of its service.'),
    failure: orNull(refer('Scenario failure', 'The step that failed; null if it passed.')),
  }),
  'Scenario failure': record<NonNullable<RenderedScenario['failure']>>({
    step: text('Key of the step, such as `expect`.'),
    line: count('Line of the step in the file.'),
    message: text('What is wrong, for people.'),
    expected: orNull({ description: 'What the scenario expects; null if that is not one value.' }),
    actual: orNull({ description: 'What was found instead; null if that is not one value.' }),
    journal: list(refer('Exchange'), 'The last requests and deliveries, oldest first.'),
  }),
}
