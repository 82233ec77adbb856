import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, renameSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import ts from 'typescript'
import { until } from '../../fixtures/async.ts'
import { findProgram } from '../../fixtures/program/installed-tools.ts'
import { findUnusedPort } from '../../fixtures/servers/peer.ts'
import { certifyReceiver } from '../../src/tools/certify/certify-receiver.ts'
import type * as Testing from '../../src/tools/testing.ts'

const root = join(import.meta.dirname, '..', '..')
const examples = join(root, 'examples', 'receivers')
const built = pathToFileURL(join(root, 'dist', 'testing.js')).href
const { startCoopshare }: typeof Testing = await import(built)

interface Language {
  readonly file: string
  /** Programs that may be missing. */
  readonly needs: readonly string[]
  /** Compiles the receiver into a folder. */
  readonly compile?: (folder: string) => readonly string[]
  readonly start: (folder: string, port: number) => readonly string[]
}

const exampleOf = (path: string) => join(examples, path)
const typescriptFile = exampleOf('typescript/receiver.ts')
const phpFile = exampleOf('php/receiver.php')

const languages: Readonly<Record<string, Language>> = {
  TypeScript: {
    file: typescriptFile,
    needs: [],
    start: () => [process.execPath, '--import', 'tsx', typescriptFile],
  },
  Python: {
    file: exampleOf('python/receiver.py'),
    needs: ['python3'],
    start: () => ['python3', exampleOf('python/receiver.py')],
  },
  Java: {
    file: exampleOf('java/Receiver.java'),
    needs: ['java', 'javac'],
    compile: (folder) => ['javac', '-d', folder, exampleOf('java/Receiver.java')],
    start: (folder) => ['java', '-XX:TieredStopAtLevel=1', '-cp', folder, 'Receiver'],
  },
  'C#': {
    file: exampleOf('csharp/Receiver.cs'),
    needs: ['mcs', 'mono'],
    compile: (folder) => [
      'mcs',
      '-langversion:latest',
      '-r:System.Net.Http.dll',
      '-r:System.Runtime.Serialization.dll',
      `-out:${join(folder, 'Receiver.exe')}`,
      exampleOf('csharp/Receiver.cs'),
    ],
    start: (folder) => ['mono', join(folder, 'Receiver.exe')],
  },
  Go: {
    file: exampleOf('go/receiver.go'),
    needs: ['go'],
    compile: (folder) => [
      'go',
      'build',
      '-o',
      join(folder, 'receiver'),
      exampleOf('go/receiver.go'),
    ],
    start: (folder) => [join(folder, 'receiver')],
  },
  PHP: {
    file: phpFile,
    needs: ['php'],
    // cron starts the reconciliation of a page in PHP.
    start: (_, port) => [
      'bash',
      '-c',
      `(while :; do php ${phpFile}; sleep 1; done) & PHP_CLI_SERVER_WORKERS=4 exec php -S 127.0.0.1:${port} ${phpFile}`,
    ],
  },
}

const names = Object.keys(languages)
const cooperative = '7b000000-0000-4000-8000-0000000005a1'
const secret = 'whsec_of-the-receivers-in-tests-only'
const nobody = randomUUID()

/** One investor has more orders than a page. */
const partners = names.map((name) => ({
  name,
  clientId: randomUUID(),
  clientSecret: `secret-of-the-receiver-in-${name}`,
  ada: { id: randomUUID(), orders: [randomUUID()] },
  bea: { id: randomUUID(), orders: Array.from({ length: 21 }, () => randomUUID()) },
}))
type Partner = (typeof partners)[number]

const given = { given: true, given_at: '2026-03-02T09:15:00Z' }
const profile = {
  first_name: 'Ada',
  last_name: 'Muster',
  birth_date: '1990-02-28',
  address: { street: 'Weg', house_number: '1', postal_code: '10115', city: 'Berlin' },
  bank_account: { iban: 'DE89370400440532013000' },
  consents: { terms: given, privacy: given, data_sharing: given },
}
const fixtures = {
  organizations: partners.map(({ name, clientId, clientSecret, ...investors }) => ({
    name,
    clients: [{ name: 'receiver', client_id: clientId, client_secret: clientSecret }],
    investors: Object.entries(investors).map(([ref, { id, orders }]) => ({
      partner_customer_ref: ref,
      investor_id: id,
      email: `${ref}@example.org`,
      profile,
      share_purchases: orders.map((share_purchase_id) => ({
        share_purchase_id,
        cooperative: 'sun',
        share_count: 1,
        status: ref === 'ada' ? 'approved' : 'submitted',
      })),
    })),
  })),
  cooperatives: [
    {
      key: 'sun',
      id: cooperative,
      name: 'Sonnenstrom eG',
      city: 'Kempten',
      postal_code: '87435',
      energy_category: 'solar',
      dividend_type: 'none',
      share_price: '100.00',
      share_value: '100.00',
      entry_fee: '10.00',
      minimum_shares: 1,
    },
  ],
}

const plenty = ['rate-limit', 'token-rate-limit', 'address-rate-limit']
const coop = await startCoopshare({
  fixtures: [fixtures],
  now: '2026-11-20T10:00:00Z',
  args: plenty.flatMap((name) => [`--${name}`, '100000']),
})
t.teardown(() => coop.close())

interface Order {
  readonly orderId?: string
  readonly investorId?: string
  readonly at?: string
}

/** The text of an event about an order that nobody knows, or of the given one. */
function eventOf(status: string, { orderId = randomUUID(), investorId = nobody, at }: Order = {}) {
  const data = { share_purchase_id: orderId, investor_id: investorId, cooperative_id: cooperative }
  return JSON.stringify({
    id: randomUUID(),
    type: `share_purchase.${status}`,
    created_at: at ?? '2026-11-20T10:00:00.000Z',
    data: { ...data, status, terminal: status !== 'submitted' && status !== 'approved' },
  })
}

const now = () => Math.floor(Date.now() / 1000)
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text)
const hexOf = (key: string, text: string) => hmac(key, text).digest('hex')

function sign(body: string, key = secret, at = now()): string {
  return `t=${at},v1=${hexOf(key, `${at}.${body}`)}`
}

/** The receiver of one language, which can be started repeatedly with the same events. */
class Receiver {
  output = ''
  eventsFile: string
  private url = ''
  private process: ChildProcess | undefined
  private readonly t: Test
  private readonly folder: string
  private readonly language: Language
  private readonly partner: Partner

  constructor(t: Test, language: Language, partner: Partner) {
    this.t = t
    this.language = language
    this.partner = partner
    this.folder = t.testdir({ events: {} })
    this.eventsFile = join(this.folder, 'events', 'events.jsonl')
    t.teardown(() => this.kill())
  }

  compile(): void {
    const [program = '', ...argv] = this.language.compile?.(this.folder) ?? []
    if (program === '') return
    const { status, stderr } = spawnSync(program, argv, { encoding: 'utf8' })
    this.t.equal(status, 0, `compiled: ${stderr}`)
  }

  async spawn(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.kill()
    const port = await findUnusedPort()
    const { PATH, HOME } = process.env
    const [program = '', ...argv] = this.language.start(this.folder, port)
    this.url = `http://127.0.0.1:${port}`
    this.output = ''
    const own = spawn(program, argv, {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH,
        HOME,
        PORT: String(port),
        EVENTS_FILE: this.eventsFile,
        COOPSHARE_URL: coop.url,
        COOPSHARE_CLIENT_ID: this.partner.clientId,
        COOPSHARE_CLIENT_SECRET: this.partner.clientSecret,
        COOPSHARE_SIGNING_SECRET: secret,
        SHOW_STATE: 'true',
        RECONCILE_SECONDS: '1',
        ...variables,
      },
    })
    for (const stream of [own.stdout, own.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.output += text
      })
    }
    this.process = own
  }

  async start(variables?: Readonly<Record<string, string>>): Promise<void> {
    await this.spawn(variables)
    await until(this.t, () => this.state('').catch(() => this.requireAlive()), patienceMs)
  }

  private requireAlive(): void {
    if (this.process?.exitCode !== null) throw new Error(`the receiver ended: ${this.output}`)
  }

  async kill(): Promise<void> {
    const { process: own } = this
    if (own?.pid === undefined || own.exitCode !== null || own.signalCode !== null) return
    process.kill(-own.pid, 'SIGKILL')
    await once(own, 'exit')
  }

  /** Sends a request as the service does, and returns the status of the answer; 0 without one. */
  async send(body: string, header: string | undefined = sign(body)): Promise<number> {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }
    if (header !== undefined) headers['x-service-webhook-signature'] = header
    const { status } = await ask(`${this.url}/hooks`, { method: 'POST', headers, body }).catch(
      () => ({ status: 0 }),
    )
    return status
  }

  async state(orderId: string): Promise<{ status: string | null; events: readonly string[] }> {
    const answer = await ask(`${this.url}/state?share_purchase_id=${orderId}`)
    return JSON.parse(answer.text)
  }

  /** Waits until the receiver has written the text to its log. */
  says(text: string): Promise<void> {
    return until(this.t, () => this.output.includes(text), patienceMs)
  }

  async statusOf(orderId: string): Promise<string | null> {
    return (await this.state(orderId)).status
  }

  awaitStatus(orderId: string, status: string): Promise<void> {
    const { t } = this
    const reached = async () => (await this.statusOf(orderId)) === status
    return until(t, reached, patienceMs).catch((error) => {
      throw new Error(`${error.message}\n${this.output}`)
    })
  }

  /** As if it had never received anything. */
  forget(): void {
    this.eventsFile = join(this.folder, 'events', `${randomUUID()}.jsonl`)
  }

  certify() {
    return certifyReceiver({ url: `${this.url}/hooks`, secret, stateUrl: `${this.url}/state` })
  }
}

const patienceMs = 60_000

interface Request {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Each request has its own connection, as those of the service may have. */
async function ask(url: string, { body, ...options }: Request = {}) {
  const asked = request(url, { agent: false, ...options })
  asked.end(body)
  const [answer]: IncomingMessage[] = await once(asked, 'response')
  if (!answer) throw new Error('no answer')
  return { status: answer.statusCode ?? 0, text: await text(answer) }
}

/** Each header with the answer that it gets, for a body that is signed now. */
const headers: Readonly<Record<string, readonly [number, (body: string) => string]>> = {
  'as the service signs': [204, (body) => sign(body)],
  'the second v1 matches': [
    204,
    (body) => sign(body).replace(',', `,v1=${hexOf('another', body)},`),
  ],
  'a later scheme beside it': [204, (body) => `${sign(body)},v2=c2lnbmF0dXJl`],
  'almost five minutes old': [204, (body) => sign(body, secret, now() - 270)],
  'almost five minutes early': [204, (body) => sign(body, secret, now() + 270)],
  'more than five minutes old': [401, (body) => sign(body, secret, now() - 302)],
  'more than five minutes early': [401, (body) => sign(body, secret, now() + 330)],
  'the secret of another receiver': [401, (body) => sign(body, 'whsec_of-another-receiver')],
  'an empty secret': [401, (body) => sign(body, '')],
  'the secret without its prefix': [401, (body) => sign(body, secret.replace('whsec_', ''))],
  'another body': [401, () => sign(eventOf('rejected'))],
  'another t': [401, (body) => sign(body).replace(/\d+/, (t) => String(Number(t) + 60))],
  'the body signed alone': [401, (body) => `t=${now()},v1=${hexOf(secret, body)}`],
  'no v1': [401, () => `t=${now()}`],
  'an empty v1': [401, () => `t=${now()},v1=`],
  'a later scheme alone': [401, (body) => sign(body).replace('v1', 'v2')],
  'no t': [401, (body) => sign(body).replace(/^t=\d+,/, '')],
  'an empty header': [401, () => ''],
  't in words': [401, (body) => sign(body).replace(/\d+/, 'now')],
  't in milliseconds': [401, (body) => sign(body, secret, Date.now())],
  'upper case': [401, (body) => sign(body).replace(/[^=]+$/, (hex) => hex.toUpperCase())],
  'a lost digit': [401, (body) => sign(body).slice(0, -1)],
  'a space': [401, (body) => sign(body).replace(',', ', ')],
  base64: [401, (body) => `t=${now()},v1=${hmac(secret, `${now()}.${body}`).digest('base64')}`],
}

interface World {
  readonly t: Test
  readonly receiver: Receiver
  readonly partner: Partner
}

/** What each receiver must do, in any language. The cases continue with the events of earlier ones. */
const cases: Readonly<Record<string, (world: World) => Promise<void>>> = {
  'signatures are verified': async ({ t, receiver }) => {
    await receiver.start()
    for (const [name, [status, make]] of Object.entries(headers)) {
      const body = eventOf('submitted')
      t.equal(await receiver.send(body, make(body)), status, name)
      const { events } = await receiver.state(JSON.parse(body).data.share_purchase_id)
      t.equal(events.length, status === 204 ? 1 : 0, `${name}: received if it was accepted`)
    }
  },
  'webhook certify finds no fault': async ({ t, receiver }) => {
    const { cases } = await receiver.certify()
    const others = cases.filter(({ result }) => result !== 'passed' && result !== 'warning')
    t.strictSame(others, [])
    t.strictSame(
      cases.filter(({ result }) => result === 'warning').map(({ name }) => name),
      cases.filter(({ result, name }) => result === 'warning' && name === 'answer_time').length > 0
        ? ['answer_time']
        : [],
      'only a slow machine is a reason for a warning',
    )
  },
  'a repeated event and an event of an unknown type are acknowledged': async ({ t, receiver }) => {
    const body = eventOf('submitted')
    t.strictSame([await receiver.send(body), await receiver.send(body)], [204, 204])
    await receiver.says('repeated: share_purchase.submitted')
    for (const type of ['webhook.test', 'investor.moved']) {
      const created_at = '2026-11-20T10:00:00.000Z'
      const test = JSON.stringify({ id: randomUUID(), type, created_at, data: { status: [{}] } })
      t.equal(await receiver.send(test), 204)
      await receiver.says(`ignored: ${type}`)
    }
  },
  'the later event wins, and a terminal one ends the order': async ({ t, receiver }) => {
    const orderId = randomUUID()
    const send = (status: string, second: number) =>
      receiver.send(eventOf(status, { orderId, at: `2026-11-20T10:00:0${second}.000Z` }))
    t.equal(await send('approved', 2), 204)
    t.equal(await send('submitted', 1), 204)
    t.equal(await receiver.statusOf(orderId), 'approved')
    t.equal(await send('settled', 3), 204)
    t.equal(await send('rejected', 4), 204)
    t.equal(await receiver.statusOf(orderId), 'settled')
    t.equal((await receiver.state(orderId)).events.length, 4)
  },
  'a body that is too long or not an event is refused': async ({ t, receiver }) => {
    const long = eventOf('submitted').replace('{', `{"more":"${'x'.repeat(70_000)}",`)
    const status = await receiver.send(long)
    // A receiver may end the connection before the whole body has arrived.
    t.ok([413, 0].includes(status), `answered ${status}`)
    for (const body of ['', 'no JSON', '{"id":', '[]', '{}', 'null']) {
      t.equal(await receiver.send(body), 400, body)
    }
    t.equal(await receiver.send(eventOf('submitted')), 204)
  },
  'an event that cannot be stored is not acknowledged': async ({ t, receiver }) => {
    const body = eventOf('submitted')
    const folder = join(receiver.eventsFile, '..')
    renameSync(folder, `${folder}-elsewhere`)
    t.equal(await receiver.send(body), 500)
    renameSync(`${folder}-elsewhere`, folder)
    t.equal(await receiver.send(body), 204)
    t.notMatch(receiver.output, 'repeated: share_purchase.submitted\nrepeated')
    t.equal(await receiver.statusOf(JSON.parse(body).data.share_purchase_id), 'submitted')
  },
  'a restart after a crash forgets nothing': async ({ t, receiver }) => {
    const body = eventOf('approved')
    const { id, data } = JSON.parse(body)
    t.equal(await receiver.send(body), 204)
    await receiver.kill()
    appendFileSync(receiver.eventsFile, `\n${eventOf('settled').slice(0, 200)}`)
    await receiver.start()
    t.strictSame(await receiver.state(data.share_purchase_id), { status: 'approved', events: [id] })
    t.equal(await receiver.send(body), 204)
    await receiver.says('repeated: share_purchase.approved')
    const next = eventOf('approved')
    t.equal(await receiver.send(next), 204)
    await receiver.start()
    t.equal(await receiver.statusOf(JSON.parse(next).data.share_purchase_id), 'approved')
  },
  'both secrets are accepted while one replaces the other': async ({ t, receiver }) => {
    const next = 'whsec_of-the-time-after-the-change'
    const statuses = async () => {
      const bodies = [eventOf('submitted'), eventOf('submitted')]
      const [old = '', later = ''] = bodies
      return [await receiver.send(old), await receiver.send(later, sign(later, next))]
    }
    await receiver.start({
      COOPSHARE_SIGNING_SECRET: next,
      COOPSHARE_PREVIOUS_SIGNING_SECRET: secret,
    })
    t.strictSame(await statuses(), [204, 204])
    await receiver.start({ COOPSHARE_SIGNING_SECRET: next })
    t.strictSame(await statuses(), [401, 204])
  },
  'a receiver without a secret accepts nothing, and says why': async ({ t, receiver }) => {
    await receiver.spawn({ COOPSHARE_SIGNING_SECRET: '' })
    const body = eventOf('submitted')
    await until(
      t,
      async () => {
        const status = await receiver.send(body, sign(body, ''))
        if (status >= 200 && status < 300) throw new Error('accepted')
        return receiver.output.includes('COOPSHARE_SIGNING_SECRET is missing.')
      },
      patienceMs,
    )
  },
  'an order that cannot be read does not stop the others': async ({ t, receiver, partner }) => {
    const [orderId = ''] = partner.ada.orders
    receiver.forget()
    await receiver.start()
    t.equal(await receiver.send(eventOf('approved')), 204, 'the API does not know this order')
    t.equal(await receiver.send(eventOf('approved', { orderId, investorId: partner.ada.id })), 204)
    await coop.settle(orderId)
    await receiver.awaitStatus(orderId, 'settled')
    await receiver.says(`not reconciled: ${nobody}`)
  },
  'orders of all pages are reconciled': async ({ t, receiver, partner }) => {
    const { id: investorId, orders } = partner.bea
    const [orderId = ''] = orders
    t.equal(await receiver.send(eventOf('submitted', { orderId, investorId })), 204)
    for (const each of orders) await receiver.awaitStatus(each, 'submitted')
  },
  'an API that fails for a time does not stop the others': async ({ t, receiver, partner }) => {
    const [orderId = ''] = partner.bea.orders
    const on = 'listSharePurchases'
    const { clientId: client } = partner
    await receiver.kill()
    await coop.approve(orderId)
    const { length: before } = await coop.journal(on, { client })
    await coop.fault({ on, client, status: 503, retryAfter: 1, times: 3 })
    await receiver.start()
    await receiver.awaitStatus(orderId, 'approved')
    // The webhook may be delivered again before the receiver asks, and it may ask about several investors at once.
    const read = async () => (await coop.journal(on, { client })).slice(before)
    const answered = async () =>
      (await read()).filter(({ status, path }) => status === 200 && !path.includes(nobody))
    await until(t, async () => (await answered()).length > 0)
    const asked = await read()
    t.equal(asked.filter(({ status }) => status === 503).length, 3)
    t.match(asked[0], { status: 503, path: nobody })
  },
  'a reconciliation waits as long as the API says': async ({ t, receiver, partner }) => {
    const [orderId = ''] = partner.bea.orders
    const { clientId: client } = partner
    await receiver.kill()
    await coop.settle(orderId)
    await coop.fault({ on: 'issueToken', client, status: 429, retryAfter: 4, times: 1 })
    await coop.fault({ on: 'issueToken', client, reset: 'mid-body', times: 1 })
    const from = Date.now()
    await receiver.start()
    await receiver.awaitStatus(orderId, 'settled')
    t.ok(Date.now() - from >= 4000)
    t.strictSame(
      (await coop.faults.list()).filter((fault) => JSON.stringify(fault).includes(client)),
      [],
    )
  },
  'an event is acknowledged while the API is slow': async ({ t, receiver, partner }) => {
    const { clientId: client } = partner
    await receiver.kill()
    await coop.fault({ on: 'listSharePurchases', client, delay: '20s', times: 1 })
    await receiver.start()
    const isAsked = async () =>
      (await coop.faults.list()).every((fault) => !JSON.stringify(fault).includes(client))
    await until(t, isAsked, patienceMs)
    const from = Date.now()
    t.equal(await receiver.send(eventOf('submitted')), 204)
    t.ok(Date.now() - from < 5000)
  },
}

t.jobs = names.length
for (const [name, language] of Object.entries(languages)) {
  const partner = partners.find((each) => each.name === name) as Partner
  const missing = language.needs.find((program) => !findProgram(program))
  const skip = missing === undefined ? false : `there is no ${missing} on this machine`
  const options = { skip, buffered: true, timeout: 300_000 }
  t.test(`the receiver in ${name} follows the rules`, options, async (t) => {
    const receiver = new Receiver(t, language, partner)
    receiver.compile()
    for (const [title, run] of Object.entries(cases)) {
      await t.test(title, (t) => run({ t, receiver, partner }))
    }
  })
}

t.test('the receiver in TypeScript has no type errors', async (t) => {
  const options = { strict: true, noEmit: true, skipLibCheck: true, types: ['node'] }
  const program = ts.createProgram([typescriptFile], {
    ...options,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
  })
  t.strictSame(
    ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => root,
      getNewLine: () => '\n',
    }),
    '',
  )
})
