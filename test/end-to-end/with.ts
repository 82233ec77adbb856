import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { until } from '../../fixtures/async.ts'
import { runCoopshare, spawnCoopshare } from '../../fixtures/program/serve.ts'

const printVariables = `
  const names = ['URL', 'CLIENT_ID', 'CLIENT_SECRET', 'OPERATOR_URL', 'OPERATOR_TOKEN']
  const found = Object.fromEntries(names.map((name) => [name, process.env['COOPSHARE_' + name]]))
  const headers = { authorization: 'Bearer ' + found.OPERATOR_TOKEN }
  const clock = await (await fetch(found.OPERATOR_URL + '/bench/clock', { headers })).json()
  console.log(JSON.stringify({ ...found, clock, ready: (await fetch(found.URL + '/readyz')).status }))
  process.exitCode = 7`

const script = (text: string) => [process.execPath, '--input-type=module', '--eval', text]

t.test(
  'a command finds its own service, and `with` has the exit code of the command',
  async (t) => {
    const argv = ['with', '--fixtures', 'examples/fixtures.yaml', '--bench']
    const now = ['--now', '2026-11-20T10:00:00Z']
    const ran = await runCoopshare([...argv, ...now, '--', ...script(printVariables)])
    t.equal(ran.code, 7, ran.stderr)
    t.match(ran.stderr, /^Service ready at http:\S+, operator endpoint at http:\S+\.\n$/)
    const found = JSON.parse(ran.stdout)
    t.match(found, {
      CLIENT_ID: '7b000000-0000-4000-8000-00000000c001',
      CLIENT_SECRET: 'neobank-app-secret-for-tests-only',
      clock: { now: '2026-11-20T10:00:00.000Z' },
      ready: 200,
    })
    // biome-ignore lint/style/noRestrictedGlobals: the service only has to be gone.
    await t.rejects(fetch(found.URL), 'the service has ended')
  },
)

t.test('the exit code is kept while output of the service is still open', async (t) => {
  // The service leaves a process that keeps its output open for a second.
  const directory = t.testdir({
    'program.mjs': `
      import { spawn } from 'node:child_process'
      if (process.argv[2] === 'serve') {
        spawn('sleep', ['1'], { stdio: ['ignore', 'inherit', 'inherit'] }).unref()
      }
      const { runBundle } = await import(${JSON.stringify(resolve('bin/run-bundle.js'))})
      runBundle()`,
  })
  const argv = ['with', '--demo', '--', 'sh', '-c', 'exit 7']
  const ran = await runCoopshare(argv, {}, [process.execPath, join(directory, 'program.mjs')])
  t.equal(ran.code, 7, ran.stderr)
})

const tooEarly =
  /The clock shows 2026-01-01T00:00:00\.000Z, but the demo data has consents given as late as 2026-10-05.*--now/

t.test(
  'a command that cannot be started is reported, and no process or file is left',
  async (t) => {
    const rows: readonly [argv: readonly string[], code: number, said: RegExp][] = [
      [['--demo'], 2, /Name the command after --/],
      [['--demo', '--', 'no-such-command'], 2, /no-such-command could not be run: .*ENOENT/],
      [['npm', 'test'], 2, /Write -- before the command: coopshare with -- npm test$/m],
      [['--fixtures', 'no-such.yaml', '--', 'true'], 2, /no-such\.yaml/],
      [['--fixtures', 'package.json', '--', 'true'], 4, /package\.json:2.*unknown key/],
      [['--now', '2026-11-20T10:00:00Z', '--', 'true'], 2, /--now needs --bench/],
      [['--bench', '--now', '2026-01-01T00:00:00Z', '--', 'true'], 4, tooEarly],
    ]
    for (const [argv, code, said] of rows) {
      const ran = await runCoopshare(['with', ...argv], { OCLIF_COLUMNS: '1000' })
      t.match(ran, { code, stderr: said })
    }
    const missing = await runCoopshare(['with', '--fixtures', 'none.yaml', '--json', '--', 'true'])
    t.match(JSON.parse(missing.stdout), { error: { code: 'FILE_NOT_FOUND' } })
  },
)

t.test('an operator with a token of their own gets a service with another token', async (t) => {
  const own = { COOPSHARE_OPERATOR_TOKEN: `cso_${'a'.repeat(43)}` }
  const argv = ['with', '--demo', '--', 'sh', '-c', 'echo $COOPSHARE_OPERATOR_TOKEN']
  const { code, stdout, stderr } = await runCoopshare(argv, own)
  t.equal(code, 0, stderr)
  t.not(stdout.trim(), own.COOPSHARE_OPERATOR_TOKEN)
})

/** A command that reports its start and ends at SIGTERM. */
const untilTerminated = `
  process.on('SIGTERM', () => process.exit(3))
  process.on('SIGINT', () => process.exit(4))
  console.log(JSON.stringify({ pid: process.pid, url: process.env.COOPSHARE_URL }))
  setInterval(() => {}, 1000)`

async function startCommand() {
  const { process: child, ended } = await spawnCoopshare([
    ...['with', '--demo', '--', ...script(untilTerminated)],
  ])
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, ended, ...(JSON.parse(line) as { pid: number; url: string }) }
}

t.test('signals reach the command, and the service ends after the command', async (t) => {
  for (const [signal, code] of [
    ['SIGTERM', 3],
    ['SIGINT', 4],
  ] as const) {
    const { child, ended, url } = await startCommand()
    child.kill(signal)
    t.equal((await ended).code, code)
    t.ok(await isGone(url))
  }
})

t.test('when `with` is killed, the service and the command also end [D60]', async (t) => {
  const { child, url, pid } = await startCommand()
  child.kill('SIGKILL')
  await until(t, () => isGone(url))
  await until(t, () => !isAlive(pid))
  t.pass('both have ended')
})

t.test('a command ended by a signal has the exit code that a shell would give', async (t) => {
  const argv = ['with', '--demo', '--', 'sh', '-c', 'kill -KILL $$']
  t.equal((await runCoopshare(argv)).code, 137)
})

async function isGone(url: string): Promise<boolean> {
  // biome-ignore lint/style/noRestrictedGlobals: the service only has to be gone.
  return fetch(`${url}/livez`).then(
    () => false,
    () => true,
  )
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
