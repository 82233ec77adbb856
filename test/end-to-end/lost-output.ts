import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ofetch } from 'ofetch'
import t from 'tap'
import { until } from '../../fixtures/async.ts'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { fillStore, fillStoreAlike } from '../../fixtures/program/run-command.ts'
import {
  programCommand,
  runCoopshare,
  serve,
  spawnCoopshare,
} from '../../fixtures/program/serve.ts'
import { noSeed } from '../../fixtures/program/with-and-without-service.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'

const skip = !existsSync('/dev/full') && 'this system has no disk that is always full'
const noRoom = 'Error: The output could not be written: there is no space left on the disk.'

/** Makes words that start the program in a shell, with a redirection. */
function into(redirection: string): string[] {
  return ['sh', '-c', `exec "$@" ${redirection}`, 'sh', ...programCommand]
}

function runInto(redirection: string, ...argv: string[]) {
  return runCoopshare(argv, {}, into(redirection))
}

t.test(
  'output that cannot be written leads to one sentence and exit code 1',
  { skip },
  async (t) => {
    const dataDirectory = t.testdir()
    await fillStoreAlike(dataDirectory, seedOrders(0))
    const here = ['--data-dir', dataDirectory]
    const rows = [
      ['client', 'list', ...here],
      ['client', 'list', '--json', ...here],
      ['fixtures', 'export', ...here],
      ['purchase', '--help'],
      ['--version'],
      ['completion', 'bash'],
      ['webhook', 'receive', '--port', '0', '--secret', `whsec_${'A'.repeat(32)}`],
    ]
    for (const argv of rows) {
      const { code, stderr } = await runInto('>/dev/full', ...argv)
      t.equal(code, 1, argv.join(' '))
      t.equal(stderr, `${noRoom} The changes that the command made are kept.\n`, argv.join(' '))
    }
  },
)

t.test('an error that cannot be shown keeps its exit code', { skip }, async (t) => {
  const dataDirectory = t.testdir()
  await fillStoreAlike(dataDirectory, noSeed)
  const argv = ['client', 'show', 'nobody', '--json', '--data-dir', dataDirectory]
  const { code, stderr } = await runInto('>/dev/full', ...argv)
  t.equal(code, 3)
  t.match(stderr, noRoom)
})

t.test(
  'when a secret cannot be shown, the error says how to get another secret',
  { skip },
  async (t) => {
    const dataDirectory = t.testdir()
    const { clientId } = await fillStore(dataDirectory, seedOrders(0))
    const here = ['--data-dir', dataDirectory]
    const ids = async (...argv: string[]) =>
      JSON.parse((await runCoopshare([...argv, '--json', ...here])).stdout)
    const lose = async (...argv: string[]) => {
      const { code, stderr } = await runInto('>/dev/full', ...argv, ...here)
      t.equal(code, 1, argv.join(' '))
      t.match(stderr, noRoom, argv.join(' '))
      t.notMatch(stderr, /^ +at /m, 'no stack')
      return stderr
    }

    await t.test('the error covers the secret of a client', async (t) => {
      const made = await lose('client', 'create', '--organization', 'Demo Bank', '--json')
      const [, other] = (await ids('client', 'list')).map(
        (client: { client_id: string }) => client.client_id,
      )
      t.match(
        made,
        `The client ${other} was created, but its secret is lost. Run "coopshare client rotate-secret ${other}"`,
      )
    })

    await t.test('the error covers a second secret', async (t) => {
      const rotated = await lose('client', 'rotate-secret', clientId)
      const { secrets } = await ids('client', 'show', clientId)
      const advice = `"coopshare client revoke-secret ${clientId} ${secrets[1].secret_id}", then rotate again`
      t.match(rotated, advice)
    })

    await t.test('the error covers new clients of a fixture file', async (t) => {
      const file = join(t.testdir(), 'two.yaml')
      const named = `    - { name: named, client_secret: ${'s'.repeat(40)} }`
      await writeFile(
        file,
        `organizations:\n- name: Other Bank\n  clients:\n    - { name: drawn }\n${named}\n`,
      )
      const applied = await lose('fixtures', 'apply', file)
      const clients: { client_id: string; name: string }[] = await ids('client', 'list')
      const idOf = (wanted: string) => clients.find(({ name }) => name === wanted)?.client_id
      t.match(applied, `The client ${idOf('drawn')} was created, but its secret is lost`)
      t.notMatch(applied, `${idOf('named')}`)
    })

    await t.test('the error covers webhook endpoints', async (t) => {
      const url = 'https://8.8.8.8/hooks'
      const registered = await lose('webhook', 'register', '--organization', 'Demo Bank', url)
      const [{ webhook_endpoint_id: id }] = await ids('webhook', 'list')
      const advice = `${id} has a new signing secret, but the secret is lost. Run "coopshare webhook rotate-secret ${id}"`
      t.match(registered, advice)
      t.match(await lose('webhook', 'rotate-secret', id, '--json'), advice)
    })
  },
)

t.test('a closed pipe ends a command without an error', async (t) => {
  const dataDirectory = t.testdir()
  await fillStoreAlike(dataDirectory, seedOrders(0))
  const here = ['--data-dir', dataDirectory]
  const { stdout, stderr } = await runInto('| true', 'client', 'list', ...here)
  t.equal(stdout + stderr, '')
})

const intoHead = ['bash', '-c', 'exec "$@" > >(exec head -n 1)', 'bash', ...programCommand]

t.test('a closed pipe ends a command that runs until it is stopped', async (t) => {
  const secret = `whsec_${'A'.repeat(32)}`
  const argv = ['webhook', 'receive', '--port', '0', '--secret', secret, '--json']
  // The test reads the greeting and no later output.
  const { process: child, ended } = await spawnCoopshare(argv, {}, intoHead)
  t.teardown(() => child.kill('SIGKILL'))
  const [greeting] = await once(child.stdout, 'data')
  const { url } = JSON.parse(greeting)
  const options = { method: 'POST', ignoreResponseError: true, retry: 0 } as const
  // A process notices a closed pipe only when it writes the next time.
  await until(t, () =>
    ofetch.raw(url, options).then(
      () => child.exitCode !== null,
      () => true,
    ),
  )
  t.match(await ended, { code: 0, stderr: '' })
})

t.test('an unwritable greeting does not end the service', { skip }, async (t) => {
  const directory = t.testdir()
  const argv = ['serve', '--demo', '--port', '0', '--data-dir', directory]
  const { process: child, ended } = await spawnCoopshare(argv, {}, into('>/dev/full'))
  t.teardown(() => child.kill('SIGKILL'))
  await until(t, () => existsSync(join(directory, 'control.json')))
  const listed = await runCoopshare(['organization', 'list', '--json', '--data-dir', directory])
  t.match(JSON.parse(listed.stdout), exactArrays([{ name: 'Demo Bank' }, {}]), 'it answers')
  child.kill('SIGTERM')
  t.match(await ended, { code: 0, signal: null })
})

t.test('an unwritable log loses only its lines', { skip }, async (t) => {
  const served = await serve(t, ['--data-dir', t.testdir()], {}, into('2>/dev/full'))
  // These are more lines than the buffer in memory holds.
  for (let asked = 0; asked < 100; asked += 1) {
    t.equal((await checkedFetch(`${served.base_url}/livez`)).status, 200)
  }
  t.match(await served.stop(), { code: 0, signal: null })
})

t.test('a log that nobody reads does not keep the service from stopping', async (t) => {
  // stderr goes to a separate process, because the test waits for all streams of the shell.
  const unread = ['bash', '-c', 'exec "$@" 2> >(exec sleep 15 >/dev/null 2>&1)', 'bash']
  const served = await serve(t, ['--data-dir', t.testdir()], {}, [...unread, ...programCommand])
  // These are more lines than a pipe holds.
  for (let asked = 0; asked < 500; asked += 1) await checkedFetch(`${served.base_url}/livez`)
  t.match(await served.stop(), { code: 0, signal: null })
})

t.test('a secret that went into a closed pipe is reported as lost', async (t) => {
  const here = ['--data-dir', t.testdir()]
  await runCoopshare(['organization', 'create', 'Bank', ...here])
  const argv = ['client', 'create', '--organization', 'Bank', '--json', ...here]
  const closed = ['bash', '-c', 'set -o pipefail; "$@" | true', 'bash', ...programCommand]
  const { code, stderr } = await runCoopshare(argv, {}, closed)
  t.equal(code, 1)
  t.match(stderr, /The client \S+ was created, but its secret is lost/)
})
