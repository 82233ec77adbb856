import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, Server } from 'node:http'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import ScenarioRun from '../../commands/scenario/run.ts'
import ScenarioSchema from '../../commands/scenario/schema.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { findSavedFiles, readDocument } from '../../fixtures/program/document-blocks.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import { startPeer } from '../../fixtures/servers/peer.ts'
import { startScenarioApp } from '../../fixtures/servers/scenario-app.ts'
import type { ExchangeRow } from '../../src/wire/bench.ts'

const examples = join(import.meta.dirname, '../../examples/scenarios')
const base = join(examples, 'fixtures/base.yaml')
const names = ['bank-return', 'catalogue-moves', 'one-day-later']
const files = names.map((name) => join(examples, `${name}.yaml`))
const withApp = join(examples, 'with-app/first-order.yaml')

/** Plays steps on the data of the examples. */
async function play(t: Test, steps: string, { given = '', argv = [] as string[] } = {}) {
  const text = `scenario: a story\ngiven:\n  fixtures: [${base}]\n${given}steps:\n${steps}`
  const file = join(t.testdir({ 'story.yaml': text }), 'story.yaml')
  return Object.assign(await runCommand(ScenarioRun, file, ...argv), { file })
}

const webhooks = '  now: 2026-11-20T10:00:00Z\n  webhooks: { organization: Neobank }\n'

t.test(
  'the examples pass: three days of an order, an expired key, and a changing catalogue',
  async (t) => {
    const { stdout, exitCode } = await runCommand(ScenarioRun, ...files)
    t.equal(exitCode, 0, stdout)
    t.match(stdout, /^passed {2}bank return after approval.* \(15 steps, [\d.]+ s\)$/m)
    t.match(stdout, /3 of 3 scenarios passed\./)
  },
)

t.test(
  'a scenario calls an app, waits for its requests and checks its state, and webhooks reach the app',
  async (t) => {
    const app = await startScenarioApp(t)
    const { stdout, exitCode } = await runCommand(ScenarioRun, withApp, '--app', app)
    t.equal(exitCode, 0, stdout)
  },
)

t.test('the scenario of the document passes', async (t) => {
  const saved = findSavedFiles(readDocument('docs/start/scenarios.md'))
  const directory = t.testdir(saved)
  const { stdout, exitCode } = await runCommand(ScenarioRun, join(directory, 'first.yaml'))
  t.equal(exitCode, 0, stdout)
})

const failing = `  - order: { investor: c-1, cooperative: solar-koeln, shares: 1, as: o1 }
  - call: { url: "/v1/investors/\${o1}", status: 404 }
  - expect: { order: o1, status: approved }
`

t.test('a failed expectation shows its place, the expected value and the journal', async (t) => {
  const { stdout, exitCode, file } = await play(t, failing)
  t.equal(exitCode, 4)
  t.match(stdout, `${file}:7: expect: The status of the order o1 is not as expected.`)
  t.match(stdout, /expected {2}"approved"\n +actual {4}"submitted"/)
  t.match(stdout, /placeSharePurchase POST \/v1\/investors\/.* -> 201/)
  t.notMatch(stdout, /DE89370400440532013000/)
  t.match(stdout, /0 of 1 scenarios passed\./)
})

t.test('the report for CI names each scenario and each failure', async (t) => {
  const junit = join(t.testdir(), 'junit.xml')
  const { json, exitCode } = await play(t, failing, { argv: ['--json', '--junit', junit] })
  t.equal(exitCode, 4)
  const { passed, failed, scenarios } = json
  t.match(
    { passed, failed, first: scenarios[0] },
    {
      passed: 0,
      failed: 1,
      first: {
        scenario: 'a story',
        passed: false,
        failure: { step: 'expect', line: 7, expected: 'approved', actual: 'submitted' },
      },
    },
  )
  const last = exactArrays([
    { operation: 'placeSharePurchase', status: 201 },
    { operation: 'readInvestor', status: 404 },
  ])
  t.match(json.scenarios[0].failure.journal, last)
  const xml = await readFile(junit, 'utf8')
  t.match(xml, /<testsuite name="scenario run" tests="1" failures="1"/)
  t.match(xml, /<failure message="line 7: The status of the order o1/)
})

t.test('if a later scenario cannot start, the report for CI has the earlier ones', async (t) => {
  const story = (investor: string) => `scenario: a story
given: { fixtures: [${base}, ${investor}.yaml] }
steps: [{ call: /v1/me }]
`
  const order = '{ cooperative: none, share_count: 1 }'
  const directory = t.testdir({
    'known.yaml': 'organizations: [{ name: A }]',
    'refused.yaml': `organizations: [{ name: A, investors: [{ partner_customer_ref: a, share_purchases: [${order}] }] }]`,
    'first.yaml': story('known'),
    'second.yaml': story('refused'),
  })
  const junit = join(directory, 'junit.xml')
  const [first, second] = [join(directory, 'first.yaml'), join(directory, 'second.yaml')]
  const { stdout, stderr, exitCode } = await runCommand(
    ScenarioRun,
    first,
    second,
    '--junit',
    junit,
  )
  t.equal(exitCode, 2)
  t.match(stdout, /^passed {2}a story/)
  t.match(stderr, /refused\.yaml:1/)
  t.match(await readFile(junit, 'utf8'), /tests="1" failures="0"/)
})

t.test('a pattern that the shell has not expanded names all files that match', async (t) => {
  const story = 'scenario: a story\ngiven: { demo: true }\nsteps: [{ call: /livez }]\n'
  const directory = t.testdir({ 'b.yaml': story, 'a.yaml': story, 'c[1].yaml': story, 'd.txt': '' })
  const run = (pattern: string) => runCommand(ScenarioRun, join(directory, pattern), '--json')
  const { json, exitCode } = await run('*.yaml')
  t.equal(exitCode, 0)
  t.match(
    json.scenarios,
    exactArrays(
      ['a', 'b', 'c[1]'].map((name) => ({
        file: new RegExp(`/${name.replace('[', '\\[')}.yaml$`),
      })),
    ),
  )
  t.match(await run('c[1].yaml'), { json: { passed: 1 }, exitCode: 0 })
  const none = join(directory, '*.yml')
  t.match(await runCommand(ScenarioRun, none), { stderr: `No file matches ${none}.`, exitCode: 2 })
})

t.test('a service that breaks fails the step, and the report names its line', async (t) => {
  const servers = new Set<Server>()
  const note = (message: unknown) => {
    const { request, server } = message as { request: IncomingMessage; server: Server }
    if (request.url?.startsWith('/bench/')) servers.add(server)
  }
  subscribe('http.server.request.start', note)
  t.teardown(() => unsubscribe('http.server.request.start', note))
  const app = await startPeer(t, (_, response) => {
    for (const server of servers) server.close().closeAllConnections()
    response.end()
  })
  const { stdout, exitCode } = await play(t, '  - call: $APP/\n  - reset\n', {
    argv: ['--app', app.url],
  })
  t.equal(exitCode, 4)
  t.match(stdout, /story\.yaml:6: reset: /)
})

t.test('errors in a file are reported with their lines before any scenario runs', async (t) => {
  const rows: readonly [steps: string, message: RegExp][] = [
    ['  - aprove: o1\n', /story\.yaml:5: steps\[0\]\.aprove: unknown key, did you mean approve\?/],
    [
      '  - order: { invester: c-1 }\n',
      /:5: steps\[0\]\.order\.invester: .* Valid here: investor, /,
    ],
    [
      '  - expect: { order: o1, statuz: x }\n',
      /expect\.statuz: .* Valid here: order, status, total/,
    ],
    ['  - expect: { status: x }\n', /expect: must have one of the keys order, holdings, event/],
    ['  - expect: { order: o1, status: done }\n', /expect\.status: must be draft, submitted/],
    ['  - { advance: 1s, to: 2030-01-01T00:00:00Z }\n', /steps\[0\]: must have exactly one key/],
    ['  - advance: soon\n', /steps\[0\]\.advance: must be a time such as 500ms/],
    ['  - run: $APP/orders\n', /steps\[0\]: uses \$APP: give the address of your app with --app/],
    ['  - receiver: { answer: 500 }\n', /steps\[0\]\.receiver: needs `given\.webhooks`/],
    [
      '  - fault: { on: placeOrder, status: 503 }\n',
      /fault\.on: must be one of delivery, issueToken/,
    ],
    [
      '  - fault: { on: delivery, times: 1 }\n',
      /fault\.delay: is missing, and so are `reset` and `status`/,
    ],
    ['  - await: { operation: placeOrder }\n', /await\.operation: must be one of delivery, /],
    ['  - expect: { journal: placeOrder }\n', /expect\.journal: must be one of delivery, /],
    ['  - call: v1/me\n', /:5: steps\[0\]\.call: v1\/me must be a path such as/],
    ['  - call: FETCH /v1/me\n', /steps\[0\]\.call: FETCH is not a method/],
    ['  - call: { url: /v1/me, method: G T, lost: true }\n', /call: G T is not a method/],
    [
      '  - call: { url: /v1/me, method: get, json: { a: 1 }, lost: true }\n',
      /call: get cannot have a body: leave out `json` or `method`/,
    ],
    ['  - expect: { app: "http://a/", method: G T }\n', /expect\.method: G T is not a method/],
    ['  - restart\n', /steps\[0\]: must be reset, expire_tokens/],
  ]
  for (const [steps, message] of rows) {
    const { stdout, stderr, exitCode } = await play(t, steps)
    t.equal(exitCode, 2, steps)
    t.match(stderr, message)
    t.equal(stdout, '')
  }
  const { exitCode } = await runCommand(ScenarioRun, ...files, 'no-such-file.yaml')
  t.equal(exitCode, 2)
})

t.test('settings that the service refuses are errors of the file', async (t) => {
  const rows: readonly [given: string, message: RegExp][] = [
    ['  backoff: 2h\n', /story\.yaml:4: given\.backoff: "2h" is not a time/],
    [
      '  webhooks: { organization: Neobank, to: $OTHER }\n',
      /story\.yaml: given\.webhooks: .*OTHER/,
    ],
    ['  webhooks: { organization: Nobank }\n', /story\.yaml: given\.webhooks: .*Nobank/],
  ]
  for (const [given, message] of rows) {
    const { stderr, exitCode } = await play(t, '  - reset\n', { given })
    t.equal(exitCode, 2, given)
    t.match(stderr, message)
  }
})

t.test('demo data that is later than the clock is an error of the file', async (t) => {
  const directory = t.testdir({
    'story.yaml': 'scenario: a\ngiven: { demo: true, now: 2026-01-01T00:00:00Z }\nsteps: [reset]\n',
  })
  const { stderr, exitCode } = await runCommand(ScenarioRun, join(directory, 'story.yaml'))
  t.equal(exitCode, 2)
  t.match(stderr, /story\.yaml: given\.now: The clock shows 2026-01-01/)
})

t.test('fixtures that the service refuses are errors of the file', async (t) => {
  const orders =
    'organizations: [{ name: A, investors: [{ partner_customer_ref: a, share_purchases: [{ cooperative: none, share_count: 1 }] }] }]'
  const directory = t.testdir({
    'data.yaml': orders,
    'story.yaml': 'scenario: a\ngiven: { fixtures: [data.yaml] }\nsteps: [reset]\n',
  })
  const { stderr, exitCode } = await runCommand(ScenarioRun, join(directory, 'story.yaml'))
  t.equal(exitCode, 2)
  t.match(stderr, /data\.yaml:1/)
})

const unknownCooperative = /There is no cooperative "moon"\. Known here: .*solar-koeln/

t.test('a refused step, an unknown name and a silent app fail the scenario', async (t) => {
  const rows: readonly [steps: string, message: RegExp][] = [
    ['  - approve: o1\n', /:5: approve: No earlier step has placed an order named o1/],
    ['  - call: /v1/$SOMETHING\n', /The variable SOMETHING is unknown\. Known here: COOPSHARE_URL/],
    [
      '  - order: { investor: c-9, cooperative: solar-koeln, shares: 1 }\n',
      /order: There is no investor "c-9"\. Known here: c-1, c-2\./,
    ],
    ['  - order: { investor: c-1, cooperative: moon, shares: 1 }\n', unknownCooperative],
    ['  - publish: moon\n', unknownCooperative],
    [
      '  - disable_client: Nobank\n',
      /disable_client: There is no organization "Nobank"\. Known here: Neobank\./,
    ],
    [
      '  - await: { operation: readClient, timeout: 10ms }\n',
      /await: After 10ms, the journal has only 0/,
    ],
    [
      "  - call: { url: /v1/me, headers: { x: '\u20ac' }, lost: true }\n",
      /call: GET http:.* cannot be sent: .*ByteString/,
    ],
    ['  - call: http://127.0.0.1:9/\n', /GET http:\/\/127\.0\.0\.1:9\/ got no answer/],
    ['  - call: { url: /v1/me, capture: { x: a.b } }\n', /The answer has nothing at a\.b/],
    [
      '  - call: /docs\n  - await: { operation: readReferencePage, capture: { x: a } }\n',
      /:6: await: The answer has nothing at a/,
    ],
    ['  - call: { url: /v1/me, lost: true }\n', /expected {2}"lost"/],
    ['  - call: /v1/nowhere\n', /is an error\./],
  ]
  for (const [steps, message] of rows) {
    const { stdout, exitCode } = await play(t, steps)
    t.equal(exitCode, 4, steps)
    t.match(stdout, message)
  }
})

t.test('an answer that breaks in its body is lost', async (t) => {
  const order = 'investor: c-1, cooperative: solar-koeln, shares: 1, idempotency_key: k'
  const steps = `  - fault: { on: placeSharePurchase, reset: mid-body, times: 1 }
  - order: { ${order}, lost: true }
  - order: { ${order}, replayed: true }
  - fault: { on: readClient, reset: mid-body, times: 1 }
  - call: /v1/me
`
  const { stdout, exitCode } = await play(t, steps)
  t.equal(exitCode, 4)
  t.match(stdout, /story\.yaml:9: call: GET http:.*\/v1\/me got no answer/)
})

t.test(
  'due events are delivered before the next step, including replayed and dead ones',
  async (t) => {
    const steps = `  - order: { investor: c-1, cooperative: solar-koeln, shares: 1, as: o1 }
  - expect: { deliveries: all, of: o1, statuses: [204] }
  - replay: { event: share_purchase.submitted, of: o1 }
  - rotate_secret
  - approve: o1
  - expect: { deliveries: all, of: o1, statuses: [204, 204, 204] }
  - receiver: { answer: 410 }
  - settle: o1
  - advance: 1d
  - expect: { event: share_purchase.settled, of: o1, state: dead }
  - receiver: { answer: 204 }
  - replay: dead
  - expect: { event: share_purchase.settled, of: o1, state: delivered }
`
    const { stdout, exitCode } = await play(t, steps, { given: webhooks })
    t.equal(exitCode, 0, stdout)
  },
)

t.test('retries come at the same times in each run, and ids are new', async (t) => {
  const steps = `  - receiver: { answer: 500 }
  - order: { investor: c-1, cooperative: solar-koeln, shares: 1, as: o1 }
  - advance: 1d
  - expect: { deliveries: all, of: o1, count: 0 }
`
  const run = async () => {
    const { json } = await play(t, steps, { given: webhooks, argv: ['--json'] })
    const exchanges: ExchangeRow[] = json.scenarios[0].failure.journal
    const attempts = exchanges.filter(({ operation }) => operation === 'delivery')
    return { times: attempts.map(({ at }) => at), event: JSON.parse(attempts[0]?.body ?? '').id }
  }
  const [first, second] = [await run(), await run()]
  t.equal(first.times.length, 6)
  t.strictSame(second.times, first.times)
  t.not(second.event, first.event)
})

t.test('a reset returns to the start of the scenario', async (t) => {
  const steps = `  - order: { investor: c-1, cooperative: solar-koeln, shares: 1, as: o1 }
  - rotate_key: { now: true }
  - fault: { on: delivery, status: 500 }
  - advance: 1h
  - reset
  - clear: journal
  - expect: { holdings: c-1, shares: 0, pending: 0 }
  - order: { investor: c-1, cooperative: solar-koeln, shares: 2, as: o2 }
  - expect: { event: share_purchase.submitted, of: o2, state: delivered, attempts: 1 }
  - expect: { journal: placeSharePurchase, count: 1, contract: conforms }
  - disable_client: Neobank
  - call: { url: /v1/me, token: none, status: 401 }
  - to: 2026-11-21T10:00:00Z
`
  const { stdout, exitCode } = await play(t, steps, { given: webhooks })
  t.equal(exitCode, 0, stdout)
})

t.test('a failed capture shows the beginning of a long answer', async (t) => {
  const file = join(
    t.testdir({
      'story.yaml': `scenario: a
given: { demo: true }
steps: [{ call: { url: /v1/cooperatives, capture: { x: a.b } } }]
`,
    }),
    'story.yaml',
  )
  const { stdout } = await runCommand(ScenarioRun, file)
  const [actual = ''] = /actual {4}.*/.exec(stdout) ?? []
  t.match(actual, /^actual {4}\{"items":\[.*…$/)
  t.ok(actual.length < 1100, `${actual.length} letters`)
})

t.test('an organization has the same client in all steps', async (t) => {
  const directory = t.testdir({
    'data.yaml': 'organizations: [{ name: A, clients: [{ name: one }, { name: other }] }]',
    'story.yaml': `scenario: a
given: { fixtures: [data.yaml] }
steps:
  - call: /v1/me
  - disable_client: A
  - call: /v1/me
`,
  })
  const { stdout, exitCode } = await runCommand(ScenarioRun, join(directory, 'story.yaml'))
  t.equal(exitCode, 4)
  t.match(stdout, /story\.yaml:6: call: .*disabled/)
})

t.test('the settings in your environment do not affect the service of a scenario', async (t) => {
  const variables = { COOPSHARE_DATABASE_URL: 'postgres://127.0.0.1:9/none', COOPSHARE_PORT: '1' }
  Object.assign(process.env, variables)
  t.teardown(() => {
    for (const name of Object.keys(variables)) delete process.env[name]
  })
  const { stdout, exitCode } = await play(t, '  - call: /v1/me\n')
  t.equal(exitCode, 0, stdout)
})

t.test('the schema for editors accepts the examples, and refuses unknown keys', async (t) => {
  const { stdout } = await runCommand(ScenarioSchema)
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
    JSON.parse(stdout),
  )
  for (const file of [...files, withApp]) {
    t.ok(
      validate(parse(await readFile(file, 'utf8'))),
      `${file} ${JSON.stringify(validate.errors)}`,
    )
  }
  const wrong = [
    { aprove: 'o1' },
    { order: { invester: 'c-1' } },
    { reset: true, to: 'x' },
    'restart',
  ]
  for (const step of wrong)
    t.notOk(validate({ scenario: 'a', steps: [step] }), JSON.stringify(step))
})
