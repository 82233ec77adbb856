import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findChange, isOfCommit, readSources } from '../scripts/build/build-record.ts'

const root = join(import.meta.dirname, '..')
const bundle = join(root, 'dist', 'coopshare.cjs')

t.test('a program whose sources have not changed is not built again', (t) => {
  const before = statSync(bundle).mtimeMs
  const argv = ['--import', 'tsx', join('scripts', 'build', 'program.ts')]
  const { status, stderr } = spawnSync(process.execPath, argv, { cwd: root, encoding: 'utf8' })
  t.equal(status, 0, stderr)
  t.equal(statSync(bundle).mtimeMs, before)
  t.end()
})

t.test('a changed, a new and a removed source are found by their content', async (t) => {
  const sources = await readSources()
  t.equal(await findChange(sources), undefined)
  const file = 'src/domain/money.ts'
  const { [file]: digest, ...others } = sources.digests
  t.type(digest, 'string')
  t.equal(await findChange({ ...sources, digests: others }), file)
  t.equal(await findChange({ ...sources, digests: { ...others, [file]: 'other' } }), file)
  t.ok(Object.hasOwn(sources.digests, 'docs/partners/integration.md'), 'a page of the guide')
  t.ok(Object.hasOwn(sources.digests, 'examples/python/order.py'), 'an example in the guide')
  const added = { ...sources.digests, 'src/http/look/new.css': 'new' }
  t.equal(await findChange({ ...sources, digests: added }), 'src/http/look/new.css')
  for (const generated of [
    'src/http/look/files.ts',
    'src/cli/serve/demo-data.ts',
    'src/http/guide/pages.ts',
  ])
    t.notOk(Object.hasOwn(sources.digests, generated), 'generated modules do not count')
})

t.test('a program of another commit is built again', async (t) => {
  const sources = await readSources()
  t.ok(await isOfCommit(sources))
  t.notOk(await isOfCommit({ ...sources, commit: '0123456789ab' }))
})
