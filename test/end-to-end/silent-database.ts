import { join } from 'node:path'
import t from 'tap'
import { signIn } from '../../fixtures/partner-client.ts'
import { openSlowLine } from '../../fixtures/postgres/slow-line.ts'
import { serve } from '../../fixtures/served.ts'
import { createInstances } from '../../fixtures/served-instances.ts'

t.test('SIGTERM ends a service within 10 s whose database says nothing any more', async (t) => {
  const { database, seed, argv } = await createInstances(t)
  const line = await openSlowLine(t, database.url)
  const far = argv.map((word) => (word === database.url ? line.url : word))
  // The encryption key lies beside it.
  const dataDirectory = join(t.testdirName, 'far')
  const served = await serve(t, ['--data-dir', dataDirectory, '--log-level', 'silent', ...far])
  const credentials = { client_id: seed.clientId, client_secret: seed.clientSecret }
  const partner = await signIn(served.listening_url, credentials)
  const order = (key: string) => partner.order(seed.investorId, seed.cooperativeId, key)
  t.equal((await order('before')).status, 201)
  const swallowed = line.swallow()
  const unanswered = Promise.allSettled(['one', 'two', 'three'].map(order))
  await swallowed
  const startedAt = performance.now()
  t.match(await served.stop(), { code: 0, signal: null })
  t.ok(performance.now() - startedAt < 10_000)
  await unanswered
})
