import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { runCoopshare, serve } from '../../fixtures/program/serve.ts'
import { requireOwnDirectory } from '../../src/machine/durable-files.ts'

const skip =
  process.env['COOPSHARE_TEST_ENGINE'] === 'postgres' &&
  'another instance on the database may be writing such a file'

t.test(
  'a data directory that others can write to is refused by serve and by commands [D43]',
  async (t) => {
    const directory = join(t.testdir(), 'data')
    const here = ['--data-dir', directory]
    t.equal((await runCoopshare(['organization', 'create', 'Demo Bank', ...here])).code, 0)
    for (const mode of [0o770, 0o702, 0o1777]) {
      await chmod(directory, mode)
      for (const argv of [
        ['serve', '--port', '0'],
        ['organization', 'list'],
        ['store', 'check'],
        ['store', 'copy', '--to', join(t.testdirName, 'copy')],
      ]) {
        const { code, stdout } = await runCoopshare([...argv, ...here, '--json'])
        t.equal(code, 5, `${argv.join(' ')} ${mode.toString(8)}`)
        const message = `The data directory ${directory} can be written to by other users. Correct that with: chmod go-w ${directory}`
        t.match(JSON.parse(stdout), { error: { code: 'DATA_DIRECTORY_NOT_PRIVATE', message } })
      }
    }
    await chmod(directory, 0o755)
    t.equal(
      (await runCoopshare(['organization', 'list', ...here])).code,
      0,
      'after the advice of the error was followed',
    )
  },
)

t.test('a control.json of another user is not trusted', async (t) => {
  const directory = join(t.testdir(), 'data')
  await mkdir(directory)
  await chmod(directory, 0o777)
  const planted = { url: 'http://127.0.0.1:9', token: 'x', instanceId: 'x', pid: process.pid }
  await writeFile(join(directory, 'control.json'), JSON.stringify(planted))
  const listed = await runCoopshare(['organization', 'list', '--data-dir', directory])
  t.equal(listed.code, 5)
  t.match(listed.stderr, 'can be written to by other users')
})

const isRoot = process.geteuid?.() === 0

t.test(
  'a data directory of another user is refused [D43]',
  { skip: !isRoot && 'only root can change the owner of a directory' },
  async (t) => {
    const directory = join(t.testdir(), 'data')
    const here = ['--data-dir', directory]
    t.equal((await runCoopshare(['organization', 'create', 'Demo Bank', ...here])).code, 0)
    await chown(directory, 4711, 4711)
    await requireOwnDirectory(directory)
    process.seteuid?.(4712)
    t.teardown(() => process.seteuid?.(0))
    const refused = requireOwnDirectory(directory)
    await t.rejects(refused, {
      code: 'DATA_DIRECTORY_NOT_PRIVATE',
      message: /belongs to user 4711/,
    })
    process.seteuid?.(0)
    process.seteuid?.(4711)
    await requireOwnDirectory(directory)
  },
)

t.test(
  'control.json is always a new file, even if another file has its temporary name',
  async (t) => {
    const directory = join(t.testdir({ other: '' }), 'data')
    const other = join(t.testdirName, 'other')
    await mkdir(directory, { mode: 0o700 })
    // A user who could once write to the directory may have prepared this link.
    await symlink(other, join(directory, 'control.json'))
    const pid = process.pid
    for (let next = pid; next < pid + 300; next += 1) {
      await symlink(other, join(directory, `control.json.${next}`))
    }
    const served = await serve(t, ['--data-dir', directory])
    const path = join(directory, 'control.json')
    t.match(JSON.parse(await readFile(path, 'utf8')), { pid: served.pid })
    t.ok((await stat(path)).isFile())
    t.equal((await stat(path)).mode & 0o777, 0o600)
    t.equal(await readFile(other, 'utf8'), '', 'nothing was written through a link')
    const left = (await readdir(directory)).filter((name) => /^control\.json\..*tmp$/.test(name))
    t.same(left, [])
    await served.stop()
  },
)

t.test(
  'serve removes control files that a killed process has not finished',
  { skip },
  async (t) => {
    const directory = join(t.testdir(), 'data')
    await mkdir(directory, { mode: 0o700 })
    const unfinished = `control.json.${randomUUID()}.tmp`
    await writeFile(join(directory, unfinished), '{"token":"a secret')
    await writeFile(join(directory, 'control.json.mine.tmp'), 'of somebody else')
    await serve(t, ['--data-dir', directory])
    const left = (await readdir(directory)).filter((name) => name.endsWith('.tmp'))
    t.strictSame(left, ['control.json.mine.tmp'])
  },
)
