import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { tolerant } from '../../sim/planted.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'sim', 'planted')
const least = 30

t.test('each planted fault can be planted in the present sources', async (t) => {
  const patches = readdirSync(folder)
  t.ok(patches.length >= least)
  for (const name of patches) {
    const plant = ['apply', '--check', ...tolerant, join(folder, name)]
    t.doesNotThrow(() => execFileSync('git', plant, { cwd: root, stdio: 'pipe' }), name)
  }
})
