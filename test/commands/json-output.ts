import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { statementOfCredit } from '../../fixtures/builders/statement-files.ts'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { checkedCommands, checkOutput } from '../../fixtures/program/check-output.ts'
import { describeOutput, listCommands, loadCommand } from '../../fixtures/program/commands.ts'
import { argvTo, listen } from '../../fixtures/program/listener.ts'
import { type CommandResult, runCommand } from '../../fixtures/program/run-command.ts'
import { spawnCoopshare } from '../../fixtures/program/serve.ts'
import { definitionsOf } from '../../src/wire/view.ts'

t.teardown(stopServer)

const nobody = '00000000-0000-4000-8000-000000000000'
const demoFile = join(import.meta.dirname, '..', '..', 'fixtures', 'demo.yaml')
const scenarioFile = join(import.meta.dirname, '../../examples/scenarios/catalogue-moves.yaml')

type Run = (id: string, ...argv: string[]) => Promise<CommandResult>

/** `runCommand` compares the output with the schema. */
function runnerOn(t: Test, data: string, exit = 0): Run {
  return async (id, ...argv) => {
    const ran = await runCommand(await loadCommand(id), '--data-dir', data, '--json', ...argv)
    t.equal(ran.exitCode, exit, `${id} ${ran.stdout.slice(0, 500)}`)
    return ran
  }
}

t.test('the schema of every output is valid JSON Schema', async (t) => {
  const ajv = new Ajv2020({ strict: false })
  for (const id of listCommands()) {
    const { schema, views } = await describeOutput(await loadCommand(id))
    t.ok(ajv.validateSchema({ ...schema, $defs: definitionsOf(views) }), id)
  }
  t.notOk(ajv.validateSchema({ anyOf: [{ type: 'txt' }] }))
})

t.test('an output with a key that is not documented is refused', async (t) => {
  const run = runnerOn(t, join(t.testdir({ data: {} }), 'data'))
  const { json: whole } = await run('organization:create', 'Demo Bank')
  const { created_at: _, ...lacking } = whole
  const command = await loadCommand('organization:show')
  const check = (value: unknown) => checkOutput(command, JSON.stringify(value))
  await check(whole)
  await check({ error: { code: 'ORGANIZATION_NOT_FOUND', message: 'None.' } })
  for (const wrong of [lacking, { ...whole, colour: 'blue' }, { ...whole, name: 1 }, [whole]]) {
    await t.rejects(check(wrong), /OrganizationShow --json contradicts its description/)
  }
})

t.test('the output of every command matches its documentation', async (t) => {
  const root = t.testdir({ data: {}, body: '{}' })
  const data = join(root, 'data')
  const run = runnerOn(t, data)
  const { COOPSHARE_ALLOW_PRIVATE_WEBHOOKS: before } = process.env
  process.env['COOPSHARE_ALLOW_PRIVATE_WEBHOOKS'] = 'true'
  // Tests of other files in this process may have set it, too.
  t.teardown(() => {
    if (before === undefined) delete process.env['COOPSHARE_ALLOW_PRIVATE_WEBHOOKS']
  })
  await run('fixtures:apply', demoFile)
  await run('fixtures:apply', demoFile, '--dry-run')
  await run('config:show')
  await runPartners(run)
  await runCatalogue(run, root)
  const webhook = (await run('webhook:register', ...bank, 'http://127.0.0.1:1/hooks')).json
  await runOrders(run, runnerOn(t, data, 4))
  await runPayments(run, root)
  await runWebhooks(run, webhook.webhook_endpoint_id)
  await runInvestors(t, data)
  await runOffline(run, root)
  await runServed(t, data)
  await runStore(t, run, root)
  for (const id of listCommands()) t.ok(checkedCommands.has(await loadCommand(id)), id)
})

const bank = ['--organization', 'Demo Bank']

async function runPartners(run: Run): Promise<void> {
  await run('operator:create', 'maria', '--role', 'operator')
  await run('operator:list')
  await run('operator:rotate-token', 'maria')
  await run('operator:set-role', 'maria', '--role', 'viewer')
  await run('operator:disable', 'maria')
  await run('operator:enable', 'maria')
  await run('audit:list')
  await run('audit:export')
  await run('audit:verify')
  await run('organization:create', 'Other Bank')
  await run('organization:list')
  await run('organization:show', 'Other Bank')
  await run('organization:update', 'Other Bank', '--no-investor-mail')
  await run('organization:rename', 'Other Bank', 'Leaving Bank')
  await run('organization:disable', 'Leaving Bank')
  await run('organization:enable', 'Leaving Bank')
  await run('organization:delete', 'Leaving Bank', '--yes')
  const { client_id, secret_id } = (await run('client:create', ...bank)).json
  await run('client:list')
  await run('client:show', client_id)
  await run('client:set-scopes', client_id, '--scope', 'cooperatives:read')
  await run('token', client_id)
  await run('client:rotate-secret', client_id)
  await run('client:revoke-secret', client_id, secret_id)
  await run('client:disable', client_id)
  await run('client:enable', client_id)
  const { kid } = (await run('key:rotate')).json
  await run('key:list')
  await run('key:revoke', '--', kid)
}

async function runCatalogue(run: Run, root: string): Promise<void> {
  const exported = (await run('fixtures:export')).json
  const file = join(root, 'cooperatives.json')
  await writeFile(file, JSON.stringify([{ ...exported.cooperatives[0], name: 'Another name' }]))
  await run('cooperative:import', file)
  await run('cooperative:import', file, '--dry-run')
  await run('cooperative:export')
  const fields = ['--name', 'A', '--energy-category', 'heat', '--share-price', '1']
  await run('cooperative:create', 'created', ...fields)
  await run('cooperative:update', 'created', '--city', 'Ulm')
  await run('cooperative:price-history', 'created')
  await run('cooperative:list')
  await run('cooperative:show', 'solar-allgaeu')
  await run('cooperative:unpublish', 'solar-allgaeu')
  await run('cooperative:publish', 'solar-allgaeu')
  await run('cooperative:set-price', 'solar-allgaeu', '251.00')
}

async function runOrders(run: Run, runRefused: Run): Promise<void> {
  const submitted = (await run('purchase:list', '--status', 'submitted')).json
  const [first, second, third] = submitted.map(
    (order: { share_purchase_id: string }) => order.share_purchase_id,
  )
  await run('purchase:show', first)
  await run('purchase:approve', first)
  await runRefused('purchase:approve', first, second)
  await run('purchase:settle', first, second)
  await run('purchase:reject', third, '--reason', 'The mandate was returned.')
  await runRefused('purchase:cancel', third, nobody)
  await runRefused('purchase:confirm', third, nobody)
}

/** The demo has approved orders of two cooperatives that have a creditor. */
async function runPayments(run: Run, root: string): Promise<void> {
  const files = { debits: join(root, 'debits.xml'), statement: join(root, 'statement.xml') }
  await run('cooperative:set-creditor', ...creditor)
  await run('collection:create', '--dry-run')
  const { collections } = (await run('collection:create')).json
  const [first, second] = collections.map((one: { collection_id: string }) => one.collection_id)
  await run('collection:list')
  const { payments } = (await run('collection:show', first)).json
  const [one, two] = payments.map((each: { share_purchase_id: string }) => each.share_purchase_id)
  await run('collection:export', first, '--to', files.debits)
  await run('collection:cancel', second)
  const returns = ['--return', `${one}=AM04`, '--return', `${two}=MD06`]
  const simulated = await run('statement:simulate', first, ...returns, '--charges', '3.00')
  await writeFile(files.statement, simulated.json.file)
  await run('statement:import', files.statement, '--dry-run')
  await run('statement:import', files.statement)
  await run('statement:list')
  await run('payment:show', one)
  await run('payment:retry', one)
  await run('payment:record', two, '--paid-on', '2026-11-20', '--reference', 'By transfer')
  const [due] = (await run('payment:list', '--state', 'due')).json
  const { iban } = (await run('cooperative:show', due.cooperative_key)).json.creditor
  const credit = { iban, amount: due.amount, purpose: 'Shares' }
  await writeFile(files.statement, statementOfCredit(credit))
  const [{ statement_id: id }] = (await run('statement:import', files.statement)).json
  const { entries } = (await run('statement:show', id)).json
  await run('statement:assign', entries[0].entry_id, due.share_purchase_id)
  await run('payment:report')
  await run('purchase:settle', '--all-paid')
}

const creditor = [
  ...['solar-allgaeu', '--name', 'Sonnenfirst Allgäu eG'],
  ...['--creditor-id', 'DE98ZZZ09999999999', '--iban', 'DE02120300000000202051'],
]

const although = ['--although-member', '--reason', 'Asked.']

async function runInvestors(t: Test, data: string): Promise<void> {
  const run = runnerOn(t, data)
  const [{ investor_id: id, email }, ...others] = (await run('investor:list')).json
  t.equal((await run('find', email)).json.found[0].investor_id, id)
  await run('investor:show', id)
  await run('investor:export', id)
  for (const { share_purchase_id } of (await run('purchase:list', '--status', 'approved')).json) {
    await run('purchase:settle', share_purchase_id, '--unpaid')
  }
  for (const { share_purchase_id } of (await run('purchase:list', '--status', 'submitted')).json) {
    await run('purchase:cancel', share_purchase_id)
  }
  await run('investor:erase', others.at(-1).investor_id, '--yes', ...although)
  await runnerOn(t, data, 3)(
    'investor:erase',
    others.at(-1).investor_id,
    nobody,
    '--yes',
    ...although,
  )
}

async function runWebhooks(run: Run, webhook: string): Promise<void> {
  const events = (await run('event:list', '--sort', 'created_at')).json
  const eventId = events.at(-1).event_id
  await run('event:show', eventId)
  await run('webhook:rotate-secret', webhook, '--overlap', '24h')
  await run('webhook:pause', webhook)
  await run('event:send-now', eventId)
  await run('webhook:list')
  await run('webhook:resume', webhook)
  await run('webhook:remove', webhook)
  await run('event:replay', eventId)
  await run('event:replay', eventId, events[0].event_id)
  await run('event:replay', ...bank, '--dry-run')
  await run('event:purge', '--before', '1d', '--dry-run')
}

async function runOffline(run: Run, root: string): Promise<void> {
  const offline = async (id: string, ...argv: string[]) =>
    runCommand(await loadCommand(id), ...argv, '--json')
  await offline('completion', 'bash')
  await offline('help', 'connection')
  await offline('contract:export', join(root, 'contract'))
  const secret = ['--secret', 'whsec_x', join(root, 'body')]
  const { signature } = (await offline('signature:sign', ...secret)).json
  await offline('signature:verify', ...secret, '--header', signature)
  await offline('signature:verify', ...secret, '--header', 't=1,v1=00')
  await run('organization:list', '--limit', '1')
}

async function runServed(t: Test, data: string): Promise<void> {
  const receiver = await start(t, 'webhook:receive', [
    ...['webhook', 'receive', '--port', '0', '--secret', 'whsec_x'],
  ])
  const { url } = JSON.parse(receiver.lines[0] ?? '')
  // biome-ignore lint/style/noRestrictedGlobals: a receiver of webhooks has no contract.
  await fetch(url, { method: 'POST', body: 'forged' })
  await until(t, () => receiver.lines.length > 1)
  process.env['COOPSHARE_SIGNING_SECRET'] = 'whsec_x'
  t.teardown(() => delete process.env['COOPSHARE_SIGNING_SECRET'])
  t.equal((await runCommand(await loadCommand('webhook:certify'), url, '--json')).exitCode, 0)
  await receiver.stop()
  const service = await start(t, 'serve', [
    ...['serve', '--port', '0', '--demo', '--allow-private-webhooks', '--data-dir', data],
    ...['--four-eyes', 'collect'],
  ])
  const { base_url, client_id, client_secret } = JSON.parse(service.lines[0] ?? '')
  const run = runnerOn(t, data)
  const runRefused = runnerOn(t, data, 4)
  await run('console')
  await runSecondPerson(run)
  const credentials = ['--client-id', client_id, '--client-secret', client_secret]
  await runCommand(await loadCommand('scenario:run'), scenarioFile, '--json')
  await runCommand(await loadCommand('scenario:schema'), '--json')
  await runCommand(
    await loadCommand('contract:verify'),
    '--url',
    base_url,
    ...credentials,
    '--write',
    '--json',
  )
  const webhook = (await run('webhook:register', ...bank, url)).json.webhook_endpoint_id
  for (const command of ['webhook:test', 'webhook:doctor']) {
    await runRefused(command, webhook)
  }
  const listener = await listen(t, argvTo(url, '--data-dir', data, '--since', '1d'))
  await until(t, () => listener.lines().length > 1)
  await listener.stop()
  await checkOutput(
    await loadCommand('listen'),
    listener
      .lines()
      .map((line) => JSON.stringify(line))
      .join('\n'),
  )
  await service.stop()
  await runBench(t, data)
}

async function runSecondPerson(run: Run): Promise<void> {
  const { collections } = (await run('collection:create')).json
  const { token } = (await run('operator:create', 'oskar', '--role', 'operator')).json
  process.env['COOPSHARE_OPERATOR_TOKEN'] = token
  await run('collection:confirm', collections[0].collection_id)
  delete process.env['COOPSHARE_OPERATOR_TOKEN']
}

async function runBench(t: Test, data: string): Promise<void> {
  const { ended } = await spawnCoopshare(['with', '--demo', '--json', '--', 'true'])
  const { code, stderr } = await ended
  t.equal(code, 0)
  // The command's own output is on stdout, so the JSON is on stderr.
  await checkOutput(
    await loadCommand('with'),
    stderr.split('\n').find((line) => line.startsWith('{"base_url"')) ?? '',
  )
  const service = await start(t, 'serve', ['serve', '--port', '0', '--bench', '--data-dir', data])
  const { base_url } = JSON.parse(service.lines[0] ?? '')
  const run = runnerOn(t, data)
  const tail = await start(t, 'tail', ['tail', '--data-dir', data], 0)
  await run('clock:show')
  await run('clock:advance', '1m')
  await run('clock:to', '2100-01-01T00:00:00Z')
  await run('fault:add', 'listCooperatives', '--status', '503')
  await run('fault:list')
  await run('fault:clear')
  await run('maintenance:on')
  await run('maintenance:off')
  const asking = run('journal:await', 'readKeySet')
  await until(t, async () => {
    await checkedFetch(`${base_url}/.well-known/jwks.json`)
    return tail.lines.length > 0
  })
  await asking
  await run('journal:list')
  await run('journal:clear')
  await run('tokens:expire')
  await run('bench:coverage')
  await run('bench:reset')
  await tail.stop()
  await service.stop()
}

/**
 * Starts a command that prints lines until it is stopped.
 * @param linesFirst the number of lines that it prints before it is ready
 */
async function start(t: Test, id: string, argv: readonly string[], linesFirst = 1) {
  const { process: child, ended } = await spawnCoopshare([...argv, '--json'])
  t.teardown(() => {
    child.kill('SIGKILL')
    return ended
  })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  if (linesFirst > 0) await once(reader, 'line')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await checkOutput(await loadCommand(id), lines.join('\n'))
  }
  return { lines, stop }
}

async function runStore(t: Test, run: Run, root: string): Promise<void> {
  const backup = join(root, 'backup')
  await run('store:backup', backup)
  await run('store:check', '--backup', backup)
  await run('store:verify-backup', backup)
  await run('store:compact')
  await run('store:rekey')
  await run('store:migrate')
  await run('store:salvage', backup, '--to', join(root, 'salvaged'))
  await runnerOn(t, join(root, 'restored'))('store:restore', backup)
  const { options, drop } = await createDatabase({ isEmpty: true })
  t.teardown(drop)
  await run('store:copy', '--to', options.url)
  await run('store:check')
  await run('store:reopen', '--yes')
}
