import t, { type Test } from 'tap'
import OrganizationCreate from '../../commands/organization/create.ts'
import WebhookDoctor from '../../commands/webhook/doctor.ts'
import WebhookList from '../../commands/webhook/list.ts'
import WebhookPause from '../../commands/webhook/pause.ts'
import WebhookRegister from '../../commands/webhook/register.ts'
import WebhookRemove from '../../commands/webhook/remove.ts'
import WebhookResume from '../../commands/webhook/resume.ts'
import WebhookRotateSecret from '../../commands/webhook/rotate-secret.ts'
import WebhookTest from '../../commands/webhook/test.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  type CommandContext,
  noSeed,
  runnerOn,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'
import { answerWith, startReceiver, verifySignature } from '../../fixtures/servers/receiver.ts'

const variable = 'COOPSHARE_ALLOW_PRIVATE_WEBHOOKS'
process.env[variable] = 'true'
t.teardown(() => delete process.env[variable])

withAndWithoutService(t, { seed: noSeed, test })

const unknown = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

async function test(t: Test, { run }: CommandContext<unknown>): Promise<void> {
  const receiver = await startReceiver(t)
  await run(OrganizationCreate, 'Demo Bank')
  await run(OrganizationCreate, 'Nordlicht Versicherung')
  const ofDemoBank = ['--organization', 'Demo Bank']
  const registered = await run(WebhookRegister, ...ofDemoBank, receiver.url, '--json')
  const { webhook_endpoint_id: id, signing_secret: secret } = registered.json

  await t.test('the signing secret is shown once', async (t) => {
    t.equal(registered.exitCode, 0)
    t.match(registered.json, { webhook_endpoint_id: String, url: receiver.url })
    t.match(secret, /^whsec_/)
    t.notMatch(registered.stderr, secret, 'not in the log of a script')
    const theirs = ['--organization', 'Nordlicht Versicherung', receiver.url]
    const people = await run(WebhookRegister, ...theirs)
    t.match(people.stdout, /^signing_secret +whsec_\S{43}$/m)
    t.match(people.stdout, 'cannot be shown again')
    for (const flags of [[], ['--json']]) {
      t.notMatch((await run(WebhookList, ...flags)).stdout, 'whsec_')
    }
  })

  await t.test(
    'a list of webhooks is complete, filtered by organization, or shortened by --limit',
    async (t) => {
      const listed = async (...flags: string[]) => (await run(WebhookList, ...flags, '--json')).json
      t.equal((await listed()).length, 2)
      t.equal((await listed('--limit', '1')).length, 1)
      t.match(
        await listed(...ofDemoBank),
        exactArrays([{ webhook_endpoint_id: id, url: receiver.url, organization: 'Demo Bank' }]),
      )
      t.equal((await listed(...ofDemoBank)).length, 1)
      t.match((await run(WebhookList)).stdout, /^ID +URL +PARTNER +TYPES +SUCCESS 24 H +PAUSED$/m)
    },
  )

  await t.test(
    'webhook test sends a signed event, and the exit code says whether the event was accepted',
    async (t) => {
      const tried = await run(WebhookTest, id)
      t.equal(tried.exitCode, 0)
      t.match(tried.stdout, /^Delivered: 204 from 127\.0\.0\.1 \(\d+ ms\)$/)
      const [received] = receiver.received.splice(0)
      t.ok(received && verifySignature(received, secret))
      receiver.answer = answerWith(500)
      const failed = await run(WebhookTest, id, '--json')
      t.equal(failed.exitCode, 4)
      t.match(failed.json, { webhook_endpoint_id: id, delivered: false, status: 500 })
      t.match(failed.stderr, 'Not delivered: The receiver answered 500.')
      receiver.answer = answerWith(204)
    },
  )

  await t.test(
    'the doctor prints one line for each check, and the exit code is 4 if one fails',
    async (t) => {
      const report = await run(WebhookDoctor, id)
      t.equal(report.exitCode, 4)
      const lines = report.stdout.split('\n')
      t.equal(lines.length, 6)
      t.match(lines[1], /^ok +dns +127\.0\.0\.1 resolves to 127\.0\.0\.1\.$/)
      t.match(lines[5], /^failed +wrong_signature +.*does not verify/)
      t.match(report.stderr, /^Not tested: .* Use `coopshare webhook certify`\.$/m)
      let asked = 0
      receiver.answer = (request, response) => {
        asked += 1
        answerWith(asked === 1 ? 204 : 401)(request, response)
      }
      const healthy = await run(WebhookDoctor, id, '--json')
      t.equal(healthy.exitCode, 0)
      t.match(healthy.json, { webhook_endpoint_id: id, url: receiver.url, healthy: true })
      t.match(healthy.json.checks[5], { check: 'wrong_signature', result: 'ok', detail: String })
      receiver.answer = answerWith(204)
      receiver.received.splice(0)
    },
  )

  await t.test('after a rotation the old secret is immediately no longer valid', async (t) => {
    const rotated = await run(WebhookRotateSecret, id, '--json')
    t.equal(rotated.exitCode, 0)
    await run(WebhookTest, id)
    const [received] = receiver.received.splice(0)
    if (!received) return t.fail('nothing arrived')
    t.ok(verifySignature(received, rotated.json.signing_secret))
    t.throws(() => verifySignature(received, secret))
    t.match((await run(WebhookRotateSecret, id)).stdout, /^signing_secret +whsec_\S{43}$/m)
  })

  await t.test(
    'the list shows whether an endpoint is paused and until when an old secret signs',
    async (t) => {
      const paused = await run(WebhookPause, id)
      t.match(paused.stdout, `coopshare webhook resume ${id}`)
      const listed = async () => (await run(WebhookList, ...ofDemoBank, '--json')).json[0]
      t.match((await listed()).paused_at, /^\d{4}-/)
      t.match((await run(WebhookList, '--utc')).stdout, / all +– +\d{4}-\S+Z$/m)
      await run(WebhookResume, id)
      t.equal((await listed()).paused_at, null)
      const rotated = await run(WebhookRotateSecret, id, '--overlap', '24h')
      const until = (await listed()).previous_secret_until
      t.match(rotated.stdout, `Deliveries are also signed with the old secret until ${until}.`)
      t.equal((await run(WebhookRotateSecret, id, '--overlap', '8d')).exitCode, 2)
    },
  )

  await t.test('a removed endpoint does not exist any more', async (t) => {
    const removed = await run(WebhookRemove, id, '--json')
    t.match(removed.json, { webhook_endpoint_id: id, ended_deliveries: 0 })
    t.match(removed.stderr, `Removed ${id}. Deliveries that were pending: 0.`)
    t.equal((await run(WebhookList, ...ofDemoBank, '--json')).json.length, 0)
  })

  await t.test(
    'the exit code is 3 for an unknown endpoint, 4 for a refused URL and 2 for wrong usage',
    async (t) => {
      for (const command of [WebhookRemove, WebhookRotateSecret, WebhookTest, WebhookDoctor]) {
        const missing = await run(command, unknown, '--json')
        t.equal(missing.exitCode, 3)
        t.equal(missing.json.error.code, 'WEBHOOK_ENDPOINT_NOT_FOUND')
        t.equal((await run(command)).exitCode, 2)
      }
      const nobody = await run(WebhookRegister, '--organization', 'Nobody', receiver.url)
      t.equal(nobody.exitCode, 3)
      const nowhere = await run(WebhookRegister, '--organization', 'Nobody', 'nonsense', '--json')
      t.equal(nowhere.exitCode, 3)
      t.equal(nowhere.json.error.code, 'ORGANIZATION_NOT_FOUND')
      const refused = await run(WebhookRegister, ...ofDemoBank, 'nonsense', '--json')
      t.equal(refused.exitCode, 4)
      t.equal(refused.json.error.code, 'WEBHOOK_URL_REFUSED')
      t.equal((await run(WebhookRegister, receiver.url)).exitCode, 2)
    },
  )
}

t.test('a webhook needs https and a public address unless private ones are allowed', async (t) => {
  delete process.env[variable]
  t.teardown(() => {
    process.env[variable] = 'true'
  })
  const run = runnerOn(t.testdir())
  await run(OrganizationCreate, 'Demo Bank')
  for (const url of ['http://8.8.8.8/', 'https://127.0.0.1/', 'https://169.254.169.254/']) {
    const refused = await run(WebhookRegister, '--organization', 'Demo Bank', url, '--json')
    t.equal(refused.exitCode, 4, url)
    t.equal(refused.json.error.code, 'WEBHOOK_URL_REFUSED')
  }
})

t.test('without a service, the error for an address names the variable to set', async (t) => {
  delete process.env[variable]
  t.teardown(() => {
    process.env[variable] = 'true'
  })
  const run = runnerOn(t.testdir())
  await run(OrganizationCreate, 'Demo Bank')
  const register = ['--organization', 'Demo Bank', 'http://127.0.0.1:3000/hooks']
  const refused = await run(WebhookRegister, ...register)
  t.equal(refused.exitCode, 4)
  t.match(refused.stderr, /^Error: The URL is refused: .*set COOPSHARE_ALLOW_PRIVATE_WEBHOOKS=true/)
  process.env[variable] = 'true'
  const { json } = await run(WebhookRegister, ...register, '--json')
  delete process.env[variable]
  for (const command of [WebhookTest, WebhookDoctor]) {
    const failed = await run(command, json.webhook_endpoint_id)
    t.equal(failed.exitCode, 4)
    t.match(failed.stderr, /set COOPSHARE_ALLOW_PRIVATE_WEBHOOKS=true/)
  }
})
