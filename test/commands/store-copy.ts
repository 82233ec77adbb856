import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import EventList from '../../commands/event/list.ts'
import OrganizationList from '../../commands/organization/list.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCopy from '../../commands/store/copy.ts'
import StoreReopen from '../../commands/store/reopen.ts'
import { until } from '../../fixtures/async.ts'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { openSlowProxy } from '../../fixtures/postgres/slow-proxy.ts'
import { type PartnerClient, signIn } from '../../fixtures/program/partner-client.ts'
import { fillStore, runCommand, startService } from '../../fixtures/program/run-command.ts'
import { spawnCoopshare } from '../../fixtures/program/serve.ts'
import { runnerOn } from '../../fixtures/program/with-and-without-service.ts'
import { startReceiver, verifySignature } from '../../fixtures/servers/receiver.ts'
import { type SeededOrders, seedOrders } from '../../fixtures/world/seed-orders.ts'
import type { Service } from '../../src/usecases/service.ts'
import { decideSharePurchase } from '../../src/usecases/share-purchases/change-status.ts'
import { registerWebhookEndpoint } from '../../src/usecases/webhooks/webhook-endpoints.ts'

t.teardown(stopServer)

// The base URL is given, because the issuer of tokens must not change when the service moves.
const known = ['--base-url', 'http://partner-api.example', '--allow-private-webhooks']

async function emptyDatabase(t: Test): Promise<string> {
  const { options, drop } = await createDatabase({ isEmpty: true })
  t.teardown(drop)
  return options.url
}

/** Runs `work` while a service runs on the store. */
async function serving<Result>(
  dataDirectory: string,
  argv: readonly string[],
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const service = await startService(dataDirectory, ...known, ...argv)
  try {
    return await work(service.listeningUrl)
  } finally {
    await service.close()
  }
}

const key = 'order-before-the-move'

/** Gives a partner a token and an order with a key before the service moves. */
async function usePartner(dataDirectory: string, seed: SeededOrders) {
  return serving(dataDirectory, [], async (url) => {
    const credentials = { client_id: seed.clientId, client_secret: seed.clientSecret }
    const partner: PartnerClient = await signIn(url, credentials)
    const { body } = await partner.order(seed.investorId, seed.cooperativeId, key)
    const refused = await runnerOn(dataDirectory)(StoreCopy, '--to', t.testdirName, '--json')
    return { token: partner.accessToken, orderId: body.share_purchase_id, refused }
  })
}

/** Stores an event that was not sent yet. */
async function tellReceiver(
  service: Service,
  { organizationId, purchaseIds }: SeededOrders,
  url: string,
) {
  const { signingSecret } = await registerWebhookEndpoint(service, {
    organization: organizationId,
    url,
  })
  const [sharePurchaseId = ''] = purchaseIds
  await decideSharePurchase(service, { sharePurchaseId, to: 'approved' })
  return signingSecret
}

t.test('a service moves from a directory to a database and back', async (t) => {
  const root = t.testdir()
  const [old, back] = [join(root, 'old'), join(root, 'back')]
  const seed = await fillStore(old, seedOrders(2))
  const held = await usePartner(old, seed)
  t.equal(held.refused.exitCode, 5, 'a copy is refused while a service runs')
  t.match(held.refused.json.error, { code: 'STORE_LOCKED', message: /Stop that process/ })
  const receiver = await startReceiver(t)
  const tell = (service: Service) => tellReceiver(service, seed, receiver.url)
  const secret = await fillStore(old, tell, ...known)
  const url = await emptyDatabase(t)
  const keyFile = join(old, 'encryption.key')
  const withKey = ['--encryption-key-file', keyFile]
  const inDatabase = ['--database-url', url, ...withKey]

  const moved = await runnerOn(old)(StoreCopy, '--to', url, '--json')
  await t.test('a copy in either direction loses nothing', async (t) => {
    t.match(moved.json, {
      from: old,
      encryption_key_file: keyFile,
      records: { share_purchases: 3, webhook_endpoints: 1, deliveries: 5, idempotency_records: 1 },
    })
    t.notMatch(moved.stdout + moved.stderr, new URL(url).password, 'no password is shown')
    const returned = await runCommand(StoreCopy, '--to', back, '--json', ...inDatabase)
    t.strictSame(returned.json.digests, moved.json.digests)
    t.strictSame(returned.json.records, moved.json.records)
    t.match((await runnerOn(back)(StoreCheck, '--json')).json, { sound: true })
    t.match((await runCommand(StoreCheck, '--json', ...inDatabase)).json, { sound: true })
    for (const list of [EventList, PurchaseList]) {
      const there = await runnerOn(back)(list, '--json', ...withKey)
      t.strictSame(there.json, (await runnerOn(old)(list, '--json')).json)
    }
  })

  await t.test('a copied directory has no key, and no key is created in it', async (t) => {
    const refused = await runnerOn(back)(OrganizationList, '--json')
    t.equal(refused.json.error.code, 'ENCRYPTION_KEY_REFUSED')
    t.notOk((await readdir(back)).includes('encryption.key'))
  })

  await t.test(
    'tokens, secrets and keys stay valid after a copy, and pending deliveries are sent',
    async (t) => {
      // The store was copied back, so it is not served until an operator reopens it.
      t.equal((await runCommand(StoreReopen, '--yes', ...inDatabase)).exitCode, 0)
      await serving(join(root, 'control'), inDatabase, async (url) => {
        const ask = (path: string, init: RequestInit = {}) =>
          checkedFetch(`${url}${path}`, {
            ...init,
            headers: { ...init.headers, authorization: `Bearer ${held.token}` },
          })
        const path = `/v1/investors/${seed.investorId}/share-purchases`
        t.match((await ask(`${path}/${held.orderId}`)).body, { status: 'submitted' })
        const credentials = { client_id: seed.clientId, client_secret: seed.clientSecret }
        const partner = await signIn(url, credentials)
        const again = await partner.order(seed.investorId, seed.cooperativeId, key)
        t.equal(again.body.share_purchase_id, held.orderId)
        await until(t, () => receiver.received.length > 0)
        const [received] = receiver.received
        if (received)
          t.match(verifySignature(received, secret), { type: 'share_purchase.approved' })
      })
    },
  )
})

t.test('a copy refuses a target that is missing, not empty, or has another key', async (t) => {
  const root = t.testdir()
  const [full, taken] = [join(root, 'full'), join(root, 'taken')]
  await fillStore(full, seedOrders(0))
  await fillStore(taken, seedOrders(0))
  const url = await emptyDatabase(t)
  const copy = (directory: string, to: string, ...argv: string[]) =>
    runnerOn(directory)(StoreCopy, '--to', to, '--json', ...argv)
  const names = await readdir(taken)
  t.match(await copy(full, taken), { exitCode: 4, json: { error: { code: 'STORE_NOT_EMPTY' } } })
  t.strictSame(await readdir(taken), names)
  const misspelt = await copy(full, 'postgre://coopshare:secret@db.internal/coopshare')
  t.match(misspelt, { exitCode: 2, json: { error: { message: /for example postgres:/ } } })
  t.notMatch(misspelt.json.error.message, /secret/)
  t.match(await copy(full, full), {
    exitCode: 4,
    json: { error: { message: /^The store is already in / } },
  })
  t.match(await copy(join(root, 'none'), url), {
    exitCode: 5,
    json: { error: { code: 'STORE_NOT_FOUND' } },
  })
  const otherKey = join(root, 'other.key')
  await writeFile(otherKey, '0'.repeat(64))
  const withOther = ['--encryption-key-file', otherKey]
  t.match(await copy(full, url, ...withOther), {
    exitCode: 5,
    json: { error: { code: 'ENCRYPTION_KEY_REFUSED' } },
  })
  t.equal((await copy(full, url)).exitCode, 0)
  t.match(await copy(taken, url), { exitCode: 4, json: { error: { code: 'STORE_NOT_EMPTY' } } })
  const back = ['--database-url', url, ...withOther]
  t.match(await copy(full, join(root, 'back'), ...back), {
    exitCode: 5,
    json: { error: { code: 'ENCRYPTION_KEY_REFUSED' } },
  })
  t.notOk((await readdir(root)).includes('back'))
})

t.test(
  'a killed copy leaves an empty database, or a directory that is reported as incomplete',
  async (t) => {
    const root = t.testdir()
    const [old, cut] = [join(root, 'old'), join(root, 'cut')]
    await fillStore(old, seedOrders(1))
    const url = await emptyDatabase(t)
    const copy = () => runnerOn(old)(StoreCopy, '--to', url, '--json')

    await t.test('a copy into a database', async (t) => {
      const sql = postgres(url, { max: 1, onnotice: () => {} })
      t.teardown(() => sql.end())
      const waiting = () =>
        sql`select from pg_locks where relation = 'events'::regclass and not granted`
      const killed = await spawnCoopshare(['store', 'migrate'], { COOPSHARE_DATABASE_URL: url })
      t.equal((await killed.ended).code, 0)
      await sql`begin`
      await sql`lock table events in share mode`
      const copying = await spawnCoopshare(['store', 'copy', '--to', url, '--data-dir', old])
      await until(t, async () => (await waiting()).length > 0)
      copying.process.kill('SIGKILL')
      await copying.ended
      await sql`rollback`
      await until(t, async () => (await waiting()).length === 0)
      t.equal((await copy()).exitCode, 0, 'the database is empty, so the copy can be repeated')
    })

    await t.test('a copy into a directory', async (t) => {
      const line = await openSlowProxy(t, url)
      const variables = {
        COOPSHARE_DATABASE_URL: line.url,
        COOPSHARE_ENCRYPTION_KEY_FILE: join(old, 'encryption.key'),
      }
      const copying = await spawnCoopshare(['store', 'copy', '--to', cut], variables)
      const marked = async () =>
        (await readdir(cut).catch(() => [])).some((name) => name.startsWith('snapshot'))
      await until(t, marked)
      copying.process.kill('SIGKILL')
      await copying.ended
      const refused = { exitCode: 5, json: { error: { message: /copy into .* was interrupted/ } } }
      t.match(await runnerOn(cut)(OrganizationList, '--json'), refused)
      t.match(await runnerOn(cut)(StoreCheck, '--json'), refused)
      await runnerOn(old)(StoreReopen, '--yes')
      t.match(await runnerOn(old)(StoreCopy, '--to', cut, '--json'), refused)
    })
  },
)
