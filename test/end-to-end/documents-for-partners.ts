import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import {
  findSavedFiles,
  readCommandBlocks,
  readDocument,
  typeSteps,
} from '../../fixtures/program/document-blocks.ts'
import { findUnusedPort } from '../../fixtures/servers/peer.ts'
import type * as Testing from '../../src/tools/testing.ts'

const ci = readCommandBlocks('docs/start/ci.md')
const scenarios = readCommandBlocks('docs/start/scenarios.md')
const partners = [
  'docs/partners/sandbox.md',
  'docs/partners/integration.md',
  'docs/partners/receivers.md',
]

t.test('the pages about CI, scenarios, clients and receivers work', async (t) => {
  const files = partners.map((path) => findSavedFiles(readDocument(path)))
  const folder = t.testdir(Object.assign({}, ...files))
  const port = await findUnusedPort()
  const steps = [...ci, ...scenarios, ...partners.flatMap(readCommandBlocks)]
  await typeSteps(t, steps, { dataDirectory: join(folder, 'data'), port, folder })
})

const clients = [
  [process.execPath, '--import', 'tsx', 'order.mts'],
  ['python3', 'order.py'],
] as const

t.test('each client of the integration guide survives an answer that breaks off', async (t) => {
  const root = join(import.meta.dirname, '..', '..')
  const built = pathToFileURL(join(root, 'dist', 'testing.js')).href
  const { startCoopshare }: typeof Testing = await import(built)
  const coop = await startCoopshare()
  t.teardown(() => coop.close())
  const folder = t.testdir(findSavedFiles(readDocument('docs/partners/integration.md')))
  const run = ([program, ...argv]: (typeof clients)[number], secret = coop.clientSecret) => {
    const file = join(folder, argv.at(-1) ?? '')
    const { PATH, HOME } = process.env
    const account = { COOPSHARE_URL: coop.url, COOPSHARE_CLIENT_ID: coop.clientId }
    return spawnSync(program, [...argv.slice(0, -1), file], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH, HOME, ...account, COOPSHARE_CLIENT_SECRET: secret },
    })
  }
  for (const client of clients) {
    for (const on of ['issueToken', 'placeSharePurchase']) {
      await coop.fault({ on, reset: 'mid-body', times: 1 })
    }
    const { stdout, stderr } = run(client)
    t.match(stdout, /1265\.00 EUR, submitted\nrepeated: the same order\norders: 1\n$/, stderr)
    t.same(await coop.faults.list(), [], 'both answers broke off')
    const refused = run(client, 'wrong').stderr
    t.match(refused, /401.*invalid_client.* (is|are) (wrong|not valid)/)
    t.notMatch(refused, /undefined/)
  }
})
