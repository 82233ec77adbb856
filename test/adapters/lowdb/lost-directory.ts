import { renameSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { FaultyDisk } from '../../../fixtures/stores/disks.ts'
import { openStore, temporaryDirectory } from '../../../fixtures/stores/engines.ts'
import type { JournaledStore } from '../../../src/adapters/lowdb/open-store.ts'

/** Files of another store, with the names that a compaction of ours uses. */
async function makeOther(t: Test): Promise<string> {
  const directory = temporaryDirectory(t)
  const store = await openStore(t, { directory })
  await put(store, 'Other')
  await store.compact()
  await store.close()
  await writeFile(join(directory, 'snapshot-00000002.jsonl.tmp'), 'a snapshot of others')
  return directory
}

function put(store: JournaledStore, name: string): Promise<void> {
  return store.write(anything, ({ organizations }) =>
    organizations.put(organizationRecord({ name })),
  )
}

async function contentOf(directory: string): Promise<Readonly<Record<string, string>>> {
  const read = (await readdir(directory)).map(
    async (name) => [name, await readFile(join(directory, name), 'utf8')] as const,
  )
  return Object.fromEntries(await Promise.all(read))
}

for (const [step, created, synced] of [
  ['before', undefined, undefined],
  ['when its snapshot is created', /snapshot/, undefined],
  ['when its journal is created', /journal-00000002/, undefined],
  ['when its journal is synced', undefined, /journal-00000002/],
  ['when its snapshot is synced', undefined, /snapshot/],
] as const) {
  t.test(`a compaction whose directory is replaced ${step} leaves the new one alone`, async (t) => {
    const other = await makeOther(t)
    const left = await contentOf(other)
    const disk = new FaultyDisk()
    const directory = temporaryDirectory(t)
    const store = await openStore(t, { directory, openFile: disk.openFile })
    await put(store, 'Own')
    let isReplaced = false
    const replaceAt = (step: RegExp | undefined) => (name: string) => {
      if (isReplaced || !step?.test(name)) return
      isReplaced = true
      renameSync(directory, `${directory}-old`)
      renameSync(other, directory)
    }
    disk.onCreate(replaceAt(created))
    disk.onSync(replaceAt(synced))
    if (!created && !synced) replaceAt(/./)('now')
    await t.rejects(store.compact())
    t.ok(isReplaced)
    await t.rejects(store.requireOwnFiles(), { message: /taken the place of the data directory/ })
    await t.rejects(put(store, 'Lost'), { code: 'SERVICE_UNAVAILABLE' })
    t.match(await store.health(), { ready: false, isFinal: true })
    await store.close()
    t.same(await contentOf(directory), left)
  })
}
