import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import WebhookCertify from '../../commands/webhook/certify.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import { startBlackHole } from '../../fixtures/servers/black-hole.ts'
import {
  certifiedSecret,
  type ReceiverSteps,
  startCertifiedReceiver,
} from '../../fixtures/servers/certified-receiver.ts'
import { findUnusedPort, startPeer, startTcpPeer } from '../../fixtures/servers/peer.ts'

const variable = 'COOPSHARE_SIGNING_SECRET'
process.env[variable] = certifiedSecret
t.teardown(() => delete process.env[variable])

interface JudgedCase {
  readonly case: string
  readonly result: string
  readonly detail: string
  readonly requests: readonly { readonly event_id: string; readonly attempt_id: string }[]
}

const stateCases = [
  'event_processed',
  'duplicate_processed_once',
  'retry_processed_once',
  'latest_status',
  'refused_not_processed',
  'refused_then_processed',
]

function casesWith(result: string, cases: readonly JudgedCase[]): string[] {
  return cases.filter((each) => each.result === result).map((each) => each.case)
}

async function certify(t: Test, defect: Partial<ReceiverSteps> = {}) {
  const receiver = await startCertifiedReceiver(t, defect)
  return runCommand(WebhookCertify, receiver.url, '--state-url', receiver.stateUrl, '--json')
}

t.test('a receiver that follows all rules passes every case', async (t) => {
  const { json, exitCode } = await certify(t)
  t.strictSame(casesWith('passed', json.cases).length, json.cases.length, 'all cases')
  t.equal(exitCode, 0)
  t.match(json, { certified: true, passed: 21, warnings: 0, failed: 0, skipped: 0 })
  const attempts = json.cases.flatMap((each: JudgedCase) => each.requests)
  t.equal(
    new Set(attempts.map((each: { attempt_id: string }) => each.attempt_id)).size,
    attempts.length,
  )
})

t.test('a receiver can be certified repeatedly', async (t) => {
  const receiver = await startCertifiedReceiver(t)
  const state = ['--state-url', receiver.stateUrl]
  for (const _ of ['first', 'second']) {
    t.equal((await runCommand(WebhookCertify, receiver.url, ...state)).exitCode, 0)
  }
})

t.test('without a state URL, processing is not judged', async (t) => {
  const { url, requests } = await startCertifiedReceiver(t)
  const { json, exitCode } = await runCommand(WebhookCertify, url, '--json')
  t.equal(exitCode, 0)
  t.strictSame(casesWith('skipped', json.cases), stateCases)
  t.match(json, { certified: true, passed: 15, skipped: 6 })
  t.match(json.cases.find((each: JudgedCase) => each.result === 'skipped').detail, '--state-url')
  t.ok(requests.every((request) => request === 'POST /hooks'))
})

const never = () => new Promise<number>(() => {})

t.test('a receiver that refuses a valid event is judged no further', async (t) => {
  for (const [status, why] of [
    [401, 'answered 401'],
    [500, 'answered 500'],
    [307, 'A redirect is not followed.'],
  ] as const) {
    const { json, exitCode } = await certify(t, { look: () => status })
    t.equal(exitCode, 4)
    t.strictSame(casesWith('failed', json.cases), ['valid_signature'], `${status}`)
    t.strictSame(casesWith('passed', json.cases), ['answer_time'], `${status}`)
    t.match(json.cases[0].detail, why)
    t.equal(json.skipped, 19)
  }
})

t.test('a receiver that never answers fails only for its response time', async (t) => {
  const { json, exitCode } = await certify(t, { look: never })
  t.equal(exitCode, 4)
  t.strictSame(casesWith('failed', json.cases), ['answer_time'])
  t.equal(json.skipped, 20)
})

t.test('an answer after more than a second and a refusal with 500 are warnings', async (t) => {
  let isFirst = true
  const late = () => {
    if (!isFirst) return undefined
    isFirst = false
    return new Promise<number>((resolve) => setTimeout(() => resolve(204), 1100))
  }
  const { url } = await startCertifiedReceiver(t, { look: late, refuseWith: 500 })
  const { stdout, exitCode } = await runCommand(WebhookCertify, url)
  t.equal(exitCode, 0)
  t.match(stdout, /^warning {5}answer_time +1 of \d+ answers took more than 1000 ms/m)
  t.match(stdout, /^warning {5}wrong_signature +Refused, but with 500\./m)
  t.match(stdout, /^No case failed: 8 passed, 7 warning, 6 not judged\.$/m)
})

t.test(
  'a state URL without a useful answer fails one case, and the other cases are skipped',
  async (t) => {
    const receiver = await startCertifiedReceiver(t)
    const { url } = await startPeer(t, ({ url: path }, response) => {
      if (path?.startsWith('/broken')) response.writeHead(500).end()
      else response.end(path?.startsWith('/text') ? 'ok' : '{"status":"\\u001b[31m","events":[]}')
    })
    for (const [stateUrl, why] of [
      [`${url}/broken`, 'The state URL answered 500 instead of 200.'],
      [`${url}/text`, 'The state URL did not answer {"status"'],
      [
        `http://127.0.0.1:${await findUnusedPort()}/`,
        'The state URL did not answer. No connection',
      ],
      [`${url}/other`, 'The status is "\\u001b[31m" instead of "submitted".'],
    ] as const) {
      const argv = [receiver.url, '--state-url', stateUrl, '--json']
      const { json, exitCode } = await runCommand(WebhookCertify, ...argv)
      t.equal(exitCode, 4)
      t.strictSame(casesWith('failed', json.cases), ['event_processed'])
      t.strictSame(casesWith('skipped', json.cases), stateCases.slice(1))
      const found = json.cases.find((each: JudgedCase) => each.case === 'event_processed')
      t.ok(found.detail.startsWith(why), found.detail)
    }
  },
)

t.test('a missing receiver has exit code 5', async (t) => {
  const url = `http://127.0.0.1:${await findUnusedPort()}/hooks?token=secret`
  const { stderr, exitCode } = await runCommand(WebhookCertify, url)
  t.equal(exitCode, 5)
  t.match(stderr, /The receiver at http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/)
  t.notMatch(stderr, 'token=secret')
  const { json } = await runCommand(WebhookCertify, url, '--json')
  t.equal(json.error.code, 'SERVICE_UNAVAILABLE')
})

t.test('a receiver behind a firewall that drops packets has exit code 5', async (t) => {
  const url = `http://127.0.0.1:${await startBlackHole(t)}/hooks`
  const { json, exitCode } = await runCommand(WebhookCertify, url, '--json')
  t.equal(exitCode, 5)
  t.match(json.error.message, 'No connection could be made. (ETIMEDOUT)')
})

t.test('a receiver that does not speak HTTP fails', async (t) => {
  const port = await startTcpPeer(t, (socket) => socket.end('hello\n'))
  const { json, exitCode } = await runCommand(WebhookCertify, `http://127.0.0.1:${port}/`, '--json')
  t.equal(exitCode, 4)
  t.strictSame(casesWith('failed', json.cases), ['valid_signature'])
})

t.test('webhook certify needs a secret and an address to which it can send', async (t) => {
  const { url } = await startCertifiedReceiver(t)
  const refused = async (wanted: RegExp, ...argv: string[]) => {
    const { stderr, exitCode } = await runCommand(WebhookCertify, ...argv)
    t.match(stderr, wanted)
    t.equal(exitCode, 2)
  }
  await refused(/URL must be an http or https address/, 'hooks.example')
  await refused(/URL must be an http or https address/, 'http://me:secret@hooks.example/')
  await refused(/--state-url must be an http or https address/, url, '--state-url', 'state')
  try {
    process.env[variable] = ''
    await refused(/The signing secret is empty\. Set it in COOPSHARE_SIGNING_SECRET/, url)
    delete process.env[variable]
    await refused(/Set COOPSHARE_SIGNING_SECRET to the signing secret of the receiver/, url)
  } finally {
    process.env[variable] = certifiedSecret
  }
})

t.test('the text output has a line for each case, and advice for failed cases', async (t) => {
  const { url } = await startCertifiedReceiver(t)
  const { stdout } = await runCommand(WebhookCertify, url)
  t.match(stdout, /^passed {6}valid_signature +Accepted: 204 in \d+ ms\.$/m)
  t.match(stdout, /^not judged {2}event_processed +This case needs --state-url\.$/m)
  const { url: other } = await startCertifiedReceiver(t, {
    check: ({ type }) => (type.startsWith('share_purchase.') ? undefined : 400),
  })
  const failed = await runCommand(WebhookCertify, other)
  t.equal(failed.exitCode, 4)
  t.match(
    failed.stdout,
    /^FAILED {6}unknown_type +Not accepted\. The receiver answered 400\.\n {12}-> Answer 2xx to types/m,
  )
  t.match(failed.stdout, /^The receiver is not ready: 14 passed, 1 failed, 6 not judged\.$/m)
})

const readXml = `
import json, sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot().find("testsuite")
print(json.dumps({**suite.attrib, "cases": [
    {**case.attrib, "parts": {part.tag: {**part.attrib, "text": part.text} for part in case}}
    for case in suite]}))
`

t.test('the JUnit report shows advice for failures, and cases that were not judged', async (t) => {
  const { url } = await startCertifiedReceiver(t, {
    check: ({ type }) => (type.startsWith('share_purchase.') ? undefined : 400),
  })
  const file = join(t.testdir(), 'certificate.xml')
  const argv = [`${url}?a=1&secret=2`, '--junit', file]
  t.equal((await runCommand(WebhookCertify, ...argv)).exitCode, 4)
  const { stdout, stderr } = spawnSync('python3', ['-c', readXml, file], { encoding: 'utf8' })
  t.equal(stderr, '')
  const suite = JSON.parse(stdout)
  t.match(suite, { name: `webhook certify ${url}`, tests: '21', failures: '1', skipped: '6' })
  t.notMatch(readFileSync(file, 'utf8'), 'secret=2')
  const named = (name: string) =>
    suite.cases.find((each: { name: string }) => each.name.startsWith(`${name}: `))
  t.match(named('unknown_type'), {
    classname: 'coopshare.webhook.certify',
    parts: {
      failure: { message: 'Not accepted. The receiver answered 400.', text: /Answer 2xx to types/ },
    },
  })
  t.match(named('event_processed').parts, { skipped: { message: /--state-url/ } })
  t.strictSame(Object.keys(named('valid_signature').parts), ['system-out'])
})

t.test('a JUnit report that cannot be written is an error before any event is sent', async (t) => {
  const { url } = await startCertifiedReceiver(t)
  const directory = t.testdir()
  for (const path of ['missing/certificate.xml', '', 'missing/']) {
    const file = `${directory}/${path}`
    const { stdout, stderr, exitCode } = await runCommand(WebhookCertify, url, '--junit', file)
    t.equal(exitCode, 2)
    t.equal(stdout, '')
    t.match(stderr, `--junit ${file} cannot be written.`)
  }
})
