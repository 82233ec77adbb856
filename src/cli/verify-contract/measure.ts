import { always } from './always.ts'
import { isBody } from './expectations.ts'
import type { Answer, PinnedContract } from './pinned-contract.ts'
import type { Expectation, Known, Step } from './step.ts'
import { outcome, type VerifiedOperation } from './verified-operation.ts'

export type Measured = Pick<Step, 'operationId' | 'status' | 'code' | 'text' | 'expect'>
export type Measure = (step: Measured, answer: Answer, known: Known) => Promise<VerifiedOperation>

/** By what was to be expected, by every published version, and by what was learnt on the way. */
export function measuringBy(contracts: readonly PinnedContract[]): Measure {
  return async (step, answer, known) => {
    const difference = await findFirst([
      () => unexpected(step, answer),
      ...measuredBy(step, answer).map(
        (contract) => () => contract.findDifference(step.operationId, answer),
      ),
      ...[...always, ...(step.expect ?? [])].map((expect) => () => expect(answer, known)),
    ])
    return outcome(step.operationId, answer.status, difference)
  }

  /** An operation, or a status of it, may be newer than the oldest version. */
  function measuredBy({ operationId }: Measured, { status }: Answer): readonly PinnedContract[] {
    const able = contracts.filter((contract) => contract.has(operationId, status))
    return able.length > 0 ? able : contracts.slice(0, 1)
  }
}

function redirectOf({ status, headers }: Answer): string[] {
  const location = headers.get('location')
  return status >= 300 && status < 400 && location !== null ? [`to ${location}`] : []
}

function nameOf(code: unknown): string | undefined {
  return typeof code === 'string' ? code : undefined
}

function unexpected(expected: Measured, answer: Answer): string | undefined {
  const { status, text, body } = answer
  const { code, error } = isBody(body) ? body : {}
  if (status !== expected.status) {
    const answered = ['answered', status, nameOf(code ?? error), ...redirectOf(answer)]
      .filter(Boolean)
      .join(' ')
    return `${answered} instead of ${expected.status}`
  }
  if (answer.unread !== undefined) return answer.unread
  if (expected.code !== undefined && code !== expected.code) {
    return `/code is ${JSON.stringify(code)} instead of "${expected.code}"`
  }
  const isAsPublished = expected.text === undefined || expected.text === text
  return isAsPublished ? undefined : 'is not the document that was published'
}

async function findFirst(
  checks: readonly (() => ReturnType<Expectation>)[],
): Promise<string | undefined> {
  for (const check of checks) {
    const difference = await check()
    if (difference !== undefined) return difference
  }
  return undefined
}
