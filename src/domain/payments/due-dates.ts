import { Problem } from '../problem.ts'
import { addBankDays, addDays, type Day, firstBankDayFrom, isBankDay } from './bank-days.ts'
import type { CreditorTerms } from './creditor.ts'

/** Banks take no file further ahead. */
const maximumDaysAhead = 90

/** The first day on which a direct debit that is announced today may be due. */
export function earliestDueDate(
  { leadDays, noticeDays }: Pick<CreditorTerms, 'leadDays' | 'noticeDays'>,
  today: Day,
): Day {
  const [afterLead, afterNotice] = [addBankDays(today, leadDays), addDays(today, noticeDays)]
  return firstBankDayFrom(afterLead > afterNotice ? afterLead : afterNotice)
}

/** Refuses a due date on which banks do not work, or that is too early or too late, and names the next possible one. */
export function requireDueDate(
  due: Day,
  creditor: Pick<CreditorTerms, 'leadDays' | 'noticeDays'>,
  { today, cooperativeKey }: { readonly today: Day; readonly cooperativeKey: string },
): void {
  const earliest = earliestDueDate(creditor, today)
  const latest = addDays(today, maximumDaysAhead)
  const next = firstBankDayFrom(due > earliest ? due : earliest)
  const isTooEarly =
    due < addBankDays(today, creditor.leadDays) || due < addDays(today, creditor.noticeDays)
  const why = isTooEarly
    ? `is too early for ${cooperativeKey}, whose investors get notice ${creditor.noticeDays} days before, and whose bank needs the file ${creditor.leadDays} TARGET days before`
    : due > latest && due > earliest
      ? `is more than ${maximumDaysAhead} days ahead, and banks take no such file`
      : isBankDay(due)
        ? undefined
        : 'is not a TARGET day, so banks do not work on it'
  if (why === undefined) return
  const possible = next > latest && next > earliest ? earliest : next
  throw new Problem('VALIDATION_ERROR', `The due date ${due} ${why}. Possible is ${possible}.`, {
    errors: { due: `must be a possible due date, such as ${possible}` },
  })
}
