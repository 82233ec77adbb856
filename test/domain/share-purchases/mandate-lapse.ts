import t from 'tap'
import { hasLapsed } from '../../../src/domain/share-purchases/mandate-lapse.ts'
import { parseTimestamp } from '../../../src/domain/timestamp.ts'

function instant(text: string) {
  const read = parseTimestamp(text)
  if (!read) throw new TypeError(`Not an instant: ${text}`)
  return read
}

t.test('a mandate lapses on the day after 36 calendar months, in Germany [D4]', async (t) => {
  for (const [used, now, expected] of [
    ['2023-11-20T12:00Z', '2026-11-20T22:59Z', false],
    ['2023-11-20T12:00Z', '2026-11-20T23:00Z', true],
    // Germany has summer time: the day begins at 22:00 in UTC.
    ['2023-06-30T22:00Z', '2026-07-01T21:59Z', false],
    ['2023-06-30T21:59Z', '2026-06-30T22:00Z', true],
    ['2024-02-29T12:00Z', '2027-02-28T12:00Z', false],
    ['2024-02-29T12:00Z', '2027-03-01T12:00Z', true],
    ['2025-02-28T12:00Z', '2028-02-28T12:00Z', false],
    ['2025-02-28T12:00Z', '2028-02-29T12:00Z', true],
    ['2025-03-01T12:00Z', '2028-02-29T12:00Z', false],
    ['2023-12-31T12:00Z', '2026-12-31T12:00Z', false],
    ['2023-12-31T12:00Z', '2027-01-01T12:00Z', true],
    // In Germany, the last hour of a year in UTC belongs to the next one.
    ['2023-12-31T22:59Z', '2026-12-31T23:00Z', true],
    ['2023-12-31T23:00Z', '2026-12-31T23:00Z', false],
    ['1900-01-01T00:00Z', '2026-11-20T12:00Z', true],
    ['2026-11-20T12:00Z', '2026-11-20T12:00Z', false],
    ['9999-12-31T00:00Z', '2026-11-20T12:00Z', false],
  ] as const) {
    t.equal(hasLapsed(instant(used), instant(now)), expected, `${used}, ${now}`)
  }
})
