import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import StoreCheck from '../../commands/store/check.ts'
import { until } from '../../fixtures/async.ts'
import { fillStore } from '../../fixtures/program/run-command.ts'
import {
  programCommand,
  runCoopshare,
  serve,
  spawnCoopshare,
} from '../../fixtures/program/serve.ts'
import { runnerOn } from '../../fixtures/program/with-and-without-service.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'

const skip = process.env['COOPSHARE_TEST_ENGINE'] === 'postgres' && 'a database has no such backup'

/**
 * Runs a shell command. In it, `coopshare` is the program, and `$1` and later parameters are
 * `words`.
 */
async function runLine(line: string, ...words: string[]) {
  const program = programCommand.map((word) => `'${word}'`).join(' ')
  const script = `set -o pipefail\ncoopshare() { ${program} "$@"; }\n${line}`
  return runCoopshare(words, {}, ['bash', '-c', script, 'bash'])
}

async function makeStore(t: Test, orders = 3) {
  const root = t.testdir()
  const [from, to] = [join(root, 'from'), join(root, 'to')]
  await fillStore(from, seedOrders(orders))
  return { root, from, to }
}

t.test('a backup can be written to a pipe and restored from a pipe', { skip }, async (t) => {
  const { root, from, to } = await makeStore(t)
  const line =
    'coopshare store backup - --data-dir "$1" | gzip | gunzip | coopshare store restore - --json --data-dir "$2"'
  const piped = await runLine(line, from, to)
  t.equal(piped.code, 0, piped.stderr)
  t.match(JSON.parse(piped.stdout), {
    data_dir: to,
    records: { share_purchases: 3 },
    needs_encryption_key: false,
  })
  t.match(piped.stderr, /^Wrote \d+ bytes\.$/m)
  t.match((await runnerOn(to)(StoreCheck, '--json')).json, { sound: true })
  t.notOk((await readdir(to)).some((name) => name.includes('restore')))
  t.notOk(existsSync('-') || existsSync(join(root, '-')), 'no file is called -')

  await t.test('a backup can be restored from a named pipe, as with <(…)', async (t) => {
    const line =
      'mkfifo "$3" && { coopshare store backup - --data-dir "$1" > "$3" & coopshare store restore "$3" --json --data-dir "$2"; }'
    const restored = await runLine(line, from, join(root, 'again'), join(root, 'fifo'))
    t.equal(restored.code, 0, restored.stderr)
    t.match(JSON.parse(restored.stdout), { records: { share_purchases: 3 } })
  })

  await t.test('standard output has only the backup, even while a service runs', async (t) => {
    const served = await serve(t, ['--data-dir', from])
    const file = join(root, 'piped.backup')
    const written = await runLine('coopshare store backup - --data-dir "$1" > "$2"', from, file)
    t.equal(written.code, 0, written.stderr)
    const bytes = await readFile(file)
    const footerAt = bytes.lastIndexOf('{"sha256"')
    const digest = createHash('sha256').update(bytes.subarray(0, footerAt)).digest('hex')
    t.equal(bytes.subarray(footerAt).toString(), `{"sha256":"${digest}"}\n`)
    t.match(bytes.toString(), /^\{"format":"coopshare-backup"/)
    await served.stop()
  })
})

t.test('a backup that was cut off in the pipe is not restored', { skip }, async (t) => {
  const { from, to } = await makeStore(t)
  const all = 'coopshare store backup - --data-dir "$1"'
  const { stdout } = await runLine(`${all} | wc -c`, from)
  for (const bytes of [0, 100, Math.floor(Number(stdout) / 2), Number(stdout) - 1]) {
    const line = `${all} | head -c ${bytes} | coopshare store restore - --json --data-dir "$2"`
    const cut = await runLine(line, from, to)
    t.equal(cut.code, 5, cut.stderr)
    t.match(JSON.parse(cut.stdout).error, {
      code: 'STORE_DAMAGED',
      message: /The backup from standard input is (damaged|empty)/,
    })
    t.notOk(existsSync(to), `${bytes} bytes`)
  }
})

t.test('a killed restore leaves no store that can be served', { skip }, async (t) => {
  const { to } = await makeStore(t)
  const { process, ended } = await spawnCoopshare(['store', 'restore', '-', '--data-dir', to])
  process.stdin.write('{"format":"coopshare-backup"')
  const spool = join(to, 'restore.unfinished')
  await until(t, async () => ((await stat(spool).catch(() => undefined))?.size ?? 0) > 0)
  process.kill('SIGKILL')
  await ended
  const started = await runCoopshare(['serve', '--port', '0', '--data-dir', to])
  t.equal(started.code, 5)
  t.match(started.stderr, /was interrupted/)
})

t.test('a backup whose output is not read to the end has exit code 1', { skip }, async (t) => {
  // The backup is larger than a pipe can hold.
  const { from } = await makeStore(t, 100)
  const early = 'coopshare store backup - --data-dir "$1" | head -c 10 > /dev/null'
  const ended = await runLine(`${early}; exit "\${PIPESTATUS[0]}"`, from)
  t.equal(ended.code, 1, ended.stderr)
  t.match(ended.stderr, /^Error: The backup is incomplete: the program that reads it has ended\.$/m)
  const full = await runLine('coopshare store backup - --data-dir "$1" > /dev/full', from)
  t.equal(full.code, 1, full.stderr)
  t.match(full.stderr, /no space left on the disk/)
})

t.test('a backup is neither written to a terminal nor read from it', { skip }, async (t) => {
  const { from, to } = await makeStore(t)
  const rows: [argv: string[], message: RegExp][] = [
    [['backup', '-', '--data-dir', from], /A backup cannot be written to a terminal/],
    [['restore', '-', '--data-dir', to], /the backup is read from standard input/],
  ]
  for (const [argv, message] of rows) {
    const line = [...programCommand, 'store', ...argv].map((word) => `'${word}'`).join(' ')
    const ended = await runCoopshare(['-qec', line, '/dev/null'], {}, ['script'])
    t.equal(ended.code, 2, ended.stdout)
    t.match(ended.stdout, message)
  }
  const json = await runCoopshare(['store', 'backup', '-', '--json', '--data-dir', from])
  t.equal(json.code, 2)
  t.match(json.stdout, /Leave out --json/)
})

t.test('the restore of a backup without a key says that the key is needed', { skip }, async (t) => {
  const key = randomBytes(32).toString('hex')
  const file = join(t.testdir({ key, other: randomBytes(32).toString('hex') }), 'key')
  const root = join(file, '..')
  const from = join(root, 'from')
  const withKey = ['--encryption-key-file', file]
  await fillStore(from, seedOrders(1), ...withKey)
  const backup = join(root, 'keyless.backup')
  const made = await runCoopshare(['store', 'backup', backup, '--data-dir', from, ...withKey])
  t.equal(made.code, 0, made.stderr)
  const restore = (name: string, ...argv: string[]) =>
    runCoopshare(['store', 'restore', backup, '--data-dir', join(root, name), ...argv])
  const without = await restore('without')
  t.equal(without.code, 0)
  t.match(without.stdout, /You need that key to serve the store \(--encryption-key-file or COOP/)
  t.match((await restore('with', ...withKey)).stdout, /The key that you gave is the right one/)
  const other = await restore('other-key', '--encryption-key-file', join(root, 'other'))
  t.match(other.stdout, /the key that you gave is the wrong one/)
  const { stdout } = await restore('json', '--json')
  t.match(JSON.parse(stdout), { needs_encryption_key: true })
})
