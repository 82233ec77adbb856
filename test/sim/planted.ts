import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'sim', 'planted')
const least = 30

t.test('each planted fault can be planted in the present sources', async (t) => {
  const patches = readdirSync(folder)
  t.ok(patches.length >= least)
  for (const name of patches) {
    const plant = ['-p1', '--quiet', '--fuzz=3', '--dry-run', '-i', join(folder, name)]
    t.doesNotThrow(() => execFileSync('patch', plant, { cwd: root, stdio: 'pipe' }), name)
  }
})
