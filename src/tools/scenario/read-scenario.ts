import { existsSync } from 'node:fs'
import { METHODS } from 'node:http'
import { dirname, resolve } from 'node:path'
import { glob, isDynamicPattern } from 'tinyglobby'
import { commandError } from '../../cli/errors.ts'
import {
  type Fault,
  findShapeFaults,
  type Path,
  parseLocated,
  renderFaults,
} from '../../cli/files/located-document.ts'
import { fileProblem, readText } from '../../cli/files/read-file.ts'
import { type FixtureFiles, readFixtureFiles } from '../../cli/read-fixture-files.ts'
import { findSimilar } from '../../cli/suggestions.ts'
import { parseWait } from '../../config/common-flags.ts'
import { Problem } from '../../domain/problem.ts'
import { describeBenchOperations, isBenchOperation } from '../../http/operation-ids.ts'
import { readFault } from '../../wire/bench.ts'
import type { JsonSchema } from '../../wire/json-schema.ts'
import {
  builtInReceiver,
  type StepName,
  type StepValue,
  scenarioSchema,
  scenarioShape,
  type WireScenario,
} from './step-shapes.ts'
import { hasVariable, mentions } from './variables.ts'

export { scenarioSchema }

export type Given = NonNullable<WireScenario['given']>

/** A step has one key. */
export type NamedStep = {
  readonly [Name in StepName]: { readonly name: Name; readonly value: StepValue<Name> }
}[StepName]

export interface LocatedStep {
  readonly step: NamedStep
  readonly line: number
}

export interface Scenario {
  readonly name: string
  readonly file: string
  readonly given: Given
  /** undefined if the scenario has no fixtures. */
  readonly fixtures: FixtureFiles | undefined
  readonly steps: readonly LocatedStep[]
}

/**
 * All files are read before the first scenario runs. The faults of all files are one error.
 * @param paths paths of files, and patterns that a shell has not expanded
 */
export async function readScenarios(
  paths: readonly string[],
  app: string | undefined,
): Promise<readonly Scenario[]> {
  const scenarios: Scenario[] = []
  const faults: string[] = []
  const files = await Promise.all(paths.map(expand))
  for (const file of files.flat()) {
    try {
      scenarios.push(await readScenario(file, app))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      faults.push(error.message)
    }
  }
  if (faults.length > 0) throw wrongFile(faults.join('\n'))
  return scenarios
}

/** Scripts of npm on Windows, and quotation marks, leave patterns as they are. */
async function expand(path: string): Promise<readonly string[]> {
  if (existsSync(path) || !isDynamicPattern(path)) return [path]
  const files = await glob(path, { dot: true, expandDirectories: false })
  if (files.length === 0) throw wrongFile(`No file matches ${path}.`)
  return files.sort()
}

export function wrongFile(message: string): Error {
  return commandError('WRONG_USAGE', message)
}

async function readScenario(file: string, app: string | undefined): Promise<Scenario> {
  const document = parseLocated(file, await readText(file))
  const faults = findShapeFaults(document.value, scenarioShape).map((fault) =>
    nameValidKeys(fault, document.value),
  )
  if (faults.length > 0) throw fileProblem(renderFaults(document, faults))
  const wire = document.value as WireScenario
  const further = [
    ...findContradictions(wire),
    ...findStepFaults(wire),
    ...(app === undefined ? findApps(wire) : []),
  ]
  if (further.length > 0) throw fileProblem(renderFaults(document, further))
  const { scenario: name, given = {} } = wire
  const paths = (given.fixtures ?? []).map((path) => resolve(dirname(file), path))
  return {
    name,
    file,
    given,
    fixtures: paths.length > 0 ? await readFixtureFiles(paths) : undefined,
    steps: wire.steps.map((step, index) => {
      const [name, value] =
        typeof step === 'string' ? [step, null] : (Object.entries(step)[0] ?? [])
      return { step: { name, value } as NamedStep, line: document.lineOf(['steps', index]) }
    }),
  }
}

function nameValidKeys({ path, fault }: Fault, value: unknown): Fault {
  if (fault !== 'unknown key') return { path, fault }
  const valid = validKeysAt(scenarioSchema(), value, path.slice(0, -1))
  const similar = findSimilar(String(path.at(-1)), valid)
  const meant = similar === undefined ? '.' : `, did you mean ${similar}?`
  return { path, fault: `unknown key${meant} Valid here: ${valid.join(', ')}` }
}

function validKeysAt(schema: JsonSchema, value: unknown, path: Path): readonly string[] {
  const options = optionsOf(schema).filter(({ properties, items }) => properties ?? items)
  const fitting = options.filter(({ required: [first = ''] = [] }) => first in Object(value))
  const likely = fitting.length > 0 ? fitting : options
  const [segment, ...rest] = path
  if (segment === undefined) {
    return [...new Set(likely.flatMap(({ properties = {} }) => Object.keys(properties)))]
  }
  const inner = (value as Readonly<Record<PropertyKey, unknown>>)[segment]
  return likely.flatMap(({ items, properties }) => {
    const next = items ?? properties?.[String(segment)]
    return next ? validKeysAt(next, inner, rest) : []
  })
}

function optionsOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf ? schema.anyOf.flatMap(optionsOf) : [schema]
}

function* findContradictions({ given = {}, steps }: WireScenario): Generator<Fault> {
  const { fixtures = [], demo, webhooks, backoff } = given
  if (fixtures.length === 0 && !demo) {
    yield { path: ['given'], fault: 'needs `fixtures: [FILE]` or `demo: true`' }
  }
  try {
    if (backoff !== undefined) parseWait(backoff)
  } catch (error) {
    yield { path: ['given', 'backoff'], fault: (error as Error).message }
  }
  const isBuiltIn = webhooks && (webhooks.to ?? builtInReceiver) === builtInReceiver
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'string') continue
    if (step.receiver === undefined || isBuiltIn) continue
    const fault = `needs \`given.webhooks\` with an organization and no \`to\`. To make another receiver fail, use \`fault: { on: delivery }\``
    yield { path: ['steps', index, 'receiver'], fault }
  }
}

/** What the service or the app could only refuse when the step is taken. */
function* findStepFaults({ steps }: WireScenario): Generator<Fault> {
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'string') continue
    const { fault, call, run, await: awaited, expect } = step
    const at = ['steps', index]
    if (fault !== undefined) yield* findFaultFaults([...at, 'fault'], fault)
    if (call !== undefined) yield* findRequestFaults([...at, 'call'], call)
    if (run !== undefined) yield* findRequestFaults([...at, 'run'], run)
    yield* findOperationFaults([...at, 'await', 'operation'], awaited?.operation)
    if (!expect) continue
    if ('journal' in expect) {
      yield* findOperationFaults([...at, 'expect', 'journal'], expect.journal)
    }
    if ('app' in expect) yield* findMethodFaults([...at, 'expect', 'method'], expect.method)
  }
}

function* findFaultFaults(path: Path, { on, ...fault }: StepValue<'fault'>): Generator<Fault> {
  yield* findOperationFaults([...path, 'on'], on)
  // The operation decides which effects are possible.
  if (hasVariable(on)) return
  try {
    readFault({ operation: on, ...fault })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    for (const [key, what = ''] of Object.entries(error.extra.errors ?? {})) {
      yield { path: [...path, key], fault: what }
    }
  }
}

function* findOperationFaults(path: Path, operation: string | undefined): Generator<Fault> {
  if (operation === undefined || hasVariable(operation) || isBenchOperation(operation)) return
  yield { path, fault: describeBenchOperations(operation) }
}

const withoutBody: readonly (string | undefined)[] = ['GET', 'HEAD']

function* findRequestFaults(path: Path, value: StepValue<'call'>): Generator<Fault> {
  const wanted = typeof value === 'string' ? { url: value, method: undefined } : value
  const split = splitMethod(wanted.url)
  const { target } = split
  const method = wanted.method ?? split.method
  yield* findMethodFaults(path, method)
  if (!/^(\$|https?:|\/)/.test(target)) {
    yield {
      path,
      fault: `${target} must be a path such as /v1/me, or a URL, which may start with $APP`,
    }
  }
  const hasBody = 'json' in wanted && wanted.json !== undefined
  if (hasBody && withoutBody.includes(method?.toUpperCase())) {
    yield { path, fault: `${method} cannot have a body: leave out \`json\` or \`method\`` }
  }
}

function* findMethodFaults(path: Path, method: string | undefined): Generator<Fault> {
  if (method === undefined || hasVariable(method) || METHODS.includes(method.toUpperCase())) return
  yield { path, fault: `${method} is not a method such as GET or POST` }
}

/** Splits `PUT /v1/me`. */
export function splitMethod(text: string): {
  readonly method: string | undefined
  readonly target: string
} {
  const [prefix = '', method] = /^([a-z-]+) +/i.exec(text) ?? []
  return { method, target: text.slice(prefix.length) }
}

function* findApps({ given, steps }: WireScenario): Generator<Fault> {
  const fault = 'uses $APP: give the address of your app with --app URL'
  if (mentions(given, 'APP')) yield { path: ['given'], fault }
  for (const [index, step] of steps.entries()) {
    if (mentions(step, 'APP')) yield { path: ['steps', index], fault }
  }
}
