import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
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
  'docs/partners/client.md',
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

t.test('each client of the pages for partners survives an answer that breaks off', async (t) => {
  const root = join(import.meta.dirname, '..', '..')
  const built = pathToFileURL(join(root, 'dist', 'testing.js')).href
  const { startCoopshare }: typeof Testing = await import(built)
  const coop = await startCoopshare()
  t.teardown(() => coop.close())
  const folder = t.testdir(findSavedFiles(readDocument('docs/partners/client.md')))
  const clients = [
    [process.execPath, '--import', 'tsx', join(folder, 'order.mts')],
    ['python3', join(root, 'examples', 'python', 'order.py')],
  ] as const
  const run = ([program, ...argv]: (typeof clients)[number], secret = coop.clientSecret) => {
    const { PATH, HOME } = process.env
    const account = { COOPSHARE_URL: coop.url, COOPSHARE_CLIENT_ID: coop.clientId }
    // It does not block, so that this process notices when the service closes an idle connection.
    return promisify(execFile)(program, argv, {
      cwd: root,
      env: {
        PATH,
        HOME,
        ...account,
        COOPSHARE_CLIENT_SECRET: secret,
        PYTHONDONTWRITEBYTECODE: '1',
      },
    }).catch(({ stdout, stderr }) => ({ stdout, stderr }))
  }
  for (const client of clients) {
    for (const on of ['issueToken', 'placeSharePurchase']) {
      await coop.fault({ on, reset: 'mid-body', times: 1 })
    }
    const { stdout, stderr } = await run(client)
    t.match(stdout, /1265\.00 EUR, submitted\nrepeated: the same order\n/, stderr)
    t.same(await coop.faults.list(), [], 'both answers broke off')
    const refused = (await run(client, 'wrong')).stderr
    t.match(refused, /401.*invalid_client.* (is|are) (wrong|not valid)/)
    t.notMatch(refused, /undefined/)
  }
})
