import { writeFile } from 'node:fs/promises'
import { rethrowWithPath } from '../files/read-file.ts'
import { type JunitCase, renderJunit } from '../junit.ts'
import { describeExchange } from './exchanges.ts'
import type { Failure, PlayedScenario } from './run-scenario.ts'

/** For people, as soon as it has ended. */
export function describePlayed({ scenario, seconds, failure }: PlayedScenario): string[] {
  const { name, file, steps } = scenario
  if (!failure) return [`passed  ${name} (${steps.length} steps, ${seconds.toFixed(1)} s)`]
  return [`FAILED  ${name} (${seconds.toFixed(1)} s)`, ...describeFailure(file, failure)]
}

function describeFailure(file: string, failure: Failure): string[] {
  const { step, line, message, expected, actual, journal } = failure
  const values = [
    ...(expected === undefined ? [] : [`  expected  ${JSON.stringify(expected)}`]),
    ...(actual === undefined ? [] : [`  actual    ${JSON.stringify(actual)}`]),
  ]
  const last = journal.flatMap(describeExchange).map((text) => `  ${text}`)
  return [
    `${file}:${line}: ${step}: ${message}`,
    ...values,
    ...(last.length > 0 ? ['The last requests and deliveries:', ...last] : []),
  ].map((text) => `        ${text}`)
}

export function renderPlayed({ scenario, seconds, failure }: PlayedScenario) {
  return {
    scenario: scenario.name,
    file: scenario.file,
    passed: failure === undefined,
    steps: scenario.steps.length,
    duration_ms: Math.round(1000 * seconds),
    failure: failure
      ? {
          step: failure.step,
          line: failure.line,
          message: failure.message,
          expected: failure.expected ?? null,
          actual: failure.actual ?? null,
          journal: failure.journal,
        }
      : null,
  }
}

export type RenderedScenario = ReturnType<typeof renderPlayed>

export function renderRun(played: readonly PlayedScenario[]) {
  const failed = played.filter(({ failure }) => failure).length
  return {
    passed: played.length - failed,
    failed,
    scenarios: played.map(renderPlayed),
  }
}

export async function writeJunit(file: string, played: readonly PlayedScenario[]): Promise<void> {
  const text = renderJunit({ name: 'scenario run', cases: played.map(junitCaseOf) })
  await writeFile(file, text).catch(rethrowWithPath(file))
}

function junitCaseOf({ scenario, seconds, failure }: PlayedScenario): JunitCase {
  const { name, file } = scenario
  const shared = { classname: file, name, seconds }
  if (!failure) return shared
  const text = describeFailure(file, failure).join('\n')
  return { ...shared, failure: { message: `line ${failure.line}: ${failure.message}`, text } }
}
