import { once } from 'node:events'
import { appendFile, chmod, cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer as createRelay, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '@oclif/core'
import t, { type Test } from 'tap'
import ClientCreate from '../../commands/client/create.ts'
import ClientDisable from '../../commands/client/disable.ts'
import ClientRevokeSecret from '../../commands/client/revoke-secret.ts'
import ClientRotateSecret from '../../commands/client/rotate-secret.ts'
import ClientShow from '../../commands/client/show.ts'
import ClockAdvance from '../../commands/clock/advance.ts'
import ClockShow from '../../commands/clock/show.ts'
import ClockTo from '../../commands/clock/to.ts'
import CollectionCancel from '../../commands/collection/cancel.ts'
import CollectionConfirm from '../../commands/collection/confirm.ts'
import CollectionCreate from '../../commands/collection/create.ts'
import CollectionShow from '../../commands/collection/show.ts'
import CooperativeImport from '../../commands/cooperative/import.ts'
import CooperativeSetCreditor from '../../commands/cooperative/set-creditor.ts'
import CooperativeShow from '../../commands/cooperative/show.ts'
import EventList from '../../commands/event/list.ts'
import EventPurge from '../../commands/event/purge.ts'
import EventSendNow from '../../commands/event/send-now.ts'
import EventShow from '../../commands/event/show.ts'
import FaultClear from '../../commands/fault/clear.ts'
import FixturesApply from '../../commands/fixtures/apply.ts'
import InvestorErase from '../../commands/investor/erase.ts'
import InvestorShow from '../../commands/investor/show.ts'
import JournalAwait from '../../commands/journal/await.ts'
import KeyRevoke from '../../commands/key/revoke.ts'
import Listen from '../../commands/listen.ts'
import OperatorDisable from '../../commands/operator/disable.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationDelete from '../../commands/organization/delete.ts'
import OrganizationList from '../../commands/organization/list.ts'
import OrganizationShow from '../../commands/organization/show.ts'
import PaymentRecord from '../../commands/payment/record.ts'
import PaymentRetry from '../../commands/payment/retry.ts'
import PaymentShow from '../../commands/payment/show.ts'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import PurchaseReject from '../../commands/purchase/reject.ts'
import PurchaseSettle from '../../commands/purchase/settle.ts'
import PurchaseShow from '../../commands/purchase/show.ts'
import SignatureSign from '../../commands/signature/sign.ts'
import SignatureVerify from '../../commands/signature/verify.ts'
import StatementImport from '../../commands/statement/import.ts'
import StatementShow from '../../commands/statement/show.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCompact from '../../commands/store/compact.ts'
import StoreCopy from '../../commands/store/copy.ts'
import StoreReopen from '../../commands/store/reopen.ts'
import StoreRestore from '../../commands/store/restore.ts'
import StoreSalvage from '../../commands/store/salvage.ts'
import Token from '../../commands/token.ts'
import WebhookReceive from '../../commands/webhook/receive.ts'
import WebhookRegister from '../../commands/webhook/register.ts'
import WebhookTest from '../../commands/webhook/test.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { argvTo, listen as startListener } from '../../fixtures/program/listener.ts'
import {
  type CommandResult,
  parseServeConfig,
  runCommand,
} from '../../fixtures/program/run-command.ts'
import { runCoopshare } from '../../fixtures/program/serve.ts'
import { answerIdentity, answerSigned } from '../../fixtures/servers/operator-peer.ts'
import { type CommandCode, commandCodes, exitCodes } from '../../src/cli/error-codes.ts'
import { startServing } from '../../src/cli/serve/start-serving.ts'

t.teardown(stopServer)

const nobody = '00000000-0000-4000-8000-000000000000'
const token = 'x'.repeat(32)

const profile = `
          first_name: Lena
          last_name: Hofmeister
          birth_date: "1984-06-17"
          address: { street: Salzstraße, house_number: 12a, postal_code: "87435", city: Kempten }
          bank_account: { iban: DE89370400440532013000, bic: COBADEFFXXX, institution: Commerzbank }
          consents:
            terms: { given: true, given_at: "2026-03-02T09:15:00+01:00" }
            privacy: { given: true, given_at: "2026-03-02T09:15:00+01:00" }
            data_sharing: { given: true, given_at: "2026-03-02T09:15:30+01:00" }`

const fixtures = (investor: string) => `organizations:
  - name: Demo Bank
    investors:
      - partner_customer_ref: c-1
        email: lena@mail.example
${investor}
cooperatives:
  - { key: solar, name: Solar eG, description: Roofs., city: Kempten, postal_code: "87435", energy_category: solar, energy_type: photovoltaics, share_price: "250.00", share_value: "250.00", entry_fee: "0.00", minimum_shares: 1, dividend_type: none, affiliation: affiliated }
`
const order = '        share_purchases: [{ cooperative: solar, share_count: 5, status: settled }]'
const sound = fixtures(`        profile:${profile}\n${order}`)

const made = new Map<string, Promise<string>>()

/**
 * Fills a store with the fixtures only once, because creating a store takes longer than most
 * commands.
 */
function makeOnce(text: string): Promise<string> {
  const known = made.get(text) ?? apply(text)
  made.set(text, known)
  return known
}

async function apply(text: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'coopshare-'))
  t.teardown(() => rm(root, { recursive: true }))
  await writeFile(join(root, 'sound.yaml'), text)
  const here = ['--data-dir', join(root, 'data'), '--json']
  const applied = await runCommand(FixturesApply, join(root, 'sound.yaml'), ...here)
  if (applied.exitCode !== 0) throw new Error(applied.stdout)
  return join(root, 'data')
}

/** Makes a separate store with these fixtures. */
async function makeStore(t: Test, text = sound) {
  const root = t.testdir({ empty: {} })
  await writeFile(join(root, 'sound.yaml'), text)
  await cp(await makeOnce(text), join(root, 'data'), { recursive: true })
  const here = ['--data-dir', join(root, 'data'), '--json']
  const run = (command: typeof Command, ...argv: string[]) => runCommand(command, ...argv, ...here)
  return { root, data: join(root, 'data'), here, run }
}

async function listenOn(t: Test, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Starts another program in the place of the service. The program knows the token. */
async function startPeer(t: Test, status: number, body: unknown): Promise<string> {
  const answer: RequestListener = (request, response) => {
    if (answerIdentity(request, response, { token, instanceId: nobody })) return
    void answerSigned(request, response, { token, status, text: JSON.stringify(body) })
  }
  return `http://127.0.0.1:${await listenOn(t, createServer(answer))}`
}

async function startService(t: Test, data: string, ...argv: string[]) {
  const config = await parseServeConfig(['--data-dir', data, ...argv])
  const serving = await startServing(config, async () => {})
  t.teardown(() => serving.close())
  const control = JSON.parse(await readFile(join(data, 'control.json'), 'utf8'))
  return { ...serving, token: String(control.token) }
}

function withVariable(t: Test, name: string, value: string): void {
  process.env[name] = value
  t.teardown(() => delete process.env[name])
}

/**
 * Runs a command in a separate process and returns the same kind of result as for one in this
 * process.
 */
async function spawned(argv: readonly string[]): Promise<Pick<CommandResult, 'json' | 'exitCode'>> {
  const { code, stdout } = await runCoopshare([...argv, '--json'])
  return { exitCode: code ?? -1, json: JSON.parse(stdout) }
}

type Provoke = (t: Test) => Promise<Pick<CommandResult, 'json' | 'exitCode'>>

/** Runs a command on a store with an order. */
const onStore =
  (command: typeof Command, ...argv: string[]): Provoke =>
  async (t) =>
    (await makeStore(t)).run(command, ...argv)

const applying =
  (text: string): Provoke =>
  async (t) => {
    const { root, run } = await makeStore(t)
    await writeFile(join(root, 'other.yaml'), text)
    return run(FixturesApply, join(root, 'other.yaml'))
  }

const withClient =
  (
    act: (
      run: (command: typeof Command, ...argv: string[]) => Promise<CommandResult>,
      client: CommandResult['json'],
    ) => Promise<CommandResult>,
  ): Provoke =>
  async (t) => {
    const { run } = await makeStore(t)
    return act(run, (await run(ClientCreate, '--organization', 'Demo Bank')).json)
  }

/** Runs commands on a store with an approved order whose payment is due. */
const withPayment =
  (
    act: (
      run: Awaited<ReturnType<typeof makeStore>>['run'],
      sharePurchaseId: string,
    ) => Promise<CommandResult>,
  ): Provoke =>
  async (t) => {
    const { run } = await makeStore(t, sound.replace('status: settled', 'status: approved'))
    const creditor = ['--creditor-id', 'DE98ZZZ09999999999', '--iban', 'DE02120300000000202051']
    await run(CooperativeSetCreditor, 'solar', '--name', 'Solar eG', ...creditor)
    const [{ share_purchase_id }] = (await run(PurchaseList)).json
    return act(run, share_purchase_id)
  }

/** Runs commands on a service with testing aids, whose clock they can move. */
const onBench =
  (act: (run: Awaited<ReturnType<typeof makeStore>>['run']) => Promise<CommandResult>): Provoke =>
  async (t) => {
    const { data, run } = await makeStore(t, sound.replace('status: settled', 'status: submitted'))
    const bench = ['--bench', '--now', '2026-11-20T10:00:00Z', '--allow-private-webhooks']
    await startService(t, data, ...bench)
    return act(run)
  }

const provoked: Readonly<Record<CommandCode, Provoke>> = {
  async FAILED(t) {
    withVariable(t, 'COOPSHARE_OPERATOR_TOKEN', token)
    const url = await startPeer(t, 500, { detail: 'Internal error.' })
    return runCommand(OrganizationList, '--operator-url', url, '--json')
  },
  WRONG_USAGE: () => runCommand(PurchaseList, '--limit', '0', '--json'),
  FILE_NOT_FOUND: onStore(FixturesApply, 'none.yaml'),
  ORGANIZATION_NOT_FOUND: onStore(OrganizationShow, 'Other Bank'),
  CLIENT_NOT_FOUND: onStore(ClientShow, nobody),
  OPERATOR_NOT_FOUND: onStore(OperatorDisable, 'nobody'),
  CLIENT_SECRET_NOT_FOUND: withClient((run, { client_id }) =>
    run(ClientRevokeSecret, client_id, nobody),
  ),
  SIGNING_KEY_NOT_FOUND: onStore(KeyRevoke, 'none'),
  COOPERATIVE_NOT_FOUND: onStore(CooperativeShow, 'none'),
  SHARE_PURCHASE_NOT_FOUND: onStore(PurchaseShow, nobody),
  INVESTOR_NOT_FOUND: onStore(InvestorShow, nobody),
  WEBHOOK_ENDPOINT_NOT_FOUND: onStore(WebhookTest, nobody),
  EVENT_NOT_FOUND: onStore(EventShow, nobody),
  async EVENT_NOT_PENDING(t) {
    const { run } = await makeStore(t)
    const [event] = (await run(EventList)).json
    return run(EventSendNow, event.event_id)
  },
  VALIDATION_ERROR: applying('organizations: [{ name: Demo Bank, colour: blue }]'),
  async INVALID_PARAMETER(t) {
    const { root, run } = await makeStore(t)
    const other = ['--data-dir', join(root, 'empty'), '--json']
    await runCommand(OrganizationCreate, 'Other Bank', ...other)
    await runCommand(StoreBackup, join(root, 'backup'), ...other)
    return run(StoreCheck, '--backup', join(root, 'backup'))
  },
  async PAYLOAD_TOO_LARGE(t) {
    const { root, run } = await makeStore(t)
    const file = join(root, 'large.json')
    await writeFile(file, '')
    await truncate(file, 128 * 1024 * 1024 + 1)
    return run(CooperativeImport, file)
  },
  NAME_TAKEN: onStore(OrganizationCreate, 'demo bank'),
  ORGANIZATION_NOT_EMPTY: onStore(OrganizationDelete, 'Demo Bank', '--yes'),
  SECRET_LIMIT_REACHED: withClient(async (run, { client_id }) => {
    await run(ClientRotateSecret, client_id)
    return run(ClientRotateSecret, client_id)
  }),
  LAST_SECRET: withClient((run, { client_id, secret_id }) =>
    run(ClientRevokeSecret, client_id, secret_id),
  ),
  async INVESTOR_HAS_OPEN_ORDERS(t) {
    const { run } = await makeStore(t, sound.replace('status: settled', 'status: submitted'))
    const [{ investor_id }] = (await run(PurchaseList)).json
    return run(InvestorErase, investor_id, '--yes')
  },
  async INVESTOR_IS_MEMBER(t) {
    const { run } = await makeStore(t)
    const [{ investor_id }] = (await run(PurchaseList)).json
    return run(InvestorErase, investor_id, '--yes')
  },
  CLIENT_DISABLED: withClient(async (run, { client_id }) => {
    await run(ClientDisable, client_id)
    return run(Token, client_id)
  }),
  INVESTOR_PROFILE_INCOMPLETE: applying(fixtures(order).replaceAll('c-1', 'c-2')),
  async SHARE_PURCHASE_ILLEGAL_STATE(t) {
    const { run } = await makeStore(t)
    const [{ share_purchase_id: settled }] = (await run(PurchaseList)).json
    return run(PurchaseApprove, settled)
  },
  PAYMENT_NOT_FOUND: async (t) => {
    const { run } = await makeStore(t)
    const [{ share_purchase_id }] = (await run(PurchaseList)).json
    return run(PaymentShow, share_purchase_id)
  },
  PAYMENT_ILLEGAL_STATE: withPayment((run, id) => run(PaymentRetry, id)),
  PAYMENT_OUTSTANDING: withPayment((run, id) => run(PurchaseSettle, id)),
  PAYMENT_UNDER_WAY: withPayment(async (run, id) => {
    await run(CollectionCreate)
    return run(PurchaseReject, id)
  }),
  PAYMENT_RECEIVED: withPayment(async (run, id) => {
    await run(PaymentRecord, id, '--paid-on', '2026-11-01')
    return run(PurchaseReject, id)
  }),
  COLLECTION_NOT_FOUND: onStore(CollectionShow, nobody),
  COLLECTION_ILLEGAL_STATE: withPayment(async (run) => {
    const [{ collection_id }] = (await run(CollectionCreate)).json.collections
    await run(CollectionCancel, collection_id)
    return run(CollectionConfirm, collection_id)
  }),
  STATEMENT_NOT_FOUND: onStore(StatementShow, nobody),
  STATEMENT_REFUSED: async (t) => {
    const { root, run } = await makeStore(t)
    await writeFile(join(root, 'bank.xml'), '<html></html>')
    return run(StatementImport, join(root, 'bank.xml'))
  },
  WEBHOOK_URL_REFUSED: onStore(
    WebhookRegister,
    '--organization',
    'Demo Bank',
    'http://127.0.0.1/hooks',
  ),
  async ENDPOINT_LIMIT_REACHED(t) {
    withVariable(t, 'COOPSHARE_ALLOW_PRIVATE_WEBHOOKS', 'true')
    const { run } = await makeStore(t)
    const register = (n: number) =>
      run(WebhookRegister, '--organization', 'Demo Bank', `http://127.0.0.1/hooks/${n}`)
    for (let n = 0; n < 10; n++) await register(n)
    return register(10)
  },
  async CONFIRMATION_REQUIRED(t) {
    const production = ['--data-dir', t.testdir(), '--environment', 'production', '--json']
    await runCommand(OrganizationCreate, 'Demo Bank', ...production)
    return runCommand(EventPurge, '--before', '1d', ...production)
  },
  ENVIRONMENT_MISMATCH: onStore(OrganizationList, '--environment', 'production'),
  TESTING_AID_IN_PRODUCTION: (t) =>
    spawned([
      ...['serve', '--port', '0', '--demo', '--environment', 'production', '--no-investor-mail'],
      ...['--data-dir', t.testdir()],
    ]),
  async STORE_NOT_EMPTY(t) {
    const { root, run } = await makeStore(t)
    await run(StoreBackup, join(root, 'backup'))
    return run(StoreRestore, join(root, 'backup'))
  },
  NOT_FOR_DATABASES: (t) =>
    runCommand(
      StoreSalvage,
      '--database-url',
      'postgres://127.0.0.1:1/none',
      '--json',
      ...['--to', join(t.testdir(), 'new')],
    ),
  async BENCH_OFF(t) {
    const { data, run } = await makeStore(t)
    await startService(t, data)
    return run(ClockShow)
  },
  FAULT_NOT_FOUND: onBench((run) => run(FaultClear, nobody)),
  CLOCK_BACKWARDS: onBench((run) => run(ClockTo, '2026-11-20T09:59:59Z')),
  async CLOCK_BUSY(t) {
    const receiver = createServer(() => {})
    t.teardown(() => {
      receiver.closeAllConnections()
      receiver.close()
    })
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    return onBench(async (run) => {
      await run(WebhookRegister, '--organization', 'Demo Bank', url)
      const { json } = await run(PurchaseList, '--status', 'submitted')
      await run(PurchaseApprove, json[0].share_purchase_id)
      return run(ClockAdvance, '1d', '--timeout', '100ms')
    })(t)
  },
  AWAIT_TIMEOUT: onBench((run) => run(JournalAwait, 'readClient', '--timeout', '1ms')),
  async LISTENER_RUNNING(t) {
    const { data } = await makeStore(t)
    await startService(t, data)
    const argv = argvTo('http://127.0.0.1:1/', '--data-dir', data)
    await startListener(t, argv)
    return runCommand(Listen, ...argv.slice(1), '--json')
  },
  async FORBIDDEN(t) {
    const { data } = await makeStore(t)
    const service = await startService(t, data)
    withVariable(t, 'COOPSHARE_OPERATOR_TOKEN', service.token)
    const port = Number(new URL(service.operatorUrl).port)
    const relay = createRelay((socket) => {
      const other = connect(port, '127.0.0.1')
      for (const each of [socket, other]) each.on('error', () => {})
      socket.pipe(other).pipe(socket)
    })
    const url = `http://127.0.0.1:${await listenOn(t, relay)}`
    return runCommand(OrganizationList, '--operator-url', url, '--json')
  },
  UNAUTHENTICATED: () =>
    runCommand(OrganizationList, '--operator-url', 'http://127.0.0.1:1', '--json'),
  async NOT_FOUND(t) {
    withVariable(t, 'COOPSHARE_OPERATOR_TOKEN', token)
    const older = await startPeer(t, 404, { code: 'NOT_FOUND', detail: 'No such operation.' })
    return runCommand(OrganizationList, '--operator-url', older, '--json')
  },
  async SERVICE_UNAVAILABLE(t) {
    withVariable(t, 'COOPSHARE_OPERATOR_TOKEN', token)
    return runCommand(OrganizationList, '--operator-url', 'http://127.0.0.1:1', '--json')
  },
  async PORT_UNAVAILABLE(t) {
    const port = await listenOn(t, createServer())
    return runCommand(WebhookReceive, '--secret', 'whsec_x', '--port', String(port), '--json')
  },
  STORE_NOT_FOUND: (t) =>
    runCommand(OrganizationList, '--data-dir', join(t.testdir(), 'none'), '--json'),
  async STORE_LOCKED(t) {
    const { data } = await makeStore(t)
    await startService(t, data)
    return spawned(['serve', '--port', '0', '--data-dir', data])
  },
  async STORE_MOVED(t) {
    const { run } = await makeStore(t)
    const { options, drop } = await createDatabase({ isEmpty: true })
    t.teardown(drop)
    const copied = await run(StoreCopy, '--to', options.url)
    if (copied.exitCode !== 0) throw new Error(copied.stdout)
    return run(OrganizationCreate, 'Other Bank')
  },
  async STORE_NEWER(t) {
    const { data, run } = await makeStore(t)
    const path = join(data, 'store.json')
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(/"version":\d+/, '"version":99'))
    return run(OrganizationList)
  },
  async STORE_DAMAGED(t) {
    const { data, run } = await makeStore(t)
    await appendFile(join(data, 'journal-00000001.jsonl'), '{"never":"written"}\n{"by":"us"}\n')
    return run(OrganizationList)
  },
  async ENCRYPTION_KEY_REFUSED(t) {
    const { root, run } = await makeStore(t)
    await writeFile(join(root, 'other.key'), '0'.repeat(64))
    return run(OrganizationList, '--encryption-key-file', join(root, 'other.key'))
  },
  async DATA_DIRECTORY_NOT_PRIVATE(t) {
    const { data, run } = await makeStore(t)
    await chmod(data, 0o777)
    return run(OrganizationList)
  },
}

for (const [code, provoke] of Object.entries(provoked)) {
  const { exit } = commandCodes[code as CommandCode]
  t.test(`${code} has exit code ${exit}`, async (t) => {
    const { exitCode, json } = await provoke(t)
    t.equal(json.error?.code, code, json.error?.message)
    t.equal(exitCode, exit)
    t.match(json.error.message, /^\S.{10}/s)
  })
}

t.test(
  'a missing input file is FILE_NOT_FOUND with exit code 2, whichever command reads it',
  async (t) => {
    const { root, run } = await makeStore(t)
    const none = join(root, 'none')
    const secret = ['--secret', 'whsec_x']
    const rows: [command: typeof Command, ...argv: string[]][] = [
      [FixturesApply, none],
      [CooperativeImport, none],
      [StoreCheck, '--backup', none],
      [StoreSalvage, none, '--to', join(root, 'new')],
    ]
    for (const [command, ...argv] of rows) isMissing(t, await run(command, ...argv), command.name)
    const offline = '--json'
    isMissing(t, await runCommand(SignatureSign, ...secret, none, offline), 'sign')
    const header = ['--header', 't=1,v1=00']
    isMissing(t, await runCommand(SignatureVerify, ...secret, ...header, none, offline), 'verify')
    const target = ['--data-dir', join(root, 'empty')]
    isMissing(t, await runCommand(StoreRestore, none, ...target, offline), 'restore')
    isMissing(t, await spawned(['serve', '--port', '0', '--fixtures', none, ...target]), 'serve')
  },
)

function isMissing(
  t: Test,
  { exitCode, json }: Pick<CommandResult, 'json' | 'exitCode'>,
  title: string,
) {
  t.equal(exitCode, exitCodes.wrongUsage, title)
  t.equal(json.error.code, 'FILE_NOT_FOUND', title)
}

t.test(
  'a missing store is STORE_NOT_FOUND with exit code 5, whichever command opens it',
  async (t) => {
    const root = t.testdir()
    const here = ['--data-dir', join(root, 'none'), '--json']
    const rows: [command: typeof Command, ...argv: string[]][] = [
      [OrganizationList],
      [PurchaseApprove, nobody],
      [EventPurge, '--before', '1d'],
      [StoreBackup, join(root, 'backup')],
      [StoreCheck],
      [StoreCompact],
      [StoreCopy, '--to', join(root, 'copy')],
      [StoreReopen],
      [StoreSalvage, '--to', join(root, 'new')],
    ]
    for (const [command, ...argv] of rows) {
      const { exitCode, json } = await runCommand(command, ...argv, ...here)
      t.equal(json.error.code, 'STORE_NOT_FOUND', command.name)
      t.equal(exitCode, exitCodes.unreachable, command.name)
    }
  },
)

t.test(
  'an error of the operating system has exit code 4, or 5 for the data directory',
  async (t) => {
    const { root, data, run } = await makeStore(t)
    const named = await run(StoreBackup, join(root, 'sound.yaml'))
    t.match(named, { exitCode: 4, json: { error: { code: 'EEXIST' } } })
    const copy = join(root, 'copy')
    await cp(data, copy, { recursive: true })
    await writeFile(join(root, 'file'), '')
    const inside = await runCommand(OrganizationList, '--data-dir', join(root, 'file'), '--json')
    t.match(inside, { exitCode: 5, json: { error: { code: 'ENOTDIR' } } })
  },
)
