import { isCalendarDate, type Timestamp } from '../timestamp.ts'

const greatestAge = 120

/** What is implausible about it; undefined when nothing is. */
export function birthDateFault(birthDate: string, now: Timestamp): string | undefined {
  if (!isCalendarDate(birthDate)) return 'must be a day that exists, as yyyy-MM-dd'
  const today = now.slice(0, 'yyyy-MM-dd'.length)
  if (birthDate >= today) return 'must be at least a day ago'
  const earliest = `${Number(today.slice(0, 4)) - greatestAge}${today.slice(4)}`
  return birthDate < earliest ? `must be at most ${greatestAge} years ago` : undefined
}
