import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { fillStore } from '../../fixtures/program/run-command.ts'
import { runCoopshare } from '../../fixtures/program/serve.ts'
import { mount, mountSmallDisk } from '../../fixtures/stores/disks.ts'
import { temporaryDirectory } from '../../fixtures/stores/engines.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'
import { acquireLock } from '../../src/adapters/file-lock/lock.ts'

/** A store on a disk that then becomes read-only; undefined if no disk can be mounted. */
async function makeReadOnly(
  t: Test,
  prepare = async (_data: string): Promise<unknown> => undefined,
) {
  const disk = temporaryDirectory(t)
  const refusal = await mountSmallDisk(t, disk, '16m')
  if (refusal) return t.plan(0, refusal) as undefined
  const data = join(disk, 'data')
  await fillStore(data, seedOrders(3))
  await prepare(data)
  await mount(disk, 'remount', 'ro')
  return data
}

t.test('commands that only read work on a read-only disk [D43]', async (t) => {
  const data = await makeReadOnly(t)
  if (data === undefined) return
  const out = t.testdir()
  const here = ['--data-dir', data]
  for (const argv of [
    ['organization', 'list'],
    ['purchase', 'list'],
    ['find', 'customer'],
    ['audit', 'list'],
    ['audit', 'verify'],
    ['audit', 'export'],
    ['fixtures', 'export'],
    ['cooperative', 'export'],
    ['fixtures', 'apply', 'fixtures/demo.yaml', '--dry-run'],
    ['event', 'purge', '--before', '2020-01-01', '--dry-run'],
    ['store', 'check'],
    ['store', 'backup', join(out, 'backup')],
    ['store', 'salvage', '--to', join(out, 'salvaged')],
  ]) {
    const { code, stderr } = await runCoopshare([...argv, ...here])
    t.equal(code, 0, `${argv.join(' ')}: ${stderr}`)
  }
  const verified = await runCoopshare(['store', 'verify-backup', join(out, 'backup'), '--json'])
  t.match(JSON.parse(verified.stdout), { sound: true, records: { share_purchases: 3 } })

  await t.test('and others say why they do not', async (t) => {
    for (const argv of [
      ['organization', 'create', 'Another Bank'],
      ['organization', 'disable', 'Demo Bank'],
      ['store', 'compact'],
      ['store', 'rekey'],
      ['store', 'copy', '--to', join(out, 'copy')],
      ['serve', '--port', '0'],
    ]) {
      const { code, stderr } = await runCoopshare([...argv, ...here])
      t.equal(code, 5, argv.join(' '))
      t.match(stderr, /read-only/, argv.join(' '))
    }
    t.notOk((await readdir(out)).includes('copy'))
  })
})

t.test('a read-only store that another process holds is not read', async (t) => {
  const data = await makeReadOnly(t, (directory) =>
    acquireLock({ path: join(directory, 'lock'), subject: directory, code: 'STORE_LOCKED' }),
  )
  if (data === undefined) return
  const { code, stdout } = await runCoopshare([
    'organization',
    'list',
    '--data-dir',
    data,
    '--json',
  ])
  t.equal(code, 5)
  t.match(JSON.parse(stdout), { error: { code: 'STORE_LOCKED' } })
})

t.test('lost+found does not make a directory one that is in use', async (t) => {
  const root = t.testdir({ source: {} })
  const source = ['--data-dir', join(root, 'source')]
  t.equal((await runCoopshare(['organization', 'create', 'Demo Bank', ...source])).code, 0)
  const fresh = async (name: string) => {
    await mkdir(join(root, name, 'lost+found'), { recursive: true })
    return join(root, name)
  }
  const backup = join(root, 'backup')
  t.equal((await runCoopshare(['store', 'backup', backup, ...source])).code, 0)
  for (const argv of [
    ['store', 'restore', backup, '--data-dir', await fresh('restored')],
    ['store', 'salvage', ...source, '--to', await fresh('salvaged')],
    ['organization', 'create', 'Demo Bank', '--data-dir', await fresh('new')],
    ['store', 'copy', ...source, '--to', await fresh('copied')],
  ]) {
    const { code, stderr } = await runCoopshare(argv)
    t.equal(code, 0, `${argv.join(' ')}: ${stderr}`)
    const directory = argv.at(-1) ?? ''
    t.ok((await readdir(directory)).includes('lost+found'))
    const { mode } = await stat(directory)
    t.equal(mode & 0o777, 0o700, 'the directory was made private, as an empty one')
    const checked = await runCoopshare(['store', 'check', '--data-dir', directory])
    t.equal(checked.code, 0, checked.stderr)
  }
  const other = await fresh('other')
  await writeFile(join(other, 'notes.txt'), 'mine')
  const refused = await runCoopshare(['store', 'restore', backup, '--data-dir', other])
  t.match(refused, { code: 4, stderr: /is not empty/ })
})
