import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { until } from '../../../fixtures/async.ts'
import { organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { openStore, temporaryDirectory } from '../../../fixtures/stores/engines.ts'
import { chainLine, chainStart, verifyLine } from '../../../src/adapters/lowdb/checksummed-lines.ts'
import { openLowdbStore } from '../../../src/adapters/lowdb/open-store.ts'
import { ownIdentity } from '../../../src/machine/processes.ts'

async function stateOf(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

const skip = existsSync('/proc/self/stat') ? false : 'only on Linux'

t.test('a zombie process holds no lock', { skip }, async (t) => {
  // The shell is replaced by a program that does not wait for its child, so the child stays a
  // zombie.
  const parent = spawn('sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 60'])
  t.teardown(() => parent.kill('SIGKILL'))
  const [printed] = await once(parent.stdout, 'data')
  const pid = Number(printed)
  await until(t, async () => (await stateOf(pid))[0] === 'Z')
  const directory = temporaryDirectory(t)
  await mkdir(directory, { mode: 0o700 })
  const startedAt = (await stateOf(pid))[19]
  const holder = { ...ownIdentity(), pid, startedAt, token: 'left' }
  await writeFile(join(directory, 'lock'), JSON.stringify(holder))
  await openStore(t, { directory })
  t.equal(JSON.parse(await readFile(join(directory, 'lock'), 'utf8')).pid, process.pid)
})

t.test('records of an unknown kind stop the start [D51]', async (t) => {
  const directory = temporaryDirectory(t)
  const store = await openLowdbStore({ directory })
  await store.write(anything, (records) => records.organizations.put(organizationRecord()))
  await store.close()
  const journal = join(directory, 'journal-00000001.jsonl')
  const whole = await readFile(journal)
  let checksum = chainStart
  for (const line of whole.toString().trimEnd().split('\n')) {
    checksum = verifyLine(checksum, Buffer.from(line))?.checksum ?? ''
  }
  const later = chainLine(checksum, '1,[["invoices",{"invoiceId":"invoice-1"}]]').line
  await writeFile(journal, Buffer.concat([whole, Buffer.from(later)]))
  const message = /kind invoices in journal-00000001.jsonl, line 3, was made by a newer coopshare/
  await t.rejects(openLowdbStore({ directory }), { code: 'STORE_NEWER', message })
})
