import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const root = join(import.meta.dirname, '..', '..')
const program = join(root, 'fixtures', 'guard-scenarios.ts')

// Deno's own fetch ignores a dispatcher, and with it a guard that is set there.
const runtimes: [title: string, command: string, argv: string[]][] = [
  ['Node', process.execPath, ['--import', 'tsx', program]],
  ['Deno', join(root, 'node_modules', '.bin', 'deno'), ['run', '-A', program]],
]

const expected = {
  outcomes: {
    'literal 127.0.0.1': ['refused'],
    'literal 127.1': ['refused'],
    'literal 2130706433': ['refused'],
    'literal 0x7f000001': ['refused'],
    'literal [::1]': ['refused'],
    'literal [::ffff:127.0.0.1]': ['refused'],
    'private name': ['refused'],
    'public and private at once': ['refused'],
    'turning private': ['nobody there', 'refused', 'refused'],
    http: ['refused'],
    'unknown name': ['dns'],
    rebinding: [200],
    redirect: [302],
    dripping: ['timeout'],
    huge: ['answer'],
  },
  guardedConnections: 0,
  requests: ['GET /rebinding', 'GET /redirect', 'GET /drip', 'GET /huge'],
}

for (const [title, command, argv] of runtimes) {
  t.test(`the address actually dialled is checked under ${title}`, async (t) => {
    const { PATH, HOME } = process.env
    const { stdout } = await promisify(execFile)(command, argv, { cwd: root, env: { PATH, HOME } })
    t.strictSame(JSON.parse(stdout), expected)
  })
}
