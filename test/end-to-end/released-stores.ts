import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from '@oclif/core'
import t, { type Test } from 'tap'
import AuditList from '../../commands/audit/list.ts'
import ClientList from '../../commands/client/list.ts'
import ClientShow from '../../commands/client/show.ts'
import CooperativeList from '../../commands/cooperative/list.ts'
import CooperativeShow from '../../commands/cooperative/show.ts'
import EventList from '../../commands/event/list.ts'
import EventShow from '../../commands/event/show.ts'
import Find from '../../commands/find.ts'
import FixturesExport from '../../commands/fixtures/export.ts'
import InvestorList from '../../commands/investor/list.ts'
import InvestorShow from '../../commands/investor/show.ts'
import KeyList from '../../commands/key/list.ts'
import OperatorList from '../../commands/operator/list.ts'
import OrganizationList from '../../commands/organization/list.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import PurchaseShow from '../../commands/purchase/show.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCopy from '../../commands/store/copy.ts'
import WebhookList from '../../commands/webhook/list.ts'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { signIn } from '../../fixtures/program/partner-client.ts'
import { parseServeConfig, runCommand } from '../../fixtures/program/run-command.ts'
import { startReceiver } from '../../fixtures/servers/receiver.ts'
import {
  differences,
  type Place,
  placeNames,
  type Recorded,
  readRecorded,
  releasedVersions,
  reopen,
  unpackReleased,
  unpackReleasedWithOwnKey,
} from '../../fixtures/stores/released-stores.ts'
import { createWebhookSender } from '../../src/adapters/webhook-sender/webhook-sender.ts'
import { startServing } from '../../src/cli/serve/start-serving.ts'
import type { WebhookRequest } from '../../src/ports/webhook-sender.ts'

t.teardown(stopServer)

const commands: Readonly<Record<string, typeof Command>> = {
  'audit list': AuditList,
  'client list': ClientList,
  'client show': ClientShow,
  'cooperative list': CooperativeList,
  'cooperative show': CooperativeShow,
  'event list': EventList,
  'event show': EventShow,
  find: Find,
  'fixtures export': FixturesExport,
  'investor list': InvestorList,
  'investor show': InvestorShow,
  'key list': KeyList,
  'operator list': OperatorList,
  'organization list': OrganizationList,
  'purchase list': PurchaseList,
  'purchase show': PurchaseShow,
  'webhook list': WebhookList,
}

async function run(question: string, place: Place) {
  const [name = ''] = Object.keys(commands).filter((one) => `${question} `.startsWith(`${one} `))
  const command = commands[name]
  if (!command) throw new Error(`The test does not know \`${question}\`.`)
  const argv = question.split(' ').slice(name.split(' ').length)
  return (await runCommand(command, ...argv, '--json', ...place)).json
}

async function requireSound(t: Test, place: Place): Promise<void> {
  const { json } = await runCommand(StoreCheck, '--json', ...place)
  t.match(json, { sound: true })
  t.strictSame(json.problems, [])
  t.ok(json.sealed_values > 0, 'encrypted values were decrypted')
}

async function requireAnswers(t: Test, place: Place, { commands }: Recorded): Promise<void> {
  for (const [question, answer] of Object.entries(commands)) {
    const answered = await run(question, place)
    // The restore of a backup is in the audit, too.
    const isOfStore = ({ operation }: { operation: string }) => operation !== 'store.restore'
    const compared = question === 'audit list' ? answered.filter(isOfStore) : answered
    t.strictSame(differences(answer, compared), [], question)
  }
}

async function requireServed(t: Test, place: Place, { known }: Recorded): Promise<void> {
  const config = await parseServeConfig([...place, '--no-investor-mail'])
  const serving = await startServing(config, async () => {})
  try {
    for (const client of known.clients) {
      const { client_id, client_secret } = client
      const partner = await signIn(serving.listeningUrl, { client_id, client_secret })
      t.match(await partner.send('GET', '/v1/me'), { status: 200, body: { client_id } })
    }
    t.equal((await checkedFetch(`${serving.listeningUrl}/readyz`)).status, 200)
  } finally {
    await serving.close()
  }
}

async function requirePartnerAnswers(t: Test, place: Place, recorded: Recorded): Promise<void> {
  await reopen(place, recorded, async ({ request, tokenOf }) => {
    const tokens = new Map<string, string>()
    for (const { client_id } of recorded.known.clients) {
      tokens.set(client_id, await tokenOf(client_id))
    }
    const ask = async (method: string, clientId: string, path: string, more = {}) =>
      request(method, path, { token: tokens.get(clientId), ...more })
    const recordedAt = (clientId: string, path: string) =>
      recorded.partner_api[`${clientId} ${path}`]

    await t.test('reads give the recorded answers', async (t) => {
      for (const [question, answer] of Object.entries(recorded.partner_api)) {
        const [clientId = '', path = ''] = question.split(' ')
        const { body } = await ask('GET', clientId, path)
        t.strictSame(differences(answer, body), [], question)
      }
    })
    await t.test('a retry with a recorded key is a replay', async (t) => {
      for (const { client_id, path, body, key, answer } of recorded.known.orders) {
        const headers = { 'idempotency-key': key }
        const replayed = await ask('POST', client_id, path, { body, headers })
        t.equal(replayed.status, 201, key)
        t.equal(replayed.headers.get('idempotent-replayed'), 'true', key)
        const now = recordedAt(client_id, `${path}/${answer.share_purchase_id}`)
        t.strictSame(differences(now, replayed.body), [], key)
        const other = { ...body, share_count: body.share_count + 1 }
        const refused = await ask('POST', client_id, path, { body: other, headers })
        t.match(refused, { status: 409, body: { code: 'IDEMPOTENCY_KEY_CONFLICT' } }, key)
      }
    })
    await t.test('a provisioning', async (t) => {
      for (const { client_id, path, body, answer } of recorded.known.provisions) {
        const replayed = await ask('POST', client_id, path, { body })
        t.equal(replayed.status, 200, body.partner_customer_ref)
        const now = recordedAt(client_id, `${path}/${answer.investor_id}`)
        t.strictSame(differences(now, replayed.body), [], body.partner_customer_ref)
      }
    })
  })
}

/** Finds the bodies of events that have not arrived, by endpoint and order, oldest first. */
function undelivered({ commands }: Recorded): Map<string, string[]> {
  const waiting = new Map<string, string[]>()
  for (const { event_id } of commands['event list'].toReversed()) {
    const { share_purchase_id, body, deliveries } = commands[`event show ${event_id}`]
    for (const { url, state } of deliveries) {
      if (state === 'delivered' || state === 'dead' || url === null) continue
      const name = `${new URL(url).pathname} ${share_purchase_id}`
      waiting.set(name, [...(waiting.get(name) ?? []), body])
    }
  }
  return waiting
}

async function requireDelivered(t: Test, place: Place, recorded: Recorded): Promise<void> {
  const receiver = await startReceiver(t)
  const arrived = new Map<string, string[]>()
  const sender = createWebhookSender({ allowPrivate: true })
  // The receiver of the test gets the events, because the machine of the endpoints no longer
  // exists.
  const send = async (request: WebhookRequest) => {
    const body = Buffer.from(request.body).toString()
    const name = `${new URL(request.url).pathname} ${JSON.parse(body).data.share_purchase_id}`
    arrived.set(name, [...(arrived.get(name) ?? []), body])
    return sender.send({ ...request, url: receiver.url })
  }
  const expected = undelivered(recorded)
  t.ok(
    [...expected.values()].some((bodies) => bodies.length > 1),
    'some events wait for others',
  )
  const work = async ({
    clock,
    dispatcher,
    mailer,
  }: Parameters<Parameters<typeof reopen>[2]>[0]) => {
    clock.advance(24 * 60 * 60)
    await dispatcher.dispatchDue()
    await dispatcher.dispatchDue()
    t.equal(await dispatcher.nextDueAt(), undefined, 'no event is left')
    t.ok(mailer.mails.length > 0, 'e-mails are also sent')
  }
  await reopen(place, recorded, work, { webhookSender: { ...sender, send } })
  t.strictSame(sorted(arrived), sorted(expected))
  t.equal(receiver.received.length, [...expected.values()].flat().length)
}

function sorted(bodies: ReadonlyMap<string, readonly string[]>) {
  return [...bodies].sort(([left], [right]) => (left < right ? -1 : 1))
}

for (const version of releasedVersions) {
  for (const name of placeNames) {
    t.test(`a ${name} of ${version} works with this version`, async (t) => {
      const recorded = await readRecorded(version)
      const place = await unpackReleased(t, version, name)
      await t.test('commands print the recorded answers', (t) => requireAnswers(t, place, recorded))
      await t.test('the check finds no fault in the store', (t) => requireSound(t, place))
      await t.test('partners get the recorded answers', (t) =>
        requirePartnerAnswers(t, place, recorded),
      )
      await t.test('undelivered events are sent in order', (t) =>
        requireDelivered(t, place, recorded),
      )
      await t.test('the store is served', (t) => requireServed(t, place, recorded))
      await t.test('the check finds no fault afterwards', (t) => requireSound(t, place))
    })
  }

  t.test(`all copies of a store of ${version} have the same digests`, async (t) => {
    const { copied } = await readRecorded(version)
    const directory = await unpackReleased(t, version, 'directory')
    const { options, drop } = await createDatabase({ isEmpty: true })
    t.teardown(drop)
    const there = await runCommand(StoreCopy, '--to', options.url, '--json', ...directory)
    const later = Object.keys(there.json.records).filter((name) => !(name in copied.records))
    const empty = Object.fromEntries(later.map((name) => [name, 0]))
    t.strictSame(there.json.records, { ...empty, ...copied.records })
    const back = join(t.testdirName, 'back')
    const inDatabase = [...directory, '--database-url', options.url]
    const returned = await runCommand(StoreCopy, '--to', back, '--json', ...inDatabase)
    t.strictSame(returned.json.digests, there.json.digests)
    const key = directory.slice(directory.indexOf('--encryption-key-file'))
    await requireSound(t, ['--data-dir', back, ...key.slice(0, 2)])
  })

  t.test(`a store of ${version} opens with the key that it created`, async (t) => {
    const place = await unpackReleasedWithOwnKey(t, version)
    const [organization] = await run('organization list', place)
    t.match(organization, { name: 'Demo Bank' })
    await requireSound(t, place)
    const other = join(t.testdirName, 'other.key')
    await writeFile(other, randomBytes(32).toString('hex'))
    const refused = ['--json', ...place, '--encryption-key-file', other]
    t.match((await runCommand(OrganizationList, ...refused)).json, {
      error: { code: 'ENCRYPTION_KEY_REFUSED' },
    })
  })
}
