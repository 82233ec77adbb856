import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import StoreVerifyBackup from '../../commands/store/verify-backup.ts'
import { until } from '../../fixtures/async.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import { runCoopshare, serve } from '../../fixtures/program/serve.ts'

const skip =
  process.env['COOPSHARE_TEST_ENGINE'] === 'postgres' &&
  'a backup of a database does not contain the key'
const metric = 'coopshare_backup_last_success_timestamp_seconds'
const ourName = /^coopshare-\d{8}T\d{6}Z\.backup$/

async function listBackups(directory: string): Promise<readonly string[]> {
  return (await readdir(directory).catch(() => [])).filter((name) => ourName.test(name)).sort()
}

t.test('the service writes backups at its interval and keeps the newest', { skip }, async (t) => {
  const directory = join(t.testdir({ data: {} }), 'data')
  const backups = join(t.testdirName, 'backups')
  await mkdir(backups, { mode: 0o700 })
  const others = ['coopshare-of-mine.backup', 'notes.txt']
  for (const name of others) await writeFile(join(backups, name), 'mine')
  const partial = '.coopshare-20200101T000000Z.backup.partial'
  await writeFile(join(backups, partial), 'an unfinished backup of a killed service')
  const work = '.coopshare-backup-Ab12Cd'
  await mkdir(join(backups, work, 'store'), { recursive: true })
  const variables = { COOPSHARE_BACKUP_DIR: backups, COOPSHARE_BACKUP_KEEP: '2' }
  const argv = ['--demo', '--data-dir', directory, '--backup-every', '1s']
  const served = await serve(t, argv, variables)
  const operator = await connectOperator(directory)
  const lastSuccess = async () => (await operator.metric(metric)).get('') ?? 0
  await until(t, async () => (await listBackups(backups)).length === 2)
  const [first = ''] = await listBackups(backups)
  await until(t, async () => !(await listBackups(backups)).includes(first))
  t.equal((await listBackups(backups)).length <= 3, true)
  t.ok(
    Date.now() / 1000 - (await lastSuccess()) < 60,
    'the metric has the time of the newest backup',
  )
  t.match(await served.stop(), { code: 0 })
  const names = await readdir(backups)
  t.notOk(names.includes(partial) || names.includes(work), 'no unfinished backup is left')
  for (const name of others) t.equal(await readFile(join(backups, name), 'utf8'), 'mine')
  const [newest = ''] = (await listBackups(backups)).slice(-1)
  const file = join(backups, newest)
  t.equal((await stat(file)).mode & 0o777, 0o600, 'only the owner can read the backup')
  const verified = await runCommand(StoreVerifyBackup, file, '--json')
  t.match(verified, { exitCode: 0, json: { sound: true, has_encryption_key: true } })
  t.ok(verified.json.sealed_values > 0, 'encrypted values were decrypted')
  t.ok(verified.json.records.share_purchases > 0)
})

t.test(
  'a backup with a time in the future does not stop the backups, and is removed first',
  async (t) => {
    const ahead = 'coopshare-22001231T235959Z.backup'
    const directory = join(
      t.testdir({ data: {}, backups: { [ahead]: 'of a wrong clock' } }),
      'data',
    )
    const backups = join(t.testdirName, 'backups')
    const argv = ['--data-dir', directory, '--backup-every', '1s', '--backup-dir', backups]
    const served = await serve(t, argv, { COOPSHARE_BACKUP_KEEP: '2' })
    const operator = await connectOperator(directory)
    await until(t, async () => !(await listBackups(backups)).includes(ahead))
    t.ok(((await operator.metric(metric)).get('') ?? 0) <= Date.now() / 1000)
    const { stderr } = await served.stop()
    const kept = exactArrays([ourName, ourName])
    t.match(await listBackups(backups), kept, 'the real backups are kept')
    t.match(stderr, `"file":"${ahead}","msg":"the name of a backup has a time in the future"`)
  },
)

t.test('a backup that fails is counted, logged and tried again', async (t) => {
  const directory = join(t.testdir({ data: {}, taken: 'a file' }), 'data')
  const place = ['--backup-every', '1s', '--backup-dir', join(t.testdirName, 'taken')]
  const served = await serve(t, ['--data-dir', directory, ...place])
  const operator = await connectOperator(directory)
  const failures = async () => (await operator.metric('coopshare_backup_failures_total')).get('')
  await until(t, async () => ((await failures()) ?? 0) > 1)
  t.equal((await operator.metric(metric)).get(''), 0, 'the metric makes an alert fire')
  const { stderr } = await served.stop()
  t.match(stderr, 'a backup failed and will be repeated')
})

t.test('without an interval, the metric has no value that looks like an old backup', async (t) => {
  const directory = join(t.testdir({ data: {} }), 'data')
  await serve(t, ['--data-dir', directory])
  const operator = await connectOperator(directory)
  t.equal((await operator.metric(metric)).size, 0)
})

t.test('an interval needs a directory', async (t) => {
  for (const [argv, message] of [
    [['--backup-every', '6h'], '--backup-dir'],
    [['--backup-every', 'often', '--backup-dir', 'x'], 'for example 6h'],
  ] as const) {
    const refused = await runCoopshare(['serve', ...argv])
    t.match(refused, { code: 2, stderr: message })
  }
})

t.test('verify-backup finds a damaged backup and a wrong key', { skip }, async (t) => {
  const directory = join(t.testdir({ data: {} }), 'data')
  const key = join(t.testdirName, 'key')
  await writeFile(key, 'ab'.repeat(32))
  await writeFile(`${key}2`, 'cd'.repeat(32))
  const here = ['--data-dir', directory, '--encryption-key-file']
  const served = await serve(t, ['--demo', ...here, key])
  const file = join(t.testdirName, 'coopshare.backup')
  const written = await runCoopshare(['store', 'backup', file, ...here, key])
  t.equal(written.code, 0)
  await served.stop()
  const verify = (...argv: string[]) => runCommand(StoreVerifyBackup, file, ...argv, '--json')
  const opened = await verify('--encryption-key-file', key)
  t.match(opened, { exitCode: 0, json: { sound: true, has_encryption_key: false } })
  t.ok(opened.json.sealed_values > 0)
  t.equal((await verify()).json.sealed_values, null, 'no value is decrypted without the key')
  const wrong = await verify('--encryption-key-file', `${key}2`)
  t.match(wrong, { exitCode: 5, json: { error: { code: 'ENCRYPTION_KEY_REFUSED' } } })
  const bytes = await readFile(file)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 500) ^ 1, bytes.length - 500)
  await writeFile(file, bytes)
  t.match(await verify('--encryption-key-file', key), { exitCode: 5, json: { error: {} } })
})
