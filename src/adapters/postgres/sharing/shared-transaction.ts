import type { Records } from '../../../ports/store.ts'
import { createRecords } from '../records/records.ts'
import type { Transaction } from '../transaction.ts'
import type { CountedAnswers } from './counted-answers.ts'
import { Member } from './member.ts'
import { sendChanges } from './send-changes.ts'
import { SharedQuestions } from './shared-questions.ts'

export type Work = (records: Records) => Promise<unknown>

/** What became of one work; `alone` when it has to be done in a transaction of its own. */
export type Outcome = PromiseSettledResult<unknown> | { readonly status: 'alone' }

export interface Sharing {
  readonly works: readonly Work[]
  readonly counted: CountedAnswers
  /** Called when all that they put has been sent. */
  readonly noteSent: () => void
}

/**
 * Carries out works in one transaction, as if one after the other: none of them has anything in its hands that another
 * one has, and what they put is sent when all of them have ended, so that one that fails leaves nothing behind.
 */
export async function shareTransaction(
  transaction: Transaction,
  { works, counted, noteSent }: Sharing,
): Promise<readonly Outcome[]> {
  const questions = new SharedQuestions(transaction, counted)
  const taken = new Map<string, Member>()
  const members = works.map(() => new Member(questions, taken))
  const ended = await Promise.allSettled(
    members.map(async (member, index) => works[index]?.(createRecords(member))),
  )
  if (transaction.failure) throw transaction.failure
  const outcomes = ended.map((end, index) =>
    members[index]?.hasLeft ? ({ status: 'alone' } as const) : end,
  )
  sendChanges(
    transaction,
    members.filter((_, index) => outcomes[index]?.status === 'fulfilled'),
  )
  noteSent()
  return outcomes
}
