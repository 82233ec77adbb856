import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import AuditList from '../../commands/audit/list.ts'
import AuditVerify from '../../commands/audit/verify.ts'
import ClientDisable from '../../commands/client/disable.ts'
import KeyList from '../../commands/key/list.ts'
import KeyRevoke from '../../commands/key/revoke.ts'
import OperatorCreate from '../../commands/operator/create.ts'
import OperatorDisable from '../../commands/operator/disable.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCopy from '../../commands/store/copy.ts'
import StoreRestore from '../../commands/store/restore.ts'
import StoreSalvage from '../../commands/store/salvage.ts'
import StoreVerifyBackup from '../../commands/store/verify-backup.ts'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { signIn } from '../../fixtures/program/partner-client.ts'
import { fillStore, runCommand, startService } from '../../fixtures/program/run-command.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'

t.teardown(stopServer)

const key = 'ab'.repeat(32)
/** The issuer of all tokens. */
const atAddress = ['--base-url', 'https://partner-api.example']

/** A backup, after which a key was revoked and a client and an operator were disabled. */
async function backUp(t: Test) {
  const root = t.testdir({ key })
  const directory = join(root, 'data')
  const backup = join(root, 'old.backup')
  const withKey = ['--encryption-key-file', join(root, 'key')]
  const here = ['--data-dir', directory, ...withKey, '--json']
  const seed = await fillStore(directory, seedOrders(2), ...withKey)
  await runCommand(OperatorCreate, 'oskar', '--role', 'operator', ...here)
  const served = await startService(directory, ...atAddress, ...withKey)
  const credentials = { client_id: seed.clientId, client_secret: seed.clientSecret }
  const { accessToken } = await signIn(served.listeningUrl, credentials)
  await served.close()
  t.equal((await runCommand(StoreBackup, backup, ...here)).exitCode, 0)
  const [{ kid }] = (await runCommand(KeyList, ...here)).json
  t.equal((await runCommand(KeyRevoke, kid, ...here)).exitCode, 0)
  t.equal((await runCommand(ClientDisable, seed.clientId, ...here)).exitCode, 0)
  t.equal((await runCommand(OperatorDisable, 'oskar', ...here)).exitCode, 0)
  const target = join(root, 'restored')
  return { root, backup, withKey, seed, kid, accessToken, target }
}

/** Asks the partner API of the restored store with a token from before the backup. */
async function askWith(accessToken: string, target: string, ...argv: string[]) {
  const served = await startService(target, ...atAddress, ...argv)
  const headers = { authorization: `Bearer ${accessToken}` }
  const { status } = await checkedFetch(`${served.listeningUrl}/v1/cooperatives`, { headers })
  await served.close()
  return status
}

/** The entries of the audit about a restore. */
async function listRestores(...argv: string[]) {
  const { json } = await runCommand(AuditList, ...argv)
  return json.filter(({ operation }: { operation: string }) => operation === 'store.restore')
}

t.test(
  'a restore lists the access that the backup brings back, and is in the audit [D50]',
  async (t) => {
    const { backup, withKey, seed, kid, accessToken, target } = await backUp(t)
    const there = ['--data-dir', target, ...withKey]
    const restored = await runCommand(StoreRestore, backup, ...there, '--json')
    const { access, retired_keys } = restored.json
    const instant = /^20\d\d-\d\d-\d\dT.*Z$/
    t.match(
      access,
      exactArrays({
        signing_keys: [{ kid, state: 'signing', changed_at: instant }],
        clients: [{ client_id: seed.clientId, organization: 'Demo Bank', changed_at: instant }],
        operators: [{ name: 'oskar', role: 'operator', changed_at: instant }],
      }),
    )
    t.equal(retired_keys, false)
    const audit = await listRestores(...there, '--json')
    t.match(audit, exactArrays([{ actor: { id: 'local' }, via: 'command', outcome: 'done' }]))
    t.match((await runCommand(AuditVerify, ...there, '--json')).json, { sound: true })
    t.match((await runCommand(StoreCheck, ...there, '--json')).json, { sound: true })
    const compared = await runCommand(StoreCheck, '--backup', backup, ...there, '--json')
    t.match(compared.json, { sound: true })
    t.equal(await askWith(accessToken, target, ...withKey), 200)
  },
)

t.test('for people, the restore shows the same', async (t) => {
  const { backup, withKey, seed, kid, target } = await backUp(t)
  const { stdout } = await runCommand(StoreRestore, backup, '--data-dir', target, ...withKey)
  for (const shown of [kid, seed.clientId, 'oskar', 'works again', '--retire-keys']) {
    t.match(stdout, shown)
  }
})

t.test('a restore can replace all signing keys', async (t) => {
  const { backup, withKey, kid, accessToken, target } = await backUp(t)
  const there = ['--data-dir', target, ...withKey, '--json']
  const restored = await runCommand(StoreRestore, backup, '--retire-keys', ...there)
  t.equal(restored.json.retired_keys, true)
  t.match(
    restored.json.access.signing_keys,
    exactArrays([{ kid, state: 'revoked' }, { state: 'signing' }]),
  )
  const keys = (await runCommand(KeyList, ...there)).json
  t.match(keys, exactArrays([{ kid, state: 'revoked' }, { state: 'signing' }]))
  const [entry] = await listRestores(...there)
  t.match(entry.changes, exactArrays([{ record: 'signing_key' }, { record: 'signing_key' }]))
  t.match((await runCommand(StoreCheck, ...there)).json, { sound: true })
  t.equal(await askWith(accessToken, target, ...withKey), 401)
})

t.test('without the key of the store, the keys are not replaced', async (t) => {
  const { backup, root, target } = await backUp(t)
  const there = ['--data-dir', target, '--json']
  const refused = await runCommand(StoreRestore, backup, '--retire-keys', ...there)
  t.match(refused.json.error, { code: 'ENCRYPTION_KEY_REFUSED', message: /Nothing was written/ })
  t.equal(refused.exitCode, 5)
  const plain = await runCommand(StoreRestore, backup, ...there)
  t.match(plain.json, { needs_encryption_key: true }, 'nothing is in the way of a restore')
  const withKey = ['--data-dir', target, '--encryption-key-file', join(root, 'key'), '--json']
  const audit = await listRestores(...withKey)
  t.equal(audit.length, 1)
})

t.test('a database that gets a restored store gets its audit and its keys', async (t) => {
  const { backup, withKey, kid, target } = await backUp(t)
  const { options, drop } = await createDatabase({ isEmpty: true })
  t.teardown(drop)
  const there = ['--data-dir', target, ...withKey, '--json']
  t.equal((await runCommand(StoreRestore, backup, '--retire-keys', ...there)).exitCode, 0)
  t.equal((await runCommand(StoreCopy, '--to', options.url, ...there)).exitCode, 0)
  const inDatabase = ['--database-url', options.url, ...there]
  const keys = (await runCommand(KeyList, ...inDatabase)).json
  t.match(keys, exactArrays([{ kid, state: 'revoked' }, { state: 'signing' }]))
  const audit = await listRestores(...inDatabase)
  t.equal(audit.length, 1)
})

t.test('a file that is not a backup is named as what it is, by every command', async (t) => {
  const { backup, root, withKey } = await backUp(t)
  const there = ['--data-dir', join(root, 'data'), ...withKey, '--json']
  const files: readonly (readonly [string, Uint8Array | string, RegExp])[] = [
    ['old.backup.gz', gzipSync(await readFile(backup)), /is compressed with gzip\..*gunzip/],
    ['old.backup.age', 'age-encryption.org/v1\n-> X25519 abc\n', /is encrypted with age/],
    ['page.html', '<!doctype html><title>Sign in</title>', /is an HTML page/],
    ['empty', '', /is empty/],
  ]
  for (const [name, content, expected] of files) {
    const file = join(root, name)
    await writeFile(file, content)
    const to = join(root, `from-${name}`)
    const refusals = [
      await runCommand(StoreRestore, file, '--data-dir', to, '--json'),
      await runCommand(StoreVerifyBackup, file, '--json'),
      await runCommand(StoreCheck, '--backup', file, ...there),
      await runCommand(StoreSalvage, file, '--to', to, '--json'),
    ]
    for (const { exitCode, json } of refusals) {
      t.equal(exitCode, 5, name)
      t.match(json.error.message, expected)
      t.notMatch(json.error.message, 'damaged')
    }
    t.notOk(existsSync(to), 'nothing was written')
  }
  const text = join(root, 'notes.txt')
  await writeFile(text, 'Nothing of interest.')
  const refused = await runCommand(StoreRestore, text, '--data-dir', join(root, 'x'), '--json')
  t.match(refused.json.error.message, /does not begin like a backup/)
  const directory = await runCommand(StoreCheck, '--backup', root, ...there)
  t.match(directory.json.error.message, `${root} is a directory`)
})
