import { always } from './always.ts'
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
      ...contracts.map((contract) => () => contract.findDifference(step.operationId, answer)),
      ...[...always, ...(step.expect ?? [])].map((expect) => () => expect(answer, known)),
    ])
    return outcome(step.operationId, answer.status, difference)
  }
}

function unexpected(expected: Measured, { status, text, body }: Answer): string | undefined {
  const { code, error } = (body ?? {}) as { code?: string; error?: string }
  if (status !== expected.status) {
    const answered = ['answered', status, code ?? error].filter(Boolean).join(' ')
    return `${answered} instead of ${expected.status}`
  }
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
