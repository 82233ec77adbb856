import t from 'tap'
import { recordingLogger } from '../../../fixtures/world/recorders.ts'
import { supportEndedOn, warnOfOldRuntime } from '../../../src/cli/serve/start-serving.ts'
import { toTimestamp } from '../../../src/domain/timestamp.ts'

const at = (text: string) => toTimestamp(new Date(text))

t.test('a Node version has support until the end of its last day', (t) => {
  const rows: [version: string, now: string, lastDay: string | undefined][] = [
    ['20.20.2', '2026-04-30T23:59:59.999Z', undefined],
    ['20.20.2', '2026-05-01T00:00:00.000Z', '2026-04-30'],
    ['22.23.3', '2026-11-23T00:00:00.000Z', undefined],
    ['22.23.3', '2027-05-01T00:00:00.000Z', '2027-04-30'],
    ['23.11.1', '2026-11-23T00:00:00.000Z', '2025-06-01'],
    ['24.9.0', '2026-11-23T00:00:00.000Z', undefined],
    ['99.0.0', '2099-01-01T00:00:00.000Z', undefined],
  ]
  for (const [version, now, lastDay] of rows) {
    t.equal(supportEndedOn(version, at(now)), lastDay, `Node ${version} at ${now}`)
  }
  t.end()
})

t.test('the warning appears only in production and only for Node', (t) => {
  const now = at('2026-11-23T00:00:00.000Z')
  const linesOf = (environment: 'production' | 'staging', versions: object) => {
    const logger = recordingLogger()
    const under = { ...process.versions, deno: undefined, ...versions }
    warnOfOldRuntime({ environment, logger, now }, under)
    return logger.lines
  }
  t.strictSame(linesOf('production', { node: '20.20.2' }), [
    {
      level: 'warn',
      fields: { node: '20.20.2', supportEnded: '2026-04-30' },
      message: 'this version of Node no longer gets security fixes',
    },
  ])
  t.strictSame(linesOf('production', { node: '22.23.3' }), [])
  t.strictSame(linesOf('production', { node: '20.20.2', deno: '2.9.5' }), [])
  t.strictSame(linesOf('staging', { node: '20.20.2' }), [])
  t.end()
})
