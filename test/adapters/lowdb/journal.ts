import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { clientRecord, organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { openStore, temporaryDirectory } from '../../../fixtures/stores/engines.ts'
import { openLowdbStore } from '../../../src/adapters/lowdb/open-store.ts'

const firstJournal = 'journal-00000001.jsonl'

t.test('only a last line that was cut off is dropped [D54]', async (t) => {
  const directory = await filledDirectory(t, 4)
  const path = join(directory, firstJournal)
  const whole = await readFile(path)
  const start = whole.lastIndexOf('\n', whole.length - 2) + 1
  for (let cut = start; cut < whole.length; cut += 1) {
    await writeFile(path, whole.subarray(0, cut))
    await forgetEnd(directory)
    const store = await openLowdbStore({ directory })
    const names = await clientIds(store)
    if (names.join() !== 'client-1,client-2,client-3') t.fail(`cut at ${cut}: ${names}`)
    await store.write(anything, (records) =>
      records.clients.put(clientRecord({ clientId: 'next' })),
    )
    await store.close()
    if (cut % 40 === 0)
      t.same((await reopenedIds(t, directory)).at(-1), 'next', 'later writes are added after it')
  }
  t.ok(whole.length - start > 100, 'the line was cut off at every byte')
})

t.test(
  'a damaged journal stops the start, names file and line, and changes nothing [D54]',
  async (t) => {
    const rows: [title: string, change: (lines: string[]) => string[], line: number][] = [
      ['an altered line', (lines) => lines.with(2, altered(lines[2])), 3],
      ['an altered checksum', (lines) => lines.with(2, lines[2]?.replace(/"./, '"!') ?? ''), 3],
      ['a last line that is whole but altered', (lines) => lines.with(4, altered(lines[4])), 5],
      ['a removed line', (lines) => lines.toSpliced(2, 1), 3],
      ['two swapped lines', ([a, b, c, d, e]) => [a, b, d, c, e].map(String), 3],
      ['a repeated line', (lines) => lines.toSpliced(2, 0, String(lines[2])), 4],
      ['a foreign line', (lines) => lines.toSpliced(2, 0, '{}'), 3],
      ['an empty line', (lines) => lines.toSpliced(2, 0, ''), 3],
      ['a removed header', (lines) => lines.slice(1), 1],
    ]
    const directory = await filledDirectory(t, 4)
    const path = join(directory, firstJournal)
    const whole = await readFile(path, 'utf8')
    for (const [title, change, line] of rows) {
      const text = `${change(whole.trimEnd().split('\n')).join('\n')}\n`
      await writeFile(path, text)
      await t.rejects(
        openLowdbStore({ directory }),
        { code: 'STORE_DAMAGED', message: new RegExp(`${firstJournal}, line ${line}:`) },
        title,
      )
      t.equal(await readFile(path, 'utf8'), text)
      t.same((await readdir(directory)).sort(), [
        'acknowledged.json',
        'encryption.key',
        firstJournal,
        'store.json',
      ])
    }
  },
)

t.test('a damaged snapshot stops the start, and the error names file and line', async (t) => {
  const rows: [title: string, change: (lines: string[]) => string[], line: number][] = [
    ['an altered line', (lines) => lines.with(2, altered(lines[2])), 3],
    ['a removed line', (lines) => lines.toSpliced(2, 1), 3],
    ['two swapped lines', ([a, b, c, d]) => [a, c, b, d].map(String), 2],
    ['a cut-off end', (lines) => lines.slice(0, -1), 4],
    ['only a header', (lines) => lines.slice(0, 1), 2],
    ['bytes after the end', (lines) => [...lines, String(lines[1])], 5],
  ]
  const directory = await filledDirectory(t, 4)
  await compact(directory)
  const path = join(directory, 'snapshot-00000002.jsonl')
  const whole = await readFile(path, 'utf8')
  for (const [title, change, line] of rows) {
    await writeFile(path, `${change(whole.trimEnd().split('\n')).join('\n')}\n`)
    await t.rejects(
      openLowdbStore({ directory }),
      { code: 'STORE_DAMAGED', message: new RegExp(`snapshot-00000002.jsonl, line ${line}:`) },
      title,
    )
  }
  await writeFile(path, whole.trimEnd())
  await t.rejects(openLowdbStore({ directory }), { message: /line 4:/ }, 'a last byte is missing')
  await writeFile(path, whole)
  t.equal((await reopenedIds(t, directory)).length, 4)
})

t.test('a missing or misplaced file stops the start', async (t) => {
  const directory = await filledDirectory(t, 2)
  await compact(directory)
  const second = 'journal-00000002.jsonl'
  const rows: [title: string, change: (copy: string) => Promise<void>, message: RegExp][] = [
    ['the journal', (copy) => rm(join(copy, second)), /journal-00000002.jsonl is missing/],
    [
      'the snapshot',
      (copy) => rm(join(copy, 'snapshot-00000002.jsonl')),
      /snapshot-00000002.jsonl is missing, or all journals before journal-00000002.jsonl are\./,
    ],
    ['the manifest', (copy) => rm(join(copy, 'store.json')), /store.json is missing/],
    [
      'a broken manifest',
      (copy) => writeFile(join(copy, 'store.json'), '{'),
      /store.json was changed or damaged/,
    ],
    [
      'a newer manifest',
      (copy) => writeFile(join(copy, 'store.json'), '{"version":2}'),
      /store.json/,
    ],
    [
      'a journal under a wrong number',
      (copy) => cp(join(copy, second), join(copy, 'journal-00000003.jsonl')),
      /journal-00000003.jsonl, line 1:/,
    ],
    [
      'a cut-off line in a journal that has a successor',
      async (copy) => {
        await cp(join(copy, second), join(copy, 'journal-00000003.jsonl'))
        await writeFile(join(copy, second), '["torn')
      },
      /journal-00000002.jsonl, line 1:/,
    ],
  ]
  for (const [title, change, message] of rows) {
    const copy = `${directory}-${rows.findIndex((row) => row[0] === title)}`
    await cp(directory, copy, { recursive: true })
    await change(copy)
    await t.rejects(openLowdbStore({ directory: copy }), { code: 'STORE_DAMAGED', message }, title)
  }
})

t.test('zeros that a power loss left at the end are dropped [D54]', async (t) => {
  const directory = temporaryDirectory(t)
  const store = await openStore(t, { directory })
  const putAll = (...ids: string[]) =>
    Promise.all(
      ids.map((clientId) =>
        store.write(anything, (r) => r.clients.put(clientRecord({ clientId }))),
      ),
    )
  await putAll('a', 'b')
  await putAll('c', 'd', 'e')
  await store.close()
  const path = join(directory, firstJournal)
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  const zeroed = (index: number) =>
    writeFile(path, `${lines.with(index, '\0'.repeat(lines[index]?.length ?? 0)).join('\n')}\n`)

  await zeroed(2)
  await t.rejects(
    openLowdbStore({ directory }),
    { code: 'STORE_DAMAGED', message: /line 3:/ },
    'a batch that was durable is not dropped',
  )
  await zeroed(4)
  await forgetEnd(directory)
  t.same(
    await reopenedIds(t, directory),
    ['a', 'b', 'c'],
    'the journal is cut off at the hole in the last batch',
  )
  t.equal((await readFile(path, 'utf8')).trimEnd().split('\n').length, 4)
})

t.test('a first start that was cut off is repeated', async (t) => {
  const directory = await filledDirectory(t, 0)
  const whole = await readFile(join(directory, firstJournal))
  await rm(join(directory, 'store.json'))
  await forgetEnd(directory)
  for (const length of [0, 10, whole.length]) {
    await writeFile(join(directory, firstJournal), whole.subarray(0, length))
    const store = await openLowdbStore({ directory })
    t.same(await clientIds(store), [])
    await store.close()
    await rm(join(directory, 'store.json'))
    await forgetEnd(directory)
  }
})

t.test('a record that is too large for a file fails, and no other write does', async (t) => {
  const store = await openStore(t, { directory: temporaryDirectory(t) })
  const name = 1n as unknown as string
  await t.rejects(store.write(anything, (r) => r.organizations.put(organizationRecord({ name }))))
  await store.write(anything, (r) => r.organizations.put(organizationRecord()))
  t.same(await store.health(), { ready: true })
})

t.test(
  'a write that is too large fails alone, and large writes do not share a batch',
  async (t) => {
    const store = await openStore(t, { directory: temporaryDirectory(t) })
    const put = (clientId: string, length: number) =>
      store.write(anything, (r) =>
        r.clients.put(clientRecord({ clientId, name: 'x'.repeat(length) })),
      )
    await t.rejects(put('too large', 128 * 1024 * 1024), { code: 'PAYLOAD_TOO_LARGE' })
    await Promise.all(['a', 'b', 'c', 'd'].map((clientId) => put(clientId, 9 * 1024 * 1024)))
    await store.close()
    t.same(await reopenedIds(t, store.directory), ['a', 'b', 'c', 'd'])
  },
)

/**
 * Deletes the record of the acknowledged end. The last lines then count as not acknowledged, like
 * lines that a crash cut off.
 */
async function forgetEnd(directory: string): Promise<void> {
  await rm(join(directory, 'acknowledged.json'))
}

async function filledDirectory(t: Test, clients: number): Promise<string> {
  const directory = temporaryDirectory(t)
  const store = await openLowdbStore({ directory })
  for (let number = 1; number <= clients; number += 1) {
    await store.write(anything, async (records) => {
      await records.clients.put(clientRecord({ clientId: `client-${number}` }))
      await records.organizations.put(organizationRecord())
    })
  }
  await store.close()
  return directory
}

async function compact(directory: string): Promise<void> {
  const store = await openLowdbStore({ directory })
  await store.compact()
  await store.close()
}

async function reopenedIds(t: Test, directory: string): Promise<string[]> {
  const store = await openStore(t, { directory })
  const ids = await clientIds(store)
  await store.close()
  return ids
}

async function clientIds(store: Awaited<ReturnType<typeof openLowdbStore>>): Promise<string[]> {
  const clients = await store.read((records) => records.clients.list())
  return clients.map(({ clientId }) => clientId)
}

function altered(line = ''): string {
  return line.replace('2026', '2025')
}
