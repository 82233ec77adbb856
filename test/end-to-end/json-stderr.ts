import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { programCommand, runCoopshare, spawnCoopshare } from '../../fixtures/program/serve.ts'

/** Parses every line as JSON. Any other line fails the test. */
function linesOf(stderr: string) {
  const lines = stderr.split('\n')
  t.equal(lines.pop(), '', 'the last line is complete')
  return lines.map((line) => JSON.parse(line))
}

t.test('an error that ends a start of serve is a line of JSON on stderr [D46]', async (t) => {
  const directory = t.testdir({ file: '', 'bad.yaml': 'organizations: [{ name: }]\n' })
  const here = ['--port', '0']
  const data = ['--data-dir', join(directory, 'data')]
  const rows: [title: string, argv: string[], code: number, message: RegExp][] = [
    ['a flag that does not exist', ['--prot', '1'], 2, /--prot/],
    ['an argument', ['everything'], 2, /everything/],
    ['an impossible value', ['--drain', 'soon'], 2, /--drain/],
    ['a setting that production refuses', ['--environment', 'production', '--demo'], 4, /--demo/],
    ['a fixture with a fault', ['--fixtures', join(directory, 'bad.yaml')], 4, /bad\.yaml/],
    ['a data directory that is a file', ['--data-dir', join(directory, 'file')], 5, /file/],
    ['a certificate that does not exist', ['--https-cert', '/no', '--https-key', '/no'], 2, /\/no/],
  ]
  for (const [title, argv, code, message] of rows) {
    for (const json of [[], ['--json']]) {
      const refused = await runCoopshare([
        'serve',
        ...here,
        ...(argv[0] === '--data-dir' ? [] : data),
        ...argv,
        ...json,
      ])
      t.equal(refused.code, code, title)
      const last = linesOf(refused.stderr).at(-1)
      t.match(last, { level: 'error', time: String, pid: Number, code: String, exit: code }, title)
      t.match(last.msg, message, title)
      t.match(refused.stdout, json.length > 0 ? /"error"/ : /^$/, title)
    }
  }
})

t.test('an unknown word after serve is also a line of JSON', async (t) => {
  for (const json of [[], ['--json']]) {
    const { code, stderr } = await runCoopshare(['serve', 'everything', ...json])
    t.equal(code, 2)
    t.match(linesOf(stderr).at(-1), {
      level: 'error',
      code: 'WRONG_USAGE',
      exit: 2,
      msg: /^"coopshare serve" takes no arguments/,
    })
  }
})

t.test('warnings of Node and a crash are also lines of JSON [D46]', async (t) => {
  const directory = t.testdir({
    'preload.cjs': `process.once('SIGUSR2', () => {
      process.emitWarning('Something is old.', 'DeprecationWarning')
      console.error('Something else prints\\nmore than a line.')
      setImmediate(() => setImmediate(() => { throw new TypeError('Nobody has caught this.') }))
    })`,
  })
  const argv = ['serve', '--port', '0', '--json', '--data-dir', join(directory, 'data')]
  // `env` sets NODE_OPTIONS, because tap sets that variable for the processes that it starts.
  const preloading = ['env', `NODE_OPTIONS=--require ${join(directory, 'preload.cjs')}`]
  const words = [...preloading, ...programCommand]
  const { process: child, ended } = await spawnCoopshare(argv, {}, words)
  t.teardown(() => child.kill('SIGKILL'))
  await once(createInterface({ input: child.stdout }), 'line')
  child.kill('SIGUSR2')
  const { code, stderr } = await ended
  t.equal(code, 1)
  const lines = linesOf(stderr)
  const found = (msg: string) => lines.find((line) => line.msg === msg)
  t.match(found('warning of Node'), {
    level: 'warn',
    error: { type: 'DeprecationWarning', message: 'Something is old.' },
  })
  t.match(found('Something else prints\nmore than a line.'), { level: 'error' })
  t.match(found('The service crashed.'), {
    level: 'error',
    error: { type: 'TypeError', message: 'Nobody has caught this.', stack: /preload\.cjs/ },
  })
  t.ok(found('serving'), 'the log is among the lines')
})

t.test('people get a greeting on stdout, and programs get data [D46]', async (t) => {
  for (const json of [[], ['--json']]) {
    const argv = ['serve', '--port', '0', '--data-dir', t.testdir(), ...json]
    const { process: child, ended } = await spawnCoopshare(argv)
    t.teardown(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    const { stdout, stderr } = await ended
    t.match(stdout, json.length > 0 ? /^\{.*\}\n$/ : /^Partner API +http/)
    linesOf(stderr)
  }
})
