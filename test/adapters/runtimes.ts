import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { findDeno } from '../../fixtures/program/installed-tools.ts'

const root = join(import.meta.dirname, '..', '..')

const runtimes: [title: string, command: string, argv: string[]][] = [
  ['Node', process.execPath, ['--import', 'tsx']],
  ['Deno', findDeno().program, ['run', '-A']],
]

// Deno's own fetch ignores a dispatcher, and therefore also the guard.
const guarded = {
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
    'interim answers': [200],
    'too many of them': ['answer'],
    'a folded line': [200],
    dripping: ['timeout'],
    huge: ['answer'],
  },
  guardedConnections: 0,
  requests: [
    ...['GET /rebinding', 'GET /redirect', 'GET /interim/32', 'GET /interim/33', 'GET /folded'],
    ...['GET /drip', 'GET /huge'],
  ],
}

const synced = {
  'a file that cannot be synced': 'EINVAL',
  'a directory that cannot be synced': 'EINVAL',
  'a directory': 'done',
  'a file that already exists': 'EEXIST',
  'a write': 'done',
  'a write that cannot be synced': 'SERVICE_UNAVAILABLE',
  'the stored records': ['synced'],
}

for (const [title, command, argv] of runtimes) {
  const run = async (name: string) => {
    const { PATH, HOME } = process.env
    const program = join(root, 'fixtures', name)
    const options = { cwd: root, env: { PATH, HOME } }
    const { stdout } = await promisify(execFile)(command, [...argv, program], options)
    return JSON.parse(stdout)
  }

  t.test(`the address of the actual connection is checked under ${title}`, async (t) => {
    t.strictSame(await run('servers/guard-scenarios.ts'), guarded)
  })

  t.test(`a write that the disk does not confirm is not acknowledged under ${title}`, async (t) => {
    t.strictSame(await run('stores/sync-scenarios.ts'), synced)
  })
}
