import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, rmdir, stat, watch } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationList from '../../commands/organization/list.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import { until } from '../../fixtures/async.ts'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { runCommand, startService, startServiceSlowly } from '../../fixtures/program/run-command.ts'
import { runCoopshare } from '../../fixtures/program/serve.ts'
import { runnerOn } from '../../fixtures/program/with-and-without-service.ts'
import { answerIdentity, answerSigned } from '../../fixtures/servers/operator-peer.ts'
import { connect } from '../../src/cli/connect.ts'
import { type Control, writeControlFile } from '../../src/cli/control-file.ts'
import type { Config } from '../../src/config.ts'

/** Returns the id of a process that has just ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'])
  await once(child, 'close')
  return child.pid ?? 0
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function listen(t: Test, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A failure in the format of the service. */
const failure = {
  status: 500,
  text: JSON.stringify({
    detail:
      'The service could not answer this request. Quote the trace_id when you contact support.',
    trace_id: 'request-1',
  }),
}

/** Starts a program that answers every request with 200 and this body, and records the requests. */
async function impostor(t: Test, body: unknown) {
  const sent: IncomingHttpHeaders[] = []
  const url = await listen(t, ({ headers }, response) => {
    sent.push(headers)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  return { url, sent }
}

const instanceId = 'b5c1d0f2-0000-4000-8000-000000000001'

t.test('control.json has address, token and process, and only its owner can read it', async (t) => {
  const dataDirectory = t.testdir()
  const serving = await startService(dataDirectory)
  const path = join(dataDirectory, 'control.json')
  const control: Control = JSON.parse(await readFile(path, 'utf8'))
  t.match(control, { url: serving.operatorUrl, pid: process.pid, instanceId: /^[0-9a-f-]{36}$/ })
  t.equal(Buffer.from(control.token, 'base64url').length, 32, '256 random bits')
  t.equal((await stat(path)).mode & 0o777, 0o600)
  await serving.close()
  await t.rejects(stat(path), { code: 'ENOENT' }, 'removed at shutdown')
})

t.test('when a service stops, the control file of another service stays', async (t) => {
  const dataDirectory = t.testdir()
  const serving = await startService(dataDirectory)
  // The control file of another instance that uses the same database and directory.
  const control = { url: 'http://127.0.0.1:1', token: 'other', instanceId, pid: process.pid }
  await writeControlFile(dataDirectory, control)
  await serving.close()
  t.strictSame(JSON.parse(await readFile(join(dataDirectory, 'control.json'), 'utf8')), control)
})

t.test('a service that cannot remove its control file still stops everything else', async (t) => {
  const dataDirectory = t.testdir()
  const serving = await startService(dataDirectory)
  const path = join(dataDirectory, 'control.json')
  await rm(path)
  await mkdir(path)
  await t.rejects(serving.close(), { code: 'EISDIR' })
  await t.rejects(checkedFetch(serving.listeningUrl), 'nothing listens')
  await rmdir(path)
  const next = await startService(dataDirectory)
  await next.close()
})

t.test('a command works despite a control file that a crash left', async (t) => {
  const closed = `http://127.0.0.1:${await freePort()}`
  const leftovers: [title: string, pid: number][] = [
    ['its process has ended', await deadPid()],
    ['its process id belongs to another process', process.pid],
  ]
  for (const [title, pid] of leftovers) {
    const dataDirectory = t.testdir()
    await writeControlFile(dataDirectory, { url: closed, token: 'old', instanceId, pid })
    const created = await runnerOn(dataDirectory)(OrganizationCreate, 'Demo Bank')
    t.equal(created.exitCode, 0, title)
  }
})

t.test('the token is not sent to another program that now uses the port', async (t) => {
  const bodies: [title: string, body: unknown][] = [
    ['it answers with any text', { status: 'alive' }],
    ['it repeats the request', { instance_id: instanceId, proof: 'f'.repeat(64) }],
    ['it does not answer with an object', 'hello'],
  ]
  for (const [title, body] of bodies) {
    const { url, sent } = await impostor(t, body)
    const dataDirectory = t.testdir()
    const token = 'the token of a service that was killed'
    await writeControlFile(dataDirectory, { url, token, instanceId, pid: process.pid })
    const created = await runnerOn(dataDirectory)(OrganizationCreate, 'Demo Bank')
    t.equal(created.exitCode, 0, `${title}: the store is opened instead`)
    t.equal(sent.length, 1, title)
    t.notMatch(JSON.stringify(sent), token, title)
    t.notOk(sent[0]?.authorization, title)
  }
})

t.test('another service on the old port is not mistaken for the previous one', async (t) => {
  const directory = t.testdir({ served: {}, other: {} })
  const serving = await startService(join(directory, 'served'))
  t.teardown(() => serving.close())
  const text = await readFile(join(directory, 'served', 'control.json'), 'utf8')
  await writeControlFile(join(directory, 'other'), { ...JSON.parse(text), instanceId })
  await runnerOn(join(directory, 'other'))(OrganizationCreate, 'Demo Bank')
  const listed = await runnerOn(join(directory, 'served'))(OrganizationList, '--json')
  t.strictSame(listed.json, [])
})

t.test('a control file that a power loss emptied counts as missing', async (t) => {
  const run = runnerOn(t.testdir({ 'control.json': '' }))
  t.equal((await run(OrganizationCreate, 'Demo Bank')).exitCode, 0)
})

t.test('a control file that cannot be read is an error', async (t) => {
  const dataDirectory = t.testdir({ 'control.json': {} })
  const listed = await runnerOn(dataDirectory)(OrganizationList, '--json')
  t.equal(listed.exitCode, 5)
  t.match(listed.json.error, { code: 'EISDIR', message: /control\.json is a directory/ })
})

t.test('--operator-url with COOPSHARE_OPERATOR_TOKEN uses a remote service', async (t) => {
  const directory = t.testdir()
  const dataDirectory = join(directory, 'served')
  const serving = await startService(dataDirectory)
  t.teardown(() => serving.close())
  const { token } = JSON.parse(await readFile(join(dataDirectory, 'control.json'), 'utf8'))
  t.teardown(() => delete process.env['COOPSHARE_OPERATOR_TOKEN'])
  const remote = ['--operator-url', serving.operatorUrl, '--data-dir', join(directory, 'other')]

  await t.test('a remote command without a token has exit code 5', async (t) => {
    const listed = await runCommand(OrganizationList, ...remote, '--json')
    t.equal(listed.exitCode, 5)
    t.match(listed.json.error, { code: 'UNAUTHENTICATED', message: /COOPSHARE_OPERATOR_TOKEN/ })
  })

  await t.test('a remote command with a wrong token has exit code 5', async (t) => {
    process.env['COOPSHARE_OPERATOR_TOKEN'] = 'wrong'
    const listed = await runCommand(OrganizationList, ...remote, '--json')
    t.equal(listed.exitCode, 5)
    t.match(listed.json.error, { code: 'UNAUTHENTICATED', message: /refuses the operator token/ })
    t.notMatch(listed.stdout + listed.stderr, token)
  })

  await t.test(
    'a remote command with the right token works as if the service ran on this machine',
    async (t) => {
      process.env['COOPSHARE_OPERATOR_TOKEN'] = token
      t.equal((await runCommand(OrganizationCreate, 'Demo Bank', ...remote)).exitCode, 0)
      const listed = await runCommand(OrganizationList, ...remote, '--json')
      t.match(listed.json, exactArrays([{ name: 'Demo Bank' }]))
      t.match((await runCommand(StoreCheck, ...remote, '--json')).json, { sound: true })
    },
  )

  await t.test('a command for another environment is refused with exit code 4', async (t) => {
    const production = ['--environment', 'production']
    const refused = await runCommand(OrganizationList, ...remote, ...production, '--json')
    t.equal(refused.exitCode, 4)
    t.equal(refused.json.error.code, 'ENVIRONMENT_MISMATCH')
    const file = join(directory, 'backup')
    const backup = await runCommand(StoreBackup, file, ...remote, ...production, '--json')
    t.equal(backup.exitCode, 4, 'the same for a command that requests bytes')
    t.equal(backup.json.error.code, 'ENVIRONMENT_MISMATCH')
  })

  await t.test('an address that is not http is wrong usage (exit code 2)', async (t) => {
    for (const address of ['ftp://x', 'localhost:8080', 'nothing']) {
      const argv = ['organization', 'list', '--operator-url', address, '--json']
      const { code, stdout } = await runCoopshare(argv)
      t.equal(code, 2, address)
      t.match(JSON.parse(stdout).error, { code: 'WRONG_USAGE', message: /must be an http/ })
    }
  })

  await t.test(
    'an address with a password is wrong usage, and the error does not repeat it',
    async (t) => {
      const addresses = [
        'http://ops:pass-word@127.0.0.1:1',
        'http://:pass-word@127.0.0.1:1',
        'http://127.0.0.1:1/?pass-word',
        'http://127.0.0.1:1/#pass-word',
      ]
      const message =
        '--operator-url must be an http or https address without user, password, query'
      for (const address of addresses) {
        const list = ['organization', 'list']
        for (const { code, stdout, stderr } of [
          await runCoopshare([...list, '--operator-url', address]),
          await runCoopshare(list, { COOPSHARE_OPERATOR_URL: address }),
        ]) {
          t.equal(code, 2, address)
          t.match(stderr, message)
          t.notMatch(stdout + stderr, 'pass-word')
        }
      }
    },
  )

  await t.test('an address at which nothing listens has exit code 5', async (t) => {
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const listed = await runCommand(OrganizationList, '--operator-url', nowhere, '--json')
    t.equal(listed.exitCode, 5)
    t.match(listed.json.error, { code: 'SERVICE_UNAVAILABLE', message: /No service answers/ })
  })

  await t.test(
    'another program at the address does not get the token, and the exit code is 5',
    async (t) => {
      const { url, sent } = await impostor(t, { status: 'alive' })
      for (const elsewhere of [url, serving.baseUrl]) {
        const listed = await runCommand(OrganizationList, '--operator-url', elsewhere, '--json')
        t.equal(listed.exitCode, 5, elsewhere)
        t.match(listed.json.error, { message: /is not an operator endpoint.*token was not sent/ })
      }
      t.equal(sent.length, 1)
      t.notMatch(JSON.stringify(sent), token)
    },
  )

  await t.test('a server that changes the protocol has not answered', async (t) => {
    const change =
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: none\r\n\r\n'
    const url = await listen(t, (request, response) => {
      if (!answerIdentity(request, response, { token, instanceId })) request.socket.end(change)
    })
    const nowhere = await listen(t, ({ socket }) => socket.end(change))
    const variables = { COOPSHARE_OPERATOR_TOKEN: token }
    for (const [address, message] of [
      [url, /did not answer\. If the operation changes something, it may have completed/],
      [nowhere, /No service answers/],
    ] as const) {
      const argv = ['organization', 'create', 'A', '--operator-url', address]
      t.match(await runCoopshare(argv, variables), { code: 5, stdout: '', stderr: message })
    }
  })

  await t.test(
    'another program that answers without end is not an operator endpoint',
    async (t) => {
      const url = await listen(t, (_, response) => {
        const more = () => {
          while (response.write('x'.repeat(10_000)));
        }
        response.on('drain', more)
        more()
      })
      const listed = await runCommand(OrganizationList, '--operator-url', url, '--json')
      t.match(listed.json.error, { message: /is not an operator endpoint/ })
    },
  )

  await t.test('calls that follow each other use one connection', async (t) => {
    const connections = new Set<object>()
    const url = await listen(t, (request, response) => {
      connections.add(request.socket)
      if (answerIdentity(request, response, { token, instanceId })) return
      void answerSigned(request, response, { token, status: 200, text: '[]' })
    })
    for (const _ of [1, 2]) {
      t.equal((await runCommand(OrganizationList, '--operator-url', url)).exitCode, 0)
    }
    t.equal(connections.size, 1)
  })

  await t.test('a command reports a fault of the service, with exit code 1', async (t) => {
    const url = await listen(t, (request, response) => {
      if (answerIdentity(request, response, { token, instanceId })) return
      const isCreation = request.url === '/operations/organization.create'
      const answer = isCreation ? failure : { status: 500, text: '"oh"' }
      void answerSigned(request, response, { token, ...answer })
    })
    const listed = await runCommand(OrganizationList, '--operator-url', url, '--json')
    t.equal(listed.exitCode, 1)
    t.match(listed.json.error, { code: 'FAILED', message: /failed/ })
    const created = await runCommand(OrganizationCreate, 'A', '--operator-url', url, '--json')
    t.equal(created.exitCode, 1)
    t.match(created.json.error.message, /failed: see requestId request-1 in its log\.$/)
  })
})

t.test('a service that stops in the middle of an answer has exit code 5', async (t) => {
  const token = 'x'.repeat(32)
  process.env['COOPSHARE_OPERATOR_TOKEN'] = token
  t.teardown(() => delete process.env['COOPSHARE_OPERATOR_TOKEN'])
  const url = await listen(t, (request, response) => {
    if (answerIdentity(request, response, { token, instanceId })) return
    const begun = { status: 200, text: '[{"name":', ends: false }
    void answerSigned(request, response, { token, ...begun })
  })
  const file = join(t.testdir(), 'backup')
  for (const [command, ...argv] of [[OrganizationList], [StoreBackup, file]] as const) {
    const asked = await runCommand(command, ...argv, '--operator-url', url, '--json')
    t.equal(asked.exitCode, 5)
    const message = /^Lost the connection to the service at .* during its response/
    t.match(asked.json.error, { code: 'SERVICE_UNAVAILABLE', message })
  }
  await t.rejects(stat(file), { code: 'ENOENT' }, 'an incomplete backup is not kept')
})

t.test('a store in use by a process without a control file is not opened', async (t) => {
  const dataDirectory = t.testdir()
  const serving = await startService(dataDirectory)
  t.teardown(() => serving.close())
  await writeControlFile(dataDirectory, {
    url: `http://127.0.0.1:${await freePort()}`,
    token: 'x',
    instanceId,
    pid: await deadPid(),
  })
  const listed = await runnerOn(dataDirectory)(OrganizationList, '--json')
  t.equal(listed.exitCode, 5)
  t.match(listed.json.error, { code: 'STORE_LOCKED', message: new RegExp(`${process.pid}`) })
})

t.test('a service that is only busy is not taken for another process with the store', async (t) => {
  const dataDirectory = t.testdir()
  const serving = await startService(dataDirectory)
  t.teardown(() => serving.close())
  // It takes the question and does not answer.
  const url = await listen(t, () => {})
  await writeControlFile(dataDirectory, { url, token: 'x', instanceId, pid: process.pid })
  const options = { dataDirectory, environment: 'staging' } as unknown as Config
  await t.rejects(connect({ operatorUrl: undefined, config: options, timeoutMs: 100 }), {
    code: 'SERVICE_UNAVAILABLE',
    message: new RegExp(`process ${process.pid}\\) is running but does not answer`),
  })
})

t.test('a command waits for a service that is starting', async (t) => {
  const dataDirectory = t.testdir()
  const first = await startService(dataDirectory)
  await first.close()
  let prepare = () => {}
  const prepared = new Promise<void>((resolve) => {
    prepare = resolve
  })
  const starting = startServiceSlowly(dataDirectory, prepared)
  await until(t, async () => (await readdir(dataDirectory)).includes('lock'))
  const looks = watch(dataDirectory)
  const ran = runnerOn(dataDirectory)(OrganizationCreate, 'Demo Bank')
  for await (const { filename } of looks) {
    // The loop ends when the command tries to lock the store.
    if (/^lock\..+\.tmp$/.test(filename ?? '')) break
  }
  prepare()
  const serving = await starting
  t.teardown(() => serving.close())
  t.match(await ran, { exitCode: 0, stdout: /^Created Demo Bank/ })
  const listed = await runnerOn(dataDirectory)(OrganizationList, '--json')
  t.match(listed.json, exactArrays([{ name: 'Demo Bank' }]), 'through the service')
})

t.test('a store records its environment when it is first opened [D42]', async (t) => {
  const run = runnerOn(t.testdir())
  const begun = await run(OrganizationCreate, 'Demo Bank', '--environment', 'production')
  t.equal(begun.exitCode, 0)
  const refused = await run(OrganizationList, '--json')
  t.equal(refused.exitCode, 4)
  t.match(refused.json.error, { code: 'ENVIRONMENT_MISMATCH', message: /production/ })
  t.equal((await run(OrganizationList, '--environment', 'production')).exitCode, 0)
})
