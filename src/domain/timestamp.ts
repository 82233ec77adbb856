declare const timestamp: unique symbol

/** An instant in UTC with milliseconds and `Z`, so that the order of texts is the order of instants. */
export type Timestamp = string & { readonly [timestamp]: true }

// ISO 8601 as RFC 3339 profiles it: the offset is not optional, because an instant without one is a guess; no day has
// an hour 24.
const withOffset =
  /^(\d{4})-(\d{2})-(\d{2})T(?:[01]\d|2[0-3]):\d{2}:\d{2}(\.\d{1,9})?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

export function timestampOf(instant: Date): Timestamp {
  return instant.toISOString() as Timestamp
}

// The offset can carry an instant out of the years 0000 to 9999, where texts no longer sort like instants.
const canonicalLength = '0000-00-00T00:00:00.000Z'.length

/** undefined when the text is no ISO 8601 instant with an offset, or names a day that does not exist. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = withOffset.exec(text)
  if (!match || !isCalendarDate(`${match[1]}-${match[2]}-${match[3]}`)) return undefined
  const instant = new Date(text)
  if (Number.isNaN(instant.getTime())) return undefined
  const canonical = timestampOf(instant)
  return canonical.length === canonicalLength ? canonical : undefined
}

export function addSeconds(at: Timestamp, seconds: number): Timestamp {
  return timestampOf(new Date(Date.parse(at) + seconds * 1000))
}

// Clocks differ; nothing else makes an honest sender's instant lie ahead of ours.
const clockDifferenceMs = 60_000

export function isInFuture(instant: Timestamp, now: Timestamp): boolean {
  return Date.parse(instant) > Date.parse(now) + clockDifferenceMs
}

/** yyyy-MM-dd, and a day that exists: `2023-02-29` does not. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  // A day too many is the first one of the next month.
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(-2))
}
