import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import ContractVerify from '../../commands/contract/verify.ts'
import { findUnusedPort, startPeer } from '../../fixtures/peer.ts'
import { runCommand } from '../../fixtures/run-command.ts'
import { type Served, serve } from '../../fixtures/served.ts'

t.test('a deployment that answers as the contract says', async (t) => {
  const demo = await serveDemo(t)
  t.test('holds in all that it reads', async (t) => {
    const { stdout, exitCode } = await verify(demo.base_url, demo)
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^readCooperative +200 +ok/m)
    t.match(stdout, /^All as in 1\.6\.0\.$/m)
    t.notMatch(stdout, /provisionInvestor/)
  })

  t.test('holds in a whole order, with --write', async (t) => {
    const { stdout, exitCode } = await verify(demo.base_url, demo, '--write')
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^cancelSharePurchase +200 +ok/m)
  })

  t.test('differs where a proxy renames one field', async (t) => {
    const url = await startRenamingProxy(t, demo.base_url)
    const { stdout, exitCode } = await verify(url, demo)
    t.equal(exitCode, 4)
    t.match(stdout, /^First difference: readClient \/client_id is missing$/m)
    t.match(stdout, /^readCooperative +200 +ok/m)
  })

  t.test('does not hold for a client whose secret is wrong', async (t) => {
    const wrong = { ...demo, client_secret: 'wrong' }
    const { stdout, stderr, exitCode } = await verify(demo.base_url, wrong)
    t.equal(exitCode, 4)
    t.match(stdout, 'First difference: issueToken answered 401 invalid_client instead of 200')
    t.match(stdout, /^readClient +- +differs +not asked: there is no access token$/m)
    t.equal(stderr, '')
  })
})

t.test('no service at the address ends with 5', async (t) => {
  const url = `http://127.0.0.1:${await findUnusedPort()}`
  const credentials = { client_id: 'any', client_secret: 'any' }
  const { stderr, exitCode } = await verify(url, credentials)
  t.equal(exitCode, 5)
  t.match(stderr, `No service answers at ${url}.`)
})

function serveDemo(t: Test): Promise<Served> {
  return serve(t, ['--demo', '--data-dir', t.testdir(), '--log-level', 'silent'])
}

function verify(
  url: string,
  { client_id = '', client_secret = '' }: Pick<Served, 'client_id' | 'client_secret'>,
  ...more: string[]
) {
  const credentials = ['--client-id', client_id, '--client-secret', client_secret]
  return runCommand(ContractVerify, '--url', url, ...credentials, ...more)
}

/** In front of a service: client_id has another name in what /v1/me answers. */
async function startRenamingProxy(t: Test, target: string): Promise<string> {
  const { url } = await startPeer(t, async (request, response) => {
    const { authorization, 'content-type': type } = request.headers
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(request.method === 'POST' && {
        body: Readable.toWeb(request),
        duplex: 'half',
      }),
    } as RequestInit)
    const text = await answer.text()
    const renamed = request.url === '/v1/me' ? text.replace('"client_id"', '"clientId"') : text
    const headers = [...answer.headers].filter(
      ([name]) => !/^(content-length|connection|keep-alive|transfer-encoding)$/.test(name),
    )
    response.writeHead(answer.status, Object.fromEntries(headers)).end(renamed)
  })
  return url
}
