import { benchObjects } from '../../http/bench/outputs.ts'
import {
  answerObjects,
  describeOperation,
  type OperationName,
  operationNames,
} from '../../operations/operations.ts'
import type { RenderedScenario, renderRun } from '../../tools/scenario/run-scenario.ts'
import type { ServiceOfCommand } from '../../tools/with/run-with-service.ts'
import {
  bool,
  byName,
  count,
  either,
  id,
  type JsonSchema,
  list,
  nameOf,
  orNull,
  record,
  refer,
  text,
} from '../../wire/json-schema.ts'
import type { RenderedError } from '../errors.ts'
import { commandObjects } from './command-objects.ts'

const scenarioObjects: Readonly<Record<string, JsonSchema>> = {
  'Scenario run': record<ReturnType<typeof renderRun>>({
    passed: count('Number of scenarios that passed.'),
    failed: count('Number of scenarios that failed.'),
    scenarios: list(refer('Played scenario'), 'The scenarios, in the order of the files.'),
  }),
  'Played scenario': record<RenderedScenario>({
    scenario: text('Name of the scenario.'),
    file: text('File of the scenario.'),
    passed: bool('Whether everything happened as the scenario says.'),
    steps: count('Number of its steps.'),
    duration_ms: count('Milliseconds that the scenario took, including the start of its service.'),
    failure: orNull(
      refer('Scenario failure', 'The step that failed; null if the scenario passed.'),
    ),
  }),
  'Scenario failure': record<NonNullable<RenderedScenario['failure']>>({
    step: text('Key of the step, such as `expect`.'),
    line: count('Line of the step in the file.'),
    message: text('What is wrong, for people.'),
    expected: orNull({ description: 'Expected value; null if more than one value is expected.' }),
    actual: orNull({ description: 'Actual value; null if there is more than one.' }),
    journal: list(refer('Exchange'), 'The last requests and deliveries, oldest first.'),
  }),
}

/** Outputs of commands in place of results that failed. */
const failureObjects: Readonly<Record<string, JsonSchema>> = {
  Error: record<RenderedError>(
    {
      code: text('Code of the error; see [Errors](errors.md).'),
      message: text('Message for people, which may change in later versions.'),
      errors: byName(text(''), 'Message for each invalid field, by its path.'),
    },
    ['errors'],
  ),
  'Failed share purchase': record<{ share_purchase_id: string; error: RenderedError }>({
    share_purchase_id: text('The id that you gave.'),
    error: refer('Error', 'Why the share purchase was not changed.'),
  }),
  'Failed erasure': record<{ investor_id: string; error: RenderedError }>({
    investor_id: text('The id that you gave.'),
    error: refer('Error', 'Why the person was not erased.'),
  }),
  'Failed event': record<{ event_id: string; error: RenderedError }>({
    event_id: text('The id that you gave.'),
    error: refer('Error', 'Why the event was not replayed.'),
  }),
}

const known: Readonly<Record<string, JsonSchema>> = {
  ...answerObjects(),
  ...failureObjects,
  ...commandObjects,
  ...benchObjects,
  'Service of a command': record<ServiceOfCommand>({
    base_url: text('Address of the partner API.'),
    operator_url: text('Address of the operator endpoint.'),
    client_id: id('Client whose secret the command gets.'),
  }),
  ...scenarioObjects,
}

interface CommandOutput {
  readonly schema: JsonSchema
  /** Whether the command prints one object per line while it runs, errors included. */
  readonly isLines?: true
  readonly note?: string
}

const one = (name: string): CommandOutput => ({ schema: refer(name) })
const many = (name: string): CommandOutput => ({ schema: list(refer(name)) })
const lines = (...names: string[]): CommandOutput => ({
  schema: either(...names.map((name) => refer(name))),
  isLines: true,
})

const decided: CommandOutput = {
  schema: either(
    refer('Share purchase row'),
    list(either(refer('Share purchase row'), refer('Failed share purchase'))),
    refer('Share purchase preview'),
  ),
  note: 'One object if you give one id, otherwise a list. With `--dry-run`, a preview.',
}

/** Operations that no command of the same name calls. */
const withoutCommand: readonly OperationName[] = [
  'event.count',
  'event.follow',
  'event.follow_from_now',
  'purchase.preview',
  'token.issue',
]

/** Most commands print the answer of the operation with the same name. */
const answers = operationNames
  .filter((name) => !withoutCommand.includes(name))
  .map((name) => [
    name.replace('.', ':').replaceAll('_', '-'),
    { schema: describeOperation(name).answer.schema },
  ])

/** The output of each command. A test checks every command against this table. */
export const outputs: Readonly<Record<string, CommandOutput>> = {
  ...Object.fromEntries(answers),
  'audit:export': lines('Audit entry'),
  'bench:coverage': one('Bench coverage'),
  'bench:reset': one('Bench clock'),
  'clock:advance': one('Bench clock'),
  'clock:show': one('Bench clock'),
  'clock:to': one('Bench clock'),
  completion: one('Script'),
  'contract:export': one('Files'),
  'contract:verify': one('Verified contract'),
  'event:replay': {
    schema: either(
      refer('Replayed event'),
      list(either(refer('Replayed event'), refer('Failed event'))),
      refer('Replay report'),
    ),
    note: 'One object if you give one id, a list if you give several ids, and a report if you give a filter.',
  },
  'fault:add': one('Fault'),
  'fault:clear': one('Removed'),
  'fault:list': many('Fault'),
  'fixtures:export': one('Fixture file'),
  help: one('Help'),
  'investor:erase': {
    schema: either(
      refer('Erased investor'),
      list(either(refer('Erased investor'), refer('Failed erasure'))),
    ),
    note: 'One object if you give one id, otherwise a list.',
  },
  'journal:await': many('Exchange'),
  'journal:clear': one('Removed'),
  'journal:list': many('Exchange'),
  listen: {
    ...lines('Listener', 'Forwarded event', 'Signing secret'),
    note: 'First the listener, then each attempt. With `--print-secret`, only the signing secret.',
  },
  'maintenance:off': one('Maintenance'),
  'maintenance:on': one('Maintenance'),
  'purchase:approve': decided,
  'purchase:cancel': decided,
  'purchase:confirm': decided,
  'purchase:reject': decided,
  'purchase:settle': decided,
  'scenario:run': one('Scenario run'),
  'scenario:schema': { schema: { type: 'object', description: 'A JSON Schema.' } },
  serve: { ...lines('Service'), note: 'Printed once, when the service is ready.' },
  'signature:sign': one('Signature'),
  'signature:verify': one('Verified signature'),
  'store:backup': one('Backup'),
  'store:copy': one('Copied store'),
  'store:migrate': one('Migrations'),
  'store:reopen': one('Reopened store'),
  'store:restore': one('Restored store'),
  'store:salvage': one('Salvaged store'),
  'store:verify-backup': one('Verified backup'),
  tail: {
    ...lines('Followed request', 'Exchange'),
    note: 'With `serve --bench`, exchanges; otherwise, requests without their content.',
  },
  token: one('Access token'),
  'tokens:expire': one('Expired tokens'),
  'webhook:certify': one('Receiver certificate'),
  'webhook:receive': {
    ...lines('Receiver address', 'Received webhook'),
    note: 'First the address of the receiver, then each webhook.',
  },
  with: {
    ...lines('Service of a command'),
    note: 'Printed to stderr when the service is ready. stdout belongs to the command.',
  },
}

/** Every command prints this when it fails. */
export const failure: JsonSchema = record<{ error: unknown }>({
  error: refer('Error', 'Why the command failed.'),
})

/** The objects that commands print, by name. */
export const objects: Readonly<Record<string, JsonSchema>> = objectsIn([
  failure,
  ...Object.values(outputs).map(({ schema }) => schema),
])

/** All objects to which schemas refer, directly or through others. */
function objectsIn(schemas: readonly JsonSchema[]): Readonly<Record<string, JsonSchema>> {
  const found = new Map<string, JsonSchema>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { $ref } = node as JsonSchema
    const name = $ref === undefined ? '' : nameOf($ref)
    const object = known[name]
    if (object && !found.has(name)) {
      found.set(name, object)
      visit(object)
    }
    for (const member of Object.values(node)) visit(member)
  }
  for (const schema of schemas) visit(schema)
  return Object.fromEntries(found)
}
