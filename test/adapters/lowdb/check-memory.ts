import t from 'tap'
import { organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { openStore, temporaryDirectory } from '../../../fixtures/stores/engines.ts'
import { loadStore } from '../../../src/adapters/lowdb/load-store.ts'
import { listFiles, selectStoreFiles } from '../../../src/adapters/lowdb/store-files.ts'
import { Tables } from '../../../src/adapters/lowdb/tables.ts'
import { organizations } from '../../../src/adapters/store/identity.ts'

t.test('a check of a running store keeps no second copy of its records', async (t) => {
  const directory = temporaryDirectory(t)
  const store = await openStore(t, { directory })
  const [same, changed] = [
    organizationRecord({ organizationId: 'org-1', name: 'Musterbank' }),
    organizationRecord({ organizationId: 'org-2', name: 'Old Bank' }),
  ]
  await store.write(anything, async ({ organizations }) => {
    await organizations.put(same)
    await organizations.put(changed)
  })
  const running = new Tables()
  const inMemory = structuredClone(same)
  running.of(organizations).load(inMemory)
  running.of(organizations).load({ ...changed, name: 'New Bank' })
  const files = selectStoreFiles(await listFiles(directory))
  const { tables } = await loadStore(files, undefined, running)
  const read = tables.of(organizations)
  t.equal(read.get(read.keyOf(same))?.record, inMemory)
  t.match(read.get(read.keyOf(changed))?.record, { name: 'Old Bank' }, 'the files are checked')
})
