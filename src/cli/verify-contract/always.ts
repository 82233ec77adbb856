import { expectOwnRequestId, expectOwnScripts, expectUtf8 } from './expect-headers.ts'
import { expectNothingWithdrawn } from './expect-nothing-withdrawn.ts'
import { expectPage } from './expect-page.ts'
import { expectProblem } from './expect-problem.ts'
import { expectTotals } from './expect-terms.ts'
import type { Expectation } from './step.ts'

/** What holds for every answer, whatever was asked. */
export const always: readonly Expectation[] = [
  expectOwnRequestId,
  expectUtf8,
  expectOwnScripts,
  expectProblem,
  expectPage,
  expectTotals,
  expectNothingWithdrawn,
]
