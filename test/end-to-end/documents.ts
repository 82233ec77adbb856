import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import {
  readCommandBlocks,
  readDocument,
  typeSteps,
} from '../../fixtures/program/document-blocks.ts'
import { runCoopshare, serve } from '../../fixtures/program/serve.ts'
import { findUnusedPort } from '../../fixtures/servers/peer.ts'

const root = join(import.meta.dirname, '..', '..')

const firstOrder = readCommandBlocks('docs/start/first-order.md')
const webhooks = readCommandBlocks('docs/start/webhooks.md')
const contract = readCommandBlocks('docs/partners/contract.md')
const operators = readCommandBlocks('docs/reference/operator-endpoint.md')
const demo = readCommandBlocks('README.md')
const bench = readCommandBlocks('docs/start/bench.md')
const drill = readCommandBlocks('docs/deploy/backup.md')
const payments = readCommandBlocks('docs/operators/payments.md')

/** Finds the variables that the page sets when it starts the service for the second time. */
function secondStart(): Record<string, string> {
  const line = /^ {4}((?:COOPSHARE_\w+=\S+ )+)npm start$/m.exec(
    readDocument('docs/start/webhooks.md'),
  )
  const settings = line?.[1]?.trim().split(' ') ?? []
  return Object.fromEntries(settings.map((setting) => setting.split('=')))
}

t.test('the blocks of the documents print what the documents show', async (t) => {
  const dataDirectory = join(t.testdir(), 'data')
  const argv = ['--demo', '--data-dir', dataDirectory]
  const port = await findUnusedPort()
  t.ok(firstOrder.length > 10 && webhooks.length > 5, 'blocks were found')

  await t.test('the pages about the first order and the contract work', async (t) => {
    const served = await serve(t, argv)
    const typing = { dataDirectory, port, baseUrl: served.base_url }
    await typeSteps(t, [...demo, ...firstOrder, ...operators], typing)
    t.equal(contract.length, 2)
    await t.test('the pages about the first order and the contract work again', (t) =>
      typeSteps(t, [...firstOrder, ...contract, ...drill], typing),
    )
    await served.stop()
  })

  await t.test('the pages about webhooks work', async (t) => {
    const variables = secondStart()
    t.match(variables, { COOPSHARE_ALLOW_PRIVATE_WEBHOOKS: 'true' })
    const served = await serve(t, argv, variables)
    const typing = { dataDirectory, port, baseUrl: served.base_url }
    // These blocks begin with the customer of the first order.
    const customer = firstOrder.findIndex(({ commands }) => commands.startsWith('ORDER='))
    const steps = [...firstOrder.slice(0, customer), ...webhooks]
    await typeSteps(t, steps, typing)
    await t.test('the pages about webhooks work again', (t) => typeSteps(t, steps, typing))
    await served.stop()
  })
})

t.test('a day of payments with the demo prints what its page shows', async (t) => {
  const dataDirectory = join(t.testdir(), 'data')
  const served = await serve(t, ['--demo', '--data-dir', dataDirectory])
  await typeSteps(t, payments, { dataDirectory, port: await findUnusedPort() })
  await served.stop()
})

t.test('the page about testing aids works', async (t) => {
  const dataDirectory = join(t.testdir(), 'data')
  const variables = { COOPSHARE_BENCH: 'true', COOPSHARE_NOW: '2026-11-20T10:00:00Z' }
  const served = await serve(t, ['--demo', '--data-dir', dataDirectory], variables)
  const typing = { dataDirectory, port: await findUnusedPort(), baseUrl: served.base_url }
  await typeSteps(t, bench, typing)
  const [, shown = ''] =
    /^```json\n([\s\S]*?)^```$/m.exec(readDocument('docs/start/bench.md')) ?? []
  const list = ['journal', 'list', '--limit', '1', '--json']
  const { stdout } = await runCoopshare(list, { COOPSHARE_DATA_DIR: dataDirectory })
  const keysOf = (exchange: { readonly contract: object }) =>
    [exchange, exchange.contract].map(Object.keys)
  t.strictSame(
    keysOf(JSON.parse(shown)),
    keysOf(JSON.parse(stdout)[0]),
    'a whole entry of the journal',
  )
  await served.stop()
})

t.test(
  'the restore drill works with a database, and compares it with the restored copy',
  async (t) => {
    const database = await createDatabase()
    t.teardown(() => database.drop().then(stopServer))
    const variables = {
      COOPSHARE_DATABASE_URL: database.options.url,
      COOPSHARE_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    }
    const dataDirectory = join(t.testdir(), 'data')
    const served = await serve(t, ['--demo', '--data-dir', dataDirectory], variables)
    const typing = { dataDirectory, port: await findUnusedPort(), variables }
    const alias = { commands: "alias coopshare='node bin/run.js'", output: '' }
    await typeSteps(t, [alias, ...drill], typing)
    // An order that changes after the backup is in the database only.
    const list = [
      ...['purchase', 'list', '--status', 'approved', '--cooperative', 'wind-husum', '--json'],
    ]
    const [{ share_purchase_id: id }] = JSON.parse((await runCoopshare(list, variables)).stdout)
    const late = drill.map(({ commands, output }) => ({
      commands: commands
        .replace(/^diff/m, `coopshare purchase settle ${id} > $DRILL/settle.log\ndiff`)
        .replace('&& echo "The same orders."', '> $DRILL/diff.log || echo "Other orders."'),
      output: output.replace('The same orders.', 'Other orders.'),
    }))
    await typeSteps(t, [alias, ...late], typing)
    await served.stop()
  },
)

t.test('every block for pasting is tested', async (t) => {
  const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path))
  const withBlocks = ['README.md', ...documents].filter(
    (path) => readCommandBlocks(path).length > 0,
  )
  const functions = withBlocks.flatMap((path) => readDocument(path).match(/^pick\(\).*$/gm) ?? [])
  t.equal(new Set(functions).size, 1, 'all pages read JSON with the same shell function')
  t.strictSame(withBlocks.sort(), [
    'README.md',
    'docs/deploy/backup.md',
    'docs/operators/payments.md',
    'docs/partners/client.md',
    'docs/partners/contract.md',
    'docs/partners/integration.md',
    'docs/partners/receivers.md',
    'docs/partners/sandbox.md',
    'docs/reference/operator-endpoint.md',
    'docs/start/bench.md',
    'docs/start/ci.md',
    'docs/start/first-order.md',
    'docs/start/scenarios.md',
    'docs/start/webhooks.md',
  ])
})
