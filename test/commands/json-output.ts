import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Command } from '@oclif/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import AuditExport from '../../commands/audit/export.ts'
import AuditList from '../../commands/audit/list.ts'
import AuditVerify from '../../commands/audit/verify.ts'
import BenchCoverage from '../../commands/bench/coverage.ts'
import BenchReset from '../../commands/bench/reset.ts'
import ClientCreate from '../../commands/client/create.ts'
import ClientDisable from '../../commands/client/disable.ts'
import ClientEnable from '../../commands/client/enable.ts'
import ClientList from '../../commands/client/list.ts'
import ClientRevokeSecret from '../../commands/client/revoke-secret.ts'
import ClientRotateSecret from '../../commands/client/rotate-secret.ts'
import ClientSetScopes from '../../commands/client/set-scopes.ts'
import ClientShow from '../../commands/client/show.ts'
import ClockAdvance from '../../commands/clock/advance.ts'
import ClockShow from '../../commands/clock/show.ts'
import ClockTo from '../../commands/clock/to.ts'
import Completion from '../../commands/completion.ts'
import ContractExport from '../../commands/contract/export.ts'
import ContractVerify from '../../commands/contract/verify.ts'
import CooperativeCreate from '../../commands/cooperative/create.ts'
import CooperativeExport from '../../commands/cooperative/export.ts'
import CooperativeImport from '../../commands/cooperative/import.ts'
import CooperativeList from '../../commands/cooperative/list.ts'
import CooperativePriceHistory from '../../commands/cooperative/price-history.ts'
import CooperativePublish from '../../commands/cooperative/publish.ts'
import CooperativeSetPrice from '../../commands/cooperative/set-price.ts'
import CooperativeShow from '../../commands/cooperative/show.ts'
import CooperativeUnpublish from '../../commands/cooperative/unpublish.ts'
import CooperativeUpdate from '../../commands/cooperative/update.ts'
import EventList from '../../commands/event/list.ts'
import EventPurge from '../../commands/event/purge.ts'
import EventReplay from '../../commands/event/replay.ts'
import EventSendNow from '../../commands/event/send-now.ts'
import EventShow from '../../commands/event/show.ts'
import FaultAdd from '../../commands/fault/add.ts'
import FaultClear from '../../commands/fault/clear.ts'
import FaultList from '../../commands/fault/list.ts'
import Find from '../../commands/find.ts'
import FixturesApply from '../../commands/fixtures/apply.ts'
import FixturesExport from '../../commands/fixtures/export.ts'
import ShowHelp from '../../commands/help.ts'
import InvestorErase from '../../commands/investor/erase.ts'
import InvestorExport from '../../commands/investor/export.ts'
import InvestorList from '../../commands/investor/list.ts'
import InvestorShow from '../../commands/investor/show.ts'
import JournalAwait from '../../commands/journal/await.ts'
import JournalClear from '../../commands/journal/clear.ts'
import JournalList from '../../commands/journal/list.ts'
import KeyList from '../../commands/key/list.ts'
import KeyRevoke from '../../commands/key/revoke.ts'
import KeyRotate from '../../commands/key/rotate.ts'
import MaintenanceOff from '../../commands/maintenance/off.ts'
import MaintenanceOn from '../../commands/maintenance/on.ts'
import OperatorCreate from '../../commands/operator/create.ts'
import OperatorDisable from '../../commands/operator/disable.ts'
import OperatorEnable from '../../commands/operator/enable.ts'
import OperatorList from '../../commands/operator/list.ts'
import OperatorRotateToken from '../../commands/operator/rotate-token.ts'
import OperatorSetRole from '../../commands/operator/set-role.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationDelete from '../../commands/organization/delete.ts'
import OrganizationDisable from '../../commands/organization/disable.ts'
import OrganizationEnable from '../../commands/organization/enable.ts'
import OrganizationList from '../../commands/organization/list.ts'
import OrganizationRename from '../../commands/organization/rename.ts'
import OrganizationShow from '../../commands/organization/show.ts'
import OrganizationUpdate from '../../commands/organization/update.ts'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import PurchaseCancel from '../../commands/purchase/cancel.ts'
import PurchaseConfirm from '../../commands/purchase/confirm.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import PurchaseReject from '../../commands/purchase/reject.ts'
import PurchaseSettle from '../../commands/purchase/settle.ts'
import PurchaseShow from '../../commands/purchase/show.ts'
import ScenarioRun from '../../commands/scenario/run.ts'
import ScenarioSchema from '../../commands/scenario/schema.ts'
import SignatureSign from '../../commands/signature/sign.ts'
import SignatureVerify from '../../commands/signature/verify.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCompact from '../../commands/store/compact.ts'
import StoreCopy from '../../commands/store/copy.ts'
import StoreMigrate from '../../commands/store/migrate.ts'
import StoreRekey from '../../commands/store/rekey.ts'
import StoreReopen from '../../commands/store/reopen.ts'
import StoreRestore from '../../commands/store/restore.ts'
import StoreSalvage from '../../commands/store/salvage.ts'
import StoreVerifyBackup from '../../commands/store/verify-backup.ts'
import Token from '../../commands/token.ts'
import TokensExpire from '../../commands/tokens/expire.ts'
import WebhookCertify from '../../commands/webhook/certify.ts'
import WebhookDoctor from '../../commands/webhook/doctor.ts'
import WebhookList from '../../commands/webhook/list.ts'
import WebhookPause from '../../commands/webhook/pause.ts'
import WebhookRegister from '../../commands/webhook/register.ts'
import WebhookRemove from '../../commands/webhook/remove.ts'
import WebhookResume from '../../commands/webhook/resume.ts'
import WebhookRotateSecret from '../../commands/webhook/rotate-secret.ts'
import WebhookTest from '../../commands/webhook/test.ts'
import { until } from '../../fixtures/async.ts'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import {
  checkedCommands,
  checkOutput,
  schemaOfOutput,
} from '../../fixtures/program/check-output.ts'
import { argvTo, listen } from '../../fixtures/program/listener.ts'
import { type CommandResult, runCommand } from '../../fixtures/program/run-command.ts'
import { spawnCoopshare } from '../../fixtures/program/serve.ts'
import { outputs } from '../../src/cli/json-output/outputs.ts'

t.teardown(stopServer)

const nobody = '00000000-0000-4000-8000-000000000000'
const demoFile = join(import.meta.dirname, '..', '..', 'fixtures', 'demo.yaml')
const scenarioFile = join(import.meta.dirname, '../../examples/scenarios/catalogue-moves.yaml')

type Run = (command: typeof Command, ...argv: string[]) => Promise<CommandResult>

/** `runCommand` compares the output with the schema. */
function runnerOn(t: Test, data: string, exit = 0): Run {
  return async (command, ...argv) => {
    const ran = await runCommand(command, '--data-dir', data, '--json', ...argv)
    t.equal(ran.exitCode, exit, `${command.name} ${ran.stdout.slice(0, 500)}`)
    return ran
  }
}

t.test('every command has a documented output', async (t) => {
  const manifest = await readFile(join(import.meta.dirname, '../../oclif.manifest.json'), 'utf8')
  t.strictSame(Object.keys(outputs).sort(), Object.keys(JSON.parse(manifest).commands).sort())
})

t.test('the schema of every output is valid JSON Schema', async (t) => {
  const ajv = new Ajv2020({ strict: false })
  for (const id of Object.keys(outputs)) t.ok(ajv.validateSchema(schemaOfOutput(id)), id)
  t.notOk(ajv.validateSchema({ anyOf: [{ type: 'txt' }] }))
})

t.test('an output with a key that is not documented is refused', async (t) => {
  const settings = { investor_mail: true, self_service: false, disabled: false }
  const organization = { organization_id: nobody, name: 'Demo Bank', ...settings }
  const whole = {
    ...organization,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  }
  const check = (value: unknown) => checkOutput('organization:show', JSON.stringify(value))
  check(whole)
  check({ error: { code: 'ORGANIZATION_NOT_FOUND', message: 'None.' } })
  for (const wrong of [
    organization,
    { ...whole, colour: 'blue' },
    { ...whole, name: 1 },
    [whole],
  ]) {
    t.throws(() => check(wrong), /organization:show --json contradicts its documentation/)
  }
})

t.test('the output of every command matches its documentation', async (t) => {
  const root = t.testdir({ data: {}, body: '{}' })
  const data = join(root, 'data')
  const run = runnerOn(t, data)
  process.env['COOPSHARE_ALLOW_PRIVATE_WEBHOOKS'] = 'true'
  t.teardown(() => delete process.env['COOPSHARE_ALLOW_PRIVATE_WEBHOOKS'])
  await run(FixturesApply, demoFile)
  await run(FixturesApply, demoFile, '--dry-run')
  await runPartners(run)
  await runCatalogue(run, root)
  const webhook = (await run(WebhookRegister, ...bank, 'http://127.0.0.1:1/hooks')).json
  await runOrders(run, runnerOn(t, data, 4))
  await runWebhooks(run, webhook.webhook_endpoint_id)
  await runInvestors(t, data)
  await runOffline(run, root)
  await runServed(t, data)
  await runStore(t, run, root)
  t.strictSame([...checkedCommands].sort(), Object.keys(outputs).sort())
})

const bank = ['--organization', 'Demo Bank']

async function runPartners(run: Run): Promise<void> {
  await run(OperatorCreate, 'maria', '--role', 'operator')
  await run(OperatorList)
  await run(OperatorRotateToken, 'maria')
  await run(OperatorSetRole, 'maria', '--role', 'viewer')
  await run(OperatorDisable, 'maria')
  await run(OperatorEnable, 'maria')
  await run(AuditList)
  await run(AuditExport)
  await run(AuditVerify)
  await run(OrganizationCreate, 'Other Bank')
  await run(OrganizationList)
  await run(OrganizationShow, 'Other Bank')
  await run(OrganizationUpdate, 'Other Bank', '--no-investor-mail')
  await run(OrganizationRename, 'Other Bank', 'Leaving Bank')
  await run(OrganizationDisable, 'Leaving Bank')
  await run(OrganizationEnable, 'Leaving Bank')
  await run(OrganizationDelete, 'Leaving Bank', '--yes')
  const { client_id, secret_id } = (await run(ClientCreate, ...bank)).json
  await run(ClientList)
  await run(ClientShow, client_id)
  await run(ClientSetScopes, client_id, '--scope', 'cooperatives:read')
  await run(Token, client_id)
  await run(ClientRotateSecret, client_id)
  await run(ClientRevokeSecret, client_id, secret_id)
  await run(ClientDisable, client_id)
  await run(ClientEnable, client_id)
  const { kid } = (await run(KeyRotate)).json
  await run(KeyList)
  await run(KeyRevoke, '--', kid)
}

async function runCatalogue(run: Run, root: string): Promise<void> {
  const exported = (await run(FixturesExport)).json
  const file = join(root, 'cooperatives.json')
  await writeFile(file, JSON.stringify([{ ...exported.cooperatives[0], name: 'Another name' }]))
  await run(CooperativeImport, file)
  await run(CooperativeImport, file, '--dry-run')
  await run(CooperativeExport)
  const fields = ['--name', 'A', '--energy-category', 'heat', '--share-price', '1']
  await run(CooperativeCreate, 'created', ...fields)
  await run(CooperativeUpdate, 'created', '--city', 'Ulm')
  await run(CooperativePriceHistory, 'created')
  await run(CooperativeList)
  await run(CooperativeShow, 'solar-allgaeu')
  await run(CooperativeUnpublish, 'solar-allgaeu')
  await run(CooperativePublish, 'solar-allgaeu')
  await run(CooperativeSetPrice, 'solar-allgaeu', '251.00')
}

async function runOrders(run: Run, runRefused: Run): Promise<void> {
  const submitted = (await run(PurchaseList, '--status', 'submitted')).json
  const [first, second, third] = submitted.map(
    (order: { share_purchase_id: string }) => order.share_purchase_id,
  )
  await run(PurchaseShow, first)
  await run(PurchaseApprove, first)
  await runRefused(PurchaseApprove, first, second)
  await run(PurchaseSettle, first, second)
  await run(PurchaseReject, third, '--reason', 'The mandate was returned.')
  await runRefused(PurchaseCancel, third, nobody)
  await runRefused(PurchaseConfirm, third, nobody)
}

const although = ['--although-member', '--reason', 'Asked.']

async function runInvestors(t: Test, data: string): Promise<void> {
  const run = runnerOn(t, data)
  const [{ investor_id: id, email }, ...others] = (await run(InvestorList)).json
  t.equal((await run(Find, email)).json.found[0].investor_id, id)
  await run(InvestorShow, id)
  await run(InvestorExport, id)
  for (const { share_purchase_id } of (await run(PurchaseList, '--status', 'approved')).json) {
    await run(PurchaseSettle, share_purchase_id)
  }
  for (const { share_purchase_id } of (await run(PurchaseList, '--status', 'submitted')).json) {
    await run(PurchaseCancel, share_purchase_id)
  }
  await run(InvestorErase, others.at(-1).investor_id, '--yes', ...although)
  await runnerOn(t, data, 3)(InvestorErase, others.at(-1).investor_id, nobody, '--yes', ...although)
}

async function runWebhooks(run: Run, webhook: string): Promise<void> {
  const events = (await run(EventList, '--sort', 'created_at')).json
  const eventId = events.at(-1).event_id
  await run(EventShow, eventId)
  await run(WebhookRotateSecret, webhook, '--overlap', '24h')
  await run(WebhookPause, webhook)
  await run(EventSendNow, eventId)
  await run(WebhookList)
  await run(WebhookResume, webhook)
  await run(WebhookRemove, webhook)
  await run(EventReplay, eventId)
  await run(EventReplay, eventId, events[0].event_id)
  await run(EventReplay, ...bank, '--dry-run')
  await run(EventPurge, '--before', '1d', '--dry-run')
}

async function runOffline(run: Run, root: string): Promise<void> {
  const offline = (command: typeof Command, ...argv: string[]) =>
    runCommand(command, ...argv, '--json')
  await offline(Completion, 'bash')
  await offline(ShowHelp, 'connection')
  await offline(ContractExport, join(root, 'contract'))
  const secret = ['--secret', 'whsec_x', join(root, 'body')]
  const { signature } = (await offline(SignatureSign, ...secret)).json
  await offline(SignatureVerify, ...secret, '--header', signature)
  await offline(SignatureVerify, ...secret, '--header', 't=1,v1=00')
  await run(OrganizationList, '--limit', '1')
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
  t.equal((await runCommand(WebhookCertify, url, '--json')).exitCode, 0)
  await receiver.stop()
  const service = await start(t, 'serve', [
    ...['serve', '--port', '0', '--demo', '--allow-private-webhooks', '--data-dir', data],
  ])
  const { base_url, client_id, client_secret } = JSON.parse(service.lines[0] ?? '')
  const run = runnerOn(t, data)
  const runRefused = runnerOn(t, data, 4)
  const credentials = ['--client-id', client_id, '--client-secret', client_secret]
  await runCommand(ScenarioRun, scenarioFile, '--json')
  await runCommand(ScenarioSchema, '--json')
  await runCommand(ContractVerify, '--url', base_url, ...credentials, '--write', '--json')
  const webhook = (await run(WebhookRegister, ...bank, url)).json.webhook_endpoint_id
  for (const command of [WebhookTest, WebhookDoctor]) {
    await runRefused(command, webhook)
  }
  const listener = await listen(t, argvTo(url, '--data-dir', data, '--since', '1d'))
  await until(t, () => listener.lines().length > 1)
  await listener.stop()
  checkOutput(
    'listen',
    listener
      .lines()
      .map((line) => JSON.stringify(line))
      .join('\n'),
  )
  await service.stop()
  await runBench(t, data)
}

async function runBench(t: Test, data: string): Promise<void> {
  const { ended } = await spawnCoopshare(['with', '--demo', '--json', '--', 'true'])
  const { code, stderr } = await ended
  t.equal(code, 0)
  // The command's own output is on stdout, so the JSON is on stderr.
  checkOutput('with', stderr.split('\n').find((line) => line.startsWith('{"base_url"')) ?? '')
  const service = await start(t, 'serve', ['serve', '--port', '0', '--bench', '--data-dir', data])
  const { base_url } = JSON.parse(service.lines[0] ?? '')
  const run = runnerOn(t, data)
  const tail = await start(t, 'tail', ['tail', '--data-dir', data], 0)
  await run(ClockShow)
  await run(ClockAdvance, '1m')
  await run(ClockTo, '2100-01-01T00:00:00Z')
  await run(FaultAdd, 'listCooperatives', '--status', '503')
  await run(FaultList)
  await run(FaultClear)
  await run(MaintenanceOn)
  await run(MaintenanceOff)
  const asking = run(JournalAwait, 'readKeySet')
  await until(t, async () => {
    await checkedFetch(`${base_url}/.well-known/jwks.json`)
    return tail.lines.length > 0
  })
  await asking
  await run(JournalList)
  await run(JournalClear)
  await run(TokensExpire)
  await run(BenchCoverage)
  await run(BenchReset)
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
    checkOutput(id, lines.join('\n'))
  }
  return { lines, stop }
}

async function runStore(t: Test, run: Run, root: string): Promise<void> {
  const backup = join(root, 'backup')
  await run(StoreBackup, backup)
  await run(StoreCheck, '--backup', backup)
  await run(StoreVerifyBackup, backup)
  await run(StoreCompact)
  await run(StoreRekey)
  await run(StoreMigrate)
  await run(StoreSalvage, backup, '--to', join(root, 'salvaged'))
  await runnerOn(t, join(root, 'restored'))(StoreRestore, backup)
  const { options, drop } = await createDatabase({ isEmpty: true })
  t.teardown(drop)
  await run(StoreCopy, '--to', options.url)
  await run(StoreCheck)
  await run(StoreReopen, '--yes')
}
