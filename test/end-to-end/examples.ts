import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { runCoopshare } from '../../fixtures/program/serve.ts'

const examples = join(import.meta.dirname, '..', '..', 'examples')
const fixtures = ['--fixtures', join(examples, 'fixtures.yaml')]

t.test('the example in Node passes its 25 tests', { timeout: 300_000 }, async (t) => {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
  const argv = ['--test', join(examples, 'node', 'partner-app.test.mjs')]
  const { status, stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8', env })
  t.equal(status, 0, stdout)
  t.match(stdout, /pass 25\n/)
})

const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0

t.test(
  'the example in Python passes its tests',
  { skip: hasPytest ? false : 'there is no python3 with pytest', timeout: 120_000 },
  async (t) => {
    const pytest = ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider']
    const argv = ['with', ...fixtures, '--bench', '--', ...pytest, join(examples, 'python')]
    const { code, stdout } = await runCoopshare(argv, { PYTHONDONTWRITEBYTECODE: '1' })
    t.equal(code, 0, stdout)
    t.match(stdout, /7 passed/)
  },
)
