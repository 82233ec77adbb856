import { access, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { makeWorkDirectory } from '../../src/adapters/file-lock/lock.ts'

t.test('a work directory that cannot be removed yet is removed later', async (t) => {
  const above = join(t.testdir({ above: {} }), 'above')
  const work = await makeWorkDirectory(above, 'backup')
  await rename(above, `${above}.away`)
  await writeFile(above, 'in the way')
  await t.rejects(work.remove(), { code: 'ENOTDIR' })
  await rm(above)
  await rename(`${above}.away`, above)
  await work.remove()
  await t.rejects(access(work.path), { code: 'ENOENT' })
  await work.remove()
})
