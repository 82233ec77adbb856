import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import t from 'tap'
import StoreCheck from '../../commands/store/check.ts'
import StoreCopy from '../../commands/store/copy.ts'
import StoreRestore from '../../commands/store/restore.ts'
import StoreVerifyBackup from '../../commands/store/verify-backup.ts'
import { until } from '../../fixtures/async.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import { spawnCoopshare } from '../../fixtures/program/serve.ts'
import { createInstances, type Instance } from '../../fixtures/program/served-instances.ts'
import { vaultOf } from '../../src/adapters/encryption-key.ts'
import { createSearchTerms } from '../../src/usecases/investors/search-terms.ts'

const newKey = 'cd'.repeat(32)

t.test('the keys of a database change while two instances take orders [D59]', async (t) => {
  const backups = join(t.testdir({ backups: {} }), 'backups')
  const instances = await createInstances(t, [
    ...['--data-dir', '/var/lib/coopshare-$port'],
    ...['--backup-every', '1s', '--backup-dir', backups, '--backup-keep', '1000'],
  ])
  const { argv, database, seed } = instances
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  t.teardown(() => sql.end())
  const isRotating = async () => (await sql`select from store where rotation is not null`).count > 0
  const keyFile = argv.at(-1) ?? ''
  const oldKey = readFileSync(keyFile, 'utf8')
  const newFile = `${keyFile}.new`
  writeFileSync(newFile, newKey)
  const running = [await instances.start(), await instances.start()]
  const order = async ({ partner }: Instance) =>
    (await partner.order(seed.investorId, seed.cooperativeId)).status
  for (const each of running) for (let n = 0; n < 20; n += 1) t.equal(await order(each), 201)

  const other = (await running[0]?.partner.register({ partner_customer_ref: 'other' })) ?? ''
  await sql`update investors set encrypted_key = ${`v1.${'A'.repeat(60)}`} where investor_id = ${other}`
  const damage = `investors ${other}: its encryptedKey cannot be decrypted with the store's key.`

  const readPerson = async () => {
    const [person] =
      await sql`select encrypted_key, encrypted_search_key, encrypted_debtor_iban, o.search_terms
      from investors i join share_purchases o using (organization_id, investor_id), settings
      where i.investor_id = ${seed.investorId} order by o.sequence limit 1`
    return person ?? {}
  }
  const before = await readPerson()
  const leaked = vaultOf(oldKey)
  const iban = leaked.of(before['encrypted_key']).decrypt(before['encrypted_debtor_iban'])
  const digests = createSearchTerms(leaked.decrypt(before['encrypted_search_key'])).ofText(
    'iban',
    iban,
  )
  t.ok(digests.flat().every((term) => before['search_terms'].includes(term)))

  // A separate process changes the key and is killed at the beginning.
  const rekey = ['store', 'rekey', '--new-encryption-key-file', newFile, '--json', ...argv]
  const killed = await spawnCoopshare(rekey)
  await until(t, isRotating)
  killed.process.kill('SIGKILL')
  await killed.ended
  for (const each of running) t.equal(await order(each), 201, 'orders continue')

  const finishing = await spawnCoopshare(['store', 'rekey', '--json', ...argv])
  let isOver = false
  void finishing.ended.then(() => {
    isOver = true
  })
  const statuses: number[] = []
  const searches: boolean[] = []
  const search = async ({ operator }: Instance) => {
    const { found } = await operator.call('find', { text: iban })
    return found.some(({ investor_id: id }: { investor_id: string }) => id === seed.investorId)
  }
  while (!isOver) {
    statuses.push(...(await Promise.all(running.map(order))))
    searches.push(...(await Promise.all(running.map(search))))
  }
  const { code, stdout } = await finishing.ended
  t.equal(code, 0)
  const rekeyed = JSON.parse(stdout)
  t.match(rekeyed, { resumed: true, key_in_store: false })
  t.strictSame(rekeyed.damaged_values, [damage], 'the store has only one key again')
  await sql`delete from investors where investor_id = ${other}`
  t.strictSame([...new Set(statuses)], [201], `${statuses.length} orders meanwhile`)
  t.ok(
    searches.every((isFound) => isFound),
    'the search works meanwhile',
  )
  for (const each of running) {
    t.equal(await order(each), 201)
    t.match(await each.operator.call('store.check', {}), { sound: true, rekeying: false })
    t.ok(await search(each))
  }
  const after = await readPerson()
  const confirmed = await sql`select from share_purchases where search_terms && ${digests.flat()}`
  t.equal(confirmed.count, 0, 'the previous key confirms nothing')
  const formerKey = leaked.encrypt(leaked.decrypt(before['encrypted_key']))
  const opened = () => leaked.of(formerKey).decrypt(after['encrypted_debtor_iban'])
  t.throws(opened, 'the previous key of the investor decrypts nothing')
  t.throws(() => leaked.decrypt(after['encrypted_key']))
  t.throws(() => leaked.decrypt(after['encrypted_search_key']))

  const check = (key: string) => {
    writeFileSync(keyFile, key)
    return runCommand(StoreCheck, ...argv, '--json')
  }
  t.equal((await check(oldKey)).exitCode, 5, 'the old key is refused')
  const checked = (await check(newKey)).json
  t.match(checked, { sound: true })
  t.ok(checked.sealed_values > 40)
  const third = await instances.start()
  t.equal(await order(third), 201, 'an instance starts with the new key')

  await t.test('the backups of both instances in one directory are complete', async (t) => {
    const list = () =>
      readdirSync(backups)
        .filter((name) => name.endsWith('.backup'))
        .sort()
    for (const { served } of running) await served.stop()
    const before = list()
    const metric = 'coopshare_backup_last_success_timestamp_seconds'
    await until(t, async () => list().length > before.length)
    t.ok(((await third.operator.metric(metric)).get('') ?? 0) > Date.now() / 1000 - 60)
    await third.served.stop('SIGKILL')
    const made = list().map((name) => join(backups, name))
    t.ok(made.length > 5, 'during the whole change')
    const [first = '', last = ''] = [made.at(0), made.at(-1)]
    const key = (file: string) => ['--encryption-key-file', file, '--json']
    const verified = await runCommand(StoreVerifyBackup, last, ...key(newFile))
    t.match(verified.json, { sound: true, has_encryption_key: false })
    t.ok(verified.json.sealed_values > 40)
    const old = `${keyFile}.old`
    writeFileSync(old, oldKey)
    t.match((await runCommand(StoreVerifyBackup, first, ...key(old))).json, { sound: true })
    t.equal((await runCommand(StoreVerifyBackup, first, ...key(newFile))).exitCode, 5)

    const here = ['--data-dir', join(t.testdir(), 'data'), ...key(newFile)]
    t.equal((await runCommand(StoreRestore, last, ...here)).exitCode, 0)
    await sql`create database restored`
    const url = Object.assign(new URL(database.url), { pathname: '/restored' }).href
    t.equal((await runCommand(StoreCopy, '--to', url, ...here)).exitCode, 0)
    const there = ['--database-url', url, ...key(newFile)]
    const restored = (await runCommand(StoreCheck, ...there)).json
    const { records } = verified.json
    // The restore has an entry of its own.
    const audited = { ...records, audit_entries: records.audit_entries + 1 }
    t.match(restored, { sound: true, records: audited })
  })
})
