import t from 'tap'
import {
  addSeconds,
  isCalendarDate,
  isInFuture,
  parseTimestamp,
  toTimestamp,
} from '../../src/domain/timestamp.ts'

t.test(
  'a timestamp needs an offset and is written in UTC with milliseconds [S-service-17] [D17]',
  async (t) => {
    for (const [text, expected] of [
      ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
      ['2026-11-20t10:00:00z', '2026-11-20T10:00:00.000Z'],
      ['2026-11-20T10:00:00.123456789Z', '2026-11-20T10:00:00.123Z'],
      ['2026-11-20T00:30:00+02:00', '2026-11-19T22:30:00.000Z'],
      ['2024-02-29T23:59:59-05:30', '2024-03-01T05:29:59.000Z'],
      ['2026-11-20T10:00:00', undefined],
      ['2026-11-20', undefined],
      ['2026-11-20 10:00:00Z', undefined],
      // Java leaves out seconds that are zero, and writes up to nine digits of others.
      ['2026-11-20T10:00Z', '2026-11-20T10:00:00.000Z'],
      ['2026-11-20T10:00+01:00', '2026-11-20T09:00:00.000Z'],
      ['2026-11-20t10:00z', '2026-11-20T10:00:00.000Z'],
      // PHP (DATE_ISO8601), Jackson and Python (%z) write no colon, and PostgreSQL no minutes.
      ['2026-11-20T10:00:00+0100', '2026-11-20T09:00:00.000Z'],
      ['2026-11-20T10:00:00.000-0530', '2026-11-20T15:30:00.000Z'],
      ['2026-11-20T10:00:00.5+01', '2026-11-20T09:00:00.500Z'],
      ['2026-11-20T10:00+00', '2026-11-20T10:00:00.000Z'],
      ['2026-11-20T10:00:00,25Z', '2026-11-20T10:00:00.250Z'],
      ['2026-11-20T10:00:00.1234567+00:00', '2026-11-20T10:00:00.123Z'],
      ['2026-11-20T10Z', undefined],
      ['2026-11-20T10:00.5Z', undefined],
      ['2026-11-20T10:00:Z', undefined],
      ['2026-11-20T10:0Z', undefined],
      ['2026-11-20T1000Z', undefined],
      ['2026-11-20T100000Z', undefined],
      ['20261120T100000Z', undefined],
      ['2026-11-20T10:00', undefined],
      ['2026-11-20T24:00Z', undefined],
      ['2026-11-20T10:60Z', undefined],
      ['2026-11-20T10:00+1', undefined],
      ['2026-11-20T10:00+100', undefined],
      ['2026-11-20T10:00+01:0', undefined],
      ['2026-11-20T10:00+01:60', undefined],
      ['2026-11-20T10:00+0160', undefined],
      ['2026-11-20T10:00+24', undefined],
      ['2026-11-20T10:00 +01:00', undefined],
      ['2026-11-20T10:00ZZ', undefined],
      ['2026-11-20T10:00Z[Europe/Berlin]', undefined],
      [' 2026-11-20T10:00Z', undefined],
      ['2026-11-20T10:00Z\n', undefined],
      ['2026-W47-5T10:00Z', undefined],
      ['2026-324T10:00Z', undefined],
      ['+002026-11-20T10:00Z', undefined],
      ['1763632800', undefined],
      ['Fri, 20 Nov 2026 10:00:00 GMT', undefined],
      ['2026-02-29T10:00:00Z', undefined],
      ['2026-13-01T10:00:00Z', undefined],
      ['2026-11-20T25:00:00Z', undefined],
      ['2026-11-20T24:00:00Z', undefined],
      ['2026-11-20T10:61:00Z', undefined],
      ['2026-11-20T10:00:00+24:00', undefined],
      ['9999-12-31T23:59:59-00:01', undefined],
      ['0000-01-01T00:00:00+00:01', undefined],
      ['1899-12-31T23:59:59Z', undefined],
      ['1900-01-01T00:00:00Z', '1900-01-01T00:00:00.000Z'],
      ['tomorrow', undefined],
    ] as const) {
      t.equal(parseTimestamp(text), expected, text)
    }
  },
)

t.test('timestamps that are sorted as strings are in chronological order', async (t) => {
  const instants = [-1, 0, 1, 1e9, 2e9].map((seconds) => toTimestamp(new Date(seconds * 1000)))
  t.strictSame([...instants].reverse().sort(), instants)
})

t.test('a time up to 60 s ahead does not count as the future', async (t) => {
  const now = toTimestamp(new Date('2026-11-20T10:00:00Z'))
  t.notOk(isInFuture(addSeconds(now, -1), now))
  t.notOk(isInFuture(addSeconds(now, 60), now))
  t.ok(isInFuture(addSeconds(now, 60.001), now))
})

t.test('a calendar date has the form yyyy-MM-dd and exists', async (t) => {
  for (const text of ['2024-02-29', '2000-02-29', '1999-12-31']) t.ok(isCalendarDate(text), text)
  for (const text of ['2023-02-29', '1900-02-29', '2024-00-10', '2024-04-31', '24-04-30', '']) {
    t.notOk(isCalendarDate(text), text)
  }
})
