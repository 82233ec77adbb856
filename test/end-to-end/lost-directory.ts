import {
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { type Credentials, signIn } from '../../fixtures/program/partner-client.ts'
import { runCoopshare, type Served, serve } from '../../fixtures/program/serve.ts'
import { mount, unmount } from '../../fixtures/stores/disks.ts'

const skip =
  process.env['COOPSHARE_TEST_ENGINE'] === 'postgres' && 'a database has no directory to lose'

const failures = 'coopshare_backup_failures_total'

interface Loss {
  readonly title: string
  /** @returns the reason why it is not possible here */
  readonly lose: (data: string) => Promise<unknown>
  readonly reason: RegExp
}

/** A backup that had begun may make the path of its directory again, before the service has looked. */
const goneOrReplaced = /data was removed or renamed|Another directory has taken the place/

/** The files go before their directory does, and the service may look in between. */
const goneInSteps = new RegExp(`${goneOrReplaced.source}|(lock|jsonl) was removed`)

const losses: readonly Loss[] = [
  {
    title: 'is removed',
    lose: (data) => removeAll(data),
    reason: goneInSteps,
  },
  {
    title: 'is removed and made again',
    async lose(data) {
      await removeAll(data)
      await mkdir(data, { mode: 0o700, recursive: true })
    },
    reason: goneInSteps,
  },
  {
    title: 'is renamed',
    lose: (data) => rename(data, `${data}-old`),
    reason: goneOrReplaced,
  },
  {
    title: 'is replaced by a copy',
    async lose(data) {
      await cp(data, `${data}-copy`, {
        recursive: true,
        // The service removes or renames these while they are copied.
        filter: (path) => !/socket$|\.tmp$|backups/.test(path),
      })
      await rename(data, `${data}-old`)
      await rename(`${data}-copy`, data)
    },
    reason: /Another directory has taken the place/,
  },
  {
    title: 'is replaced by a file',
    async lose(data) {
      await rename(data, `${data}-old`)
      await writeFile(data, 'a file')
    },
    reason: goneOrReplaced,
  },
  {
    title: 'is a link that leads elsewhere now',
    async lose(data) {
      await mkdir(`${data}-other`, { mode: 0o700 })
      await symlink(`${data}-other`, `${data}-link`)
      await rename(`${data}-link`, data)
    },
    reason: /Another directory has taken the place/,
  },
  {
    title: 'is covered by another disk',
    lose: (data) => mount(data, 'mode=700'),
    reason: /Another directory has taken the place/,
  },
  {
    title: 'loses its lock',
    lose: (data) => rm(join(data, 'lock')),
    reason: /lock was removed or replaced/,
  },
  {
    title: 'has the lock of another process',
    lose: (data) => writeFile(join(data, 'lock'), JSON.stringify({ pid: 1, token: 'another' })),
    reason: /lock was removed or replaced/,
  },
  {
    title: 'loses its journal',
    lose: async (data) => rm(await journalIn(data)),
    reason: /journal-\d+\.jsonl was removed, replaced or cut/,
  },
  {
    title: 'has a copy in place of its journal, as after an edit',
    async lose(data) {
      const journal = await journalIn(data)
      await cp(journal, `${journal}.copy`)
      await rename(`${journal}.copy`, journal)
    },
    reason: /journal-\d+\.jsonl was removed, replaced or cut/,
  },
  {
    title: 'has a journal that was cut',
    lose: async (data) => truncate(await journalIn(data), 100),
    reason: /journal-\d+\.jsonl was removed, replaced or cut/,
  },
]

/** The service may still create files in it. */
function removeAll(data: string): Promise<void> {
  return rm(data, { recursive: true, maxRetries: 10 })
}

async function journalIn(data: string): Promise<string> {
  const names = (await readdir(data)).filter((name) => name.startsWith('journal'))
  return join(data, names.sort().at(-1) ?? '')
}

/** The content of all files, by their paths. */
async function contentOf(path: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  // A backup that had begun may end in a directory that has only lost its lock or its journal.
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('backups'))
  const read = files.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name)
    return [relative(path, file), await readFile(file, 'utf8')] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

async function serveDemo(t: Test, data: string) {
  // These backups would be written into the data directory.
  const backups = ['--backup-dir', join(data, 'backups'), '--backup-every', '1s']
  const served = await serve(t, ['--demo', '--data-dir', data, ...backups])
  const partner = await signIn(served.base_url, served as Required<Served> as Credentials)
  const register = async (reference: string) => {
    const body = { partner_customer_ref: reference, email: 'frieda@mail.example' }
    return (await partner.send('POST', '/v1/investors', { body })).status
  }
  return { served, register }
}

for (const { title, lose, reason } of losses) {
  t.test(
    `a service whose directory ${title} stores nothing any more [D43]`,
    { skip },
    async (t) => {
      const root = t.testdir({ 'data-real': {} })
      const data = join(root, 'data')
      if (title.includes('link')) await symlink(join(root, 'data-real'), data)
      const { served, register } = await serveDemo(t, data)
      const operator = await connectOperator(data)
      t.equal(await register('before'), 201)
      const refusal = await lose(data).then(
        () => undefined,
        (error) => error,
      )
      if (title.includes('disk') && refusal) return t.pass('no disk can be mounted here')
      t.teardown(() => unmount(data).catch(() => undefined))
      t.equal(refusal, undefined)
      await until(t, async () => (await checkedFetch(`${served.base_url}/readyz`)).status === 503)
      t.equal(await register('after'), 503)
      const left = await contentOf(data)
      t.equal(
        (await checkedFetch(`${served.base_url}/livez`)).status,
        200,
        'the service still runs',
      )
      await until(t, async () => ((await operator.metric(failures)).get('') ?? 0) > 0)
      const { code, stderr } = await served.stop()
      t.equal(code, 0, stderr)
      const lines = stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      const lost = lines.filter(({ msg }) => msg.startsWith('the data directory was lost'))
      t.equal(lost.length, 1)
      t.match(lost[0], { error: { message: reason } })
      t.same(await contentOf(data), left, 'nothing was written, not even at the end')
    },
  )
}

t.test(
  'a second service in the same place is not harmed by the first one [D43]',
  { skip },
  async (t) => {
    const data = join(t.testdir(), 'data')
    const { served: first, register } = await serveDemo(t, data)
    t.equal(await register('before'), 201)
    await removeAll(data)
    const { served: second, register: registerAtSecond } = await serveDemo(t, data)
    await until(t, async () => (await checkedFetch(`${first.base_url}/readyz`)).status === 503)
    t.equal(await registerAtSecond('at the second'), 201)
    t.equal((await first.stop()).code, 0)
    t.equal(await registerAtSecond('later'), 201)
    t.equal((await second.stop()).code, 0)
    const checked = await runCoopshare(['store', 'check', '--data-dir', data, '--json'])
    t.match(JSON.parse(checked.stdout), { sound: true, records: { investors: Number } })
    const again = await serve(t, ['--demo', '--data-dir', data])
    t.equal((await checkedFetch(`${again.base_url}/readyz`)).status, 200)
  },
)
