import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { checkedOperatorFetch } from '../../../fixtures/contract/check-operator-answer.ts'
import { startService } from '../../../fixtures/program/run-command.ts'

const host = '127.0.0.1'

/** Two ports that follow each other and are free. */
async function findPair(): Promise<{ readonly port: number; takeNext(t: Test): Promise<void> }> {
  const first = createServer().listen(0, host)
  await once(first, 'listening')
  const { port } = first.address() as AddressInfo
  const next = port < 65_535 ? await occupy(port + 1) : undefined
  await close(first)
  if (!next) return findPair()
  await close(next)
  return {
    port,
    async takeNext(t) {
      const taken = await occupy(port + 1)
      t.teardown(() => taken && close(taken))
    },
  }
}

/** undefined if the port is in use. */
function occupy(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, host, () => resolve(server))
  })
}

async function close(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}

/** @returns the ports of the running service */
async function serveAt(t: Test, ...argv: string[]) {
  const directory = t.testdir()
  const { listeningUrl, operatorUrl, close } = await startService(directory, ...argv)
  try {
    const { url } = JSON.parse(await readFile(join(directory, 'control.json'), 'utf8'))
    t.equal(url, operatorUrl, 'control.json has the address')
    t.equal((await checkedOperatorFetch(`${operatorUrl}/livez`)).status, 200)
    return { api: Number(new URL(listeningUrl).port), operators: Number(new URL(operatorUrl).port) }
  } finally {
    await close()
  }
}

t.test('the operator endpoint has the port after that of the API', async (t) => {
  const { port } = await findPair()
  t.strictSame(await serveAt(t, '--port', `${port}`), { api: port, operators: port + 1 })
})

t.test('if another program has that port, the operator endpoint takes a free one', async (t) => {
  const pair = await findPair()
  await pair.takeNext(t)
  const { api, operators } = await serveAt(t, '--port', `${pair.port}`)
  t.equal(api, pair.port)
  t.notOk([0, pair.port, pair.port + 1].includes(operators))
})

t.test('no port follows the last one, and none is next to a port that is free', async (t) => {
  if (await occupy(65_535).then((server) => server && close(server).then(() => true))) {
    const { operators } = await serveAt(t, '--port', '65535')
    t.not(operators, 65_535)
  }
  t.ok((await serveAt(t, '--port', '0')).operators > 0)
})

t.test('--operator-port is the port, and 0 picks a free one', async (t) => {
  const { port } = await findPair()
  const chosen = await serveAt(t, '--port', `${port}`, '--operator-port', '0')
  t.not(chosen.operators, 0)
  const named = await serveAt(t, '--port', '0', '--operator-port', `${port}`)
  t.equal(named.operators, port)
})
