declare const timestamp: unique symbol

/** An instant in UTC with milliseconds and `Z`. The order of such texts is the order of the instants. */
export type Timestamp = string & { readonly [timestamp]: true }

// ISO 8601 in the extended format, in the variants that serializers write: Java leaves out seconds that
// are zero, PHP, Jackson and Python's %z the colon of the offset, and PostgreSQL its minutes. The offset
// is required, because an instant without one is ambiguous. The hour 24 is not allowed.
const withOffset =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d)(?:(:\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+-](?:[01]\d|2[0-3]))(?::?([0-5]\d))?)$/i

export function toTimestamp(instant: Date): Timestamp {
  return instant.toISOString() as Timestamp
}

// No living person signed anything earlier. After the year 9999, the order of texts is no longer
// the order of instants, and an offset may lead beyond it.
const [firstDay, lastDay] = ['1900-01-01', '9999-12-31']
const canonicalLength = '0000-00-00T00:00:00.000Z'.length

/** Returns undefined for a text in which timestampError finds an error. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const instant = readInstant(text)
  return instant instanceof Date ? toTimestamp(instant) : undefined
}

/**
 * Returns why a text is not an ISO 8601 instant with an offset, on an existing day in a plausible
 * year. Returns undefined if it is one.
 */
export function timestampError(text: string): string | undefined {
  const instant = readInstant(text)
  return instant instanceof Date ? undefined : instant
}

/** Returns the instant, or what is wrong with the text. */
function readInstant(text: string): Date | string {
  const [, day, time, seconds = ':00', fraction = '0', hours, minutes = '00'] =
    withOffset.exec(text) ?? []
  if (day === undefined) return formFault
  if (!isCalendarDate(day)) return 'must be on an existing day'
  if (seconds === ':60') return leapSecondFault
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes}`
  const instant = new Date(`${day}T${time}${seconds}.${fraction}${offset}`)
  if (Number.isNaN(instant.getTime())) return formFault
  const canonical = toTimestamp(instant)
  const isInRange = canonical.length === canonicalLength && canonical >= firstDay
  return isInRange ? instant : `must be between ${firstDay} and ${lastDay}`
}

const formFault = 'must be a timestamp with an offset, such as 2026-03-31T09:30:00+02:00'

// Clocks of computers have none, so it would be the same instant as another one.
const leapSecondFault = 'must not be in a leap second (60): use the second before or after it'

export function addSeconds(at: Timestamp, seconds: number): Timestamp {
  return toTimestamp(new Date(Date.parse(at) + seconds * 1000))
}

/** The first instant that is later: none is more exact than a millisecond. */
export function nextInstant(instant: Timestamp): Timestamp {
  return addSeconds(instant, 0.001)
}

/** Now, or the first instant after the last time if the clock stands, was set back, or belongs to a slower instance. */
export function nowAfter(last: Timestamp | undefined, now: Timestamp): Timestamp {
  return last !== undefined && last >= now ? nextInstant(last) : now
}

// The clock of an honest sender can be ahead of ours by this much.
const clockDifferenceMs = 60_000

export function isInFuture(instant: Timestamp, now: Timestamp): boolean {
  return Date.parse(instant) > Date.parse(now) + clockDifferenceMs
}

/** Whether a text is yyyy-MM-dd and the day exists, unlike `2023-02-29`. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  // JavaScript reads a day that does not exist as a day of the next month.
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(-2))
}

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** The milliseconds in `500ms`, `6s`, `2m`, `3h` or `3d`; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (unitMs[unit] ?? 0)
}

/** The form that `parseDuration` reads, in the largest unit without a remainder. */
export function renderDuration(ms: number): string {
  const [unit, size] = Object.entries(unitMs).findLast(([, size]) => ms % size === 0) ?? ['ms', 1]
  return `${ms / size}${unit}`
}

export const durationForms = 'such as 500ms, 6s, 2m, 3h or 3d'

/** The time zone of the platform, in which a day begins. */
export const platformTimeZone = 'Europe/Berlin'

let platformDays: Intl.DateTimeFormat | undefined

/** The days of hours in UTC, because days of the platform begin with one, and a store has many instants of an hour. */
const daysOfHours = new Map<string, string>()
const mostHours = 10_000

/** The day of an instant on the calendar of the platform, as yyyy-MM-dd. */
export function platformDay(instant: Timestamp): string {
  const hour = instant.slice(0, 'yyyy-MM-ddTHH'.length)
  const known = daysOfHours.get(hour)
  if (known !== undefined) return known
  // Creating it takes milliseconds, which no start should wait for. Sweden writes yyyy-MM-dd.
  platformDays ??= new Intl.DateTimeFormat('sv', { timeZone: platformTimeZone })
  const day = platformDays.format(new Date(instant))
  if (daysOfHours.size >= mostHours) daysOfHours.clear()
  daysOfHours.set(hour, day)
  return day
}

/** A day this number of days later, as yyyy-MM-dd. */
export function addDays(day: string, days: number): string {
  return addSeconds(`${day}T00:00:00.000Z` as Timestamp, days * 24 * 3600).slice(0, day.length)
}

/** The beginning of a day of the platform, such as `2026-03-29`; any other text stays the same. */
export function startOfDay(day: string): string {
  if (!isCalendarDate(day)) return day
  // Creating the first one takes 4 ms, which no start should wait for.
  const offsets = new Intl.DateTimeFormat('en', {
    timeZone: platformTimeZone,
    timeZoneName: 'longOffset',
  })
  // The clocks change later in the night.
  const parts = offsets.formatToParts(new Date(`${day}T00:00:00Z`))
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value
  return `${day}T00:00:00${name?.slice('GMT'.length) || 'Z'}`
}
