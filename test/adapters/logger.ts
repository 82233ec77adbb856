import t from 'tap'
import { redact } from '../../src/adapters/logger.ts'

t.test(
  'no value under a confidential name gets into the log, at the top or one level below',
  (t) => {
    const shown = redact({
      clientId: 'c-1',
      token: 'eyJ',
      request: { email: 'a@example.org', path: '/v1', authorization: undefined },
      list: ['x'],
      nothing: null,
    })
    t.strictSame(shown, {
      clientId: 'c-1',
      token: '[Redacted]',
      request: { email: '[Redacted]', path: '/v1', authorization: '[Redacted]' },
      list: ['x'],
      nothing: null,
    })
    t.end()
  },
)

t.test('an error is not redacted', (t) => {
  const error = new Error('full')
  t.equal(redact({ error })['error'], error)
  t.end()
})
