import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import Stripe from 'stripe'
import t, { type Test } from 'tap'
import SignatureSign from '../../commands/signature/sign.ts'
import SignatureVerify from '../../commands/signature/verify.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import { spawnCoopshare } from '../../fixtures/program/serve.ts'

const secret = 'whsec_3q2-7wSdm1lZ0aXo5bCk9vTn4yUe8rHj6gFp2sDqKzI'
const now = 1_767_225_600
const body =
  '{"id":"5f0c7a52-6d0c-5b8e-9a55-0c3f5f5d2f11","type":"share_purchase.rejected","created_at":"2025-12-31T23:59:30.000Z","data":{"share_purchase_id":"7c9e6679-7425-40de-944b-e07fc1f90ae7","status":"rejected","terminal":true,"reason":"Zurück 1/2"}}'
const parsed = JSON.parse(body)

function hmac(key: string | Buffer, ...parts: (string | Buffer)[]): Buffer {
  return createHmac('sha256', key)
    .update(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
    .digest()
}

function headerFor(content: string | Buffer, at: number | string = now): string {
  return `t=${at},v1=${hmac(secret, `${at}.`, content).toString('hex')}`
}

interface Given {
  readonly header: string
  readonly body?: string | Buffer
  readonly secret?: string
  readonly flags?: readonly string[]
}

/** Verifies at `now`, unless the flags say otherwise. */
function verify(t: Test, given: Given) {
  const { header, body: content = body, secret: key = secret, flags = ['--at', `${now}`] } = given
  const file = join(t.testdir({ body: content }), 'body')
  return runCommand(SignatureVerify, '--secret', key, '--header', header, ...flags, file, '--json')
}

async function codesOf(t: Test, given: Given): Promise<string[]> {
  const { json, exitCode } = await verify(t, given)
  t.equal(exitCode, json.valid ? 0 : 4)
  t.equal(json.valid, json.faults.length === 0)
  return json.faults.map(({ code }: { code: string }) => code)
}

t.test('a receiver accepts the signature that sign prints', async (t) => {
  const file = join(t.testdir({ body }), 'body')
  const signed = await runCommand(SignatureSign, '--secret', secret, '--at', `${now}`, file)
  t.equal(signed.exitCode, 0)
  t.equal(signed.stdout, headerFor(body))
  const { webhooks } = Stripe
  t.ok(webhooks.constructEvent(body, signed.stdout, secret, 300, undefined, now))
  t.strictSame(await codesOf(t, { header: signed.stdout }), [])
  const json = await runCommand(SignatureSign, '--secret', secret, '--at', `${now}`, file, '--json')
  t.strictSame(json.json, { signature: headerFor(body), t: now })
})

t.test('a single matching v1 among several is enough, and other schemes are ignored', async (t) => {
  const [time, v1] = headerFor(body).split(',')
  const header = `${time},v0=00,v1=${'0'.repeat(64)},${v1},v2=xyz`
  t.strictSame(await codesOf(t, { header }), [])
})

t.test('t must be within the tolerance', async (t) => {
  const header = headerFor(body)
  const at = (seconds: number, ...more: string[]) => ({ flags: ['--at', `${seconds}`, ...more] })
  t.strictSame(await codesOf(t, { header, ...at(now + 300) }), [])
  t.strictSame(await codesOf(t, { header, ...at(now - 300) }), [])
  t.strictSame(await codesOf(t, { header, ...at(now + 301) }), ['stale'])
  t.strictSame(await codesOf(t, { header, ...at(now - 301) }), ['future'])
  t.strictSame(await codesOf(t, { header, ...at(now + 900, '--tolerance', '900') }), [])
  t.strictSame(
    await codesOf(t, { header, flags: [] }),
    ['stale'],
    'at the current time, unless a flag names another',
  )
  const stale = await verify(t, { header, ...at(now + 301) })
  t.match(stale.json.faults[0].detail, /301 s old; the tolerance is 300 s/)
})

t.test('verify recognizes a test event whose keys were sorted', async (t) => {
  const data = { webhook_endpoint_id: parsed.id, terminal: false }
  const signed = { id: parsed.id, type: 'webhook.test', created_at: parsed.created_at, data }
  const sorted = JSON.stringify({
    created_at: signed.created_at,
    data: { terminal: false, webhook_endpoint_id: parsed.id },
    id: signed.id,
    type: signed.type,
  })
  const header = headerFor(JSON.stringify(signed))
  t.strictSame(await codesOf(t, { header, body: sorted }), ['reserialised_body'])
})

t.test('verify refuses a body other than the signed one', async (t) => {
  const latin1 = Buffer.from(body, 'latin1')
  const sorted = `{"created_at":${JSON.stringify(parsed.created_at)},"data":{"reason":"Zurück 1/2","share_purchase_id":"${parsed.data.share_purchase_id}","status":"rejected","terminal":true},"id":"${parsed.id}","type":"${parsed.type}"}`
  const python = body.replaceAll('":', '": ').replaceAll(',"', ', "')
  const rows: [string, string | Buffer, string, RegExp][] = [
    ['indented by a parser', JSON.stringify(parsed, undefined, 2), 'reserialised_body', /compact/],
    ['spaced and escaped', python.replace('ü', '\\u00fc'), 'reserialised_body', /compact/],
    ['with sorted keys', sorted, 'reserialised_body', /another order/],
    ['with escaped slashes', body.replace('/', '\\/'), 'reserialised_body', /compact/],
    [
      'within another JSON',
      JSON.stringify(body),
      'reserialised_body',
      /embedded as a string in other JSON/,
    ],
    ['with a line end after it', `${body}\n`, 'line_ends', /line break was added/],
    ['with a byte order mark', `\uFEFF${body}`, 'text_encoding', /byte order mark/],
    ['in Latin-1', latin1, 'text_encoding', /Latin-1/],
    ['encoded twice', Buffer.from(Buffer.from(body).toString('latin1')), 'text_encoding', /twice/],
    ['already read by other code', '', 'empty_body', /raw bytes first/],
    [
      'the body of another status',
      body.replace('status":"rejected', 'status":"approved'),
      'no_match',
      /changed/,
    ],
    [
      'the body of another delivery',
      body.replace('5f0c', '6a1d'),
      'wrong_secret',
      /another delivery/,
    ],
    ['changed', body.replace('true', 'false').replace(',', ', '), 'no_match', /was changed/],
  ]
  for (const [title, content, code, detail] of rows) {
    const { json, exitCode } = await verify(t, { header: headerFor(body), body: content })
    t.equal(exitCode, 4, title)
    t.match(json.faults, exactArrays([{ code, detail }]), title)
    t.equal(json.faults.length, 1, title)
  }
})

t.test('verify recognizes a body that was parsed and written again', async (t) => {
  const python = body.replaceAll('":', '": ').replaceAll(',"', ', "')
  const rows: [string, string, RegExp][] = [
    ['pretty-printed', JSON.stringify(parsed, undefined, 2), /two spaces/],
    ['by four', JSON.stringify(parsed, undefined, 4), /four spaces/],
    ['with tabs', JSON.stringify(parsed, undefined, '\t'), /tabs/],
    ['as Python does', python, /Python/],
    ['with escapes', python.replace('ü', '\\u00fc'), /escapes, as Python/],
    ['as PHP does', body.replace('/', '\\/'), /PHP/],
    ['as a JSON text', JSON.stringify(body), /embedded as a string in other JSON/],
  ]
  for (const [title, content, detail] of rows) {
    const { json } = await verify(t, { header: headerFor(content) })
    t.match(json.faults, exactArrays([{ code: 'reserialised_body', detail }]), title)
  }
  t.match(
    (await verify(t, { header: headerFor(`${body}\n`) })).json.faults,
    exactArrays([{ code: 'line_ends', detail: /was lost/ }]),
  )
})

t.test('white space at the ends of the secret does not matter', async (t) => {
  const { json } = await verify(t, { header: headerFor(body), secret: ` ${secret}\n` })
  t.match(json, { valid: true })
})

t.test('verify recognizes another secret', async (t) => {
  const header = headerFor(body)
  const bare = secret.slice('whsec_'.length)
  const by = (key: string | Buffer) => `t=${now},v1=${hmac(key, `${now}.`, body).toString('hex')}`
  const rows: [string, Given, string, RegExp][] = [
    ['in quotation marks', { header, secret: `"${secret}"` }, 'secret_form', /quotation/],
    ['without its prefix', { header, secret: bare }, 'secret_form', /lacks its prefix whsec_/],
    ['signed without it', { header: by(bare) }, 'secret_form', /without its prefix whsec_/],
    ['decoded', { header: by(Buffer.from(bare, 'base64url')) }, 'secret_form', /base64/],
    ['read with its line end', { header: by(`${secret}\n`) }, 'secret_form', /line break/],
    ['rotated', { header, secret: 'whsec_another' }, 'wrong_secret', /rotated/],
  ]
  for (const [title, given, code, detail] of rows) {
    const { json, stdout } = await verify(t, given)
    t.match(json.faults, exactArrays([{ code, detail }]), title)
    t.equal(json.faults.length, 1, title)
    t.notMatch(stdout, bare, 'the secret is not printed')
  }
  const { exitCode, stderr } = await runCommand(SignatureVerify, '--header', header, '--secret', '')
  t.equal(exitCode, 2)
  t.match(stderr, /The signing secret is empty/)
})

t.test('verify recognizes a wrong secret from the body of a test event', async (t) => {
  const testBody =
    '{"id":"5f0c7a52-6d0c-5b8e-9a55-0c3f5f5d2f11","type":"webhook.test","created_at":"2025-12-31T23:59:30.000Z","data":{"webhook_endpoint_id":"7c9e6679-7425-40de-944b-e07fc1f90ae7","terminal":false}}'
  const header = headerFor(testBody)
  const rows: [string, string, string][] = [
    ['the body as it is sent', testBody, 'wrong_secret'],
    ['without its data', testBody.replace(/,"data":.*/, '}'), 'no_match'],
    [
      'with the data of another type',
      testBody.replace('webhook_endpoint_id', 'status'),
      'no_match',
    ],
  ]
  for (const [title, content, code] of rows) {
    const codes = await codesOf(t, { header, body: content, secret: 'whsec_another' })
    t.strictSame(codes, [code], title)
  }
})

t.test('verify recognizes a payload or a header of another form', async (t) => {
  const right = hmac(secret, `${now}.`, body)
  const hex = right.toString('hex')
  const header = (v1: string) => `t=${now},v1=${v1}`
  const over = (...parts: string[]) => header(hmac(secret, ...parts).toString('hex'))
  const rows: [string, string, string[]][] = [
    ['base64', header(right.toString('base64')), ['base64']],
    ['base64url', header(right.toString('base64url')), ['base64']],
    ['base64 of the hexadecimal digest', header(Buffer.from(hex).toString('base64')), ['base64']],
    ['upper case', header(hex.toUpperCase()), ['upper_case']],
    ['cut off', header(hex.slice(0, 40)), ['malformed_v1']],
    ['no hexadecimal', header('nonsense!'), ['malformed_v1']],
    ['no v1', `t=${now}`, ['missing_v1']],
    ['no t', `v1=${hex}`, ['missing_t']],
    [
      'no t, and a signature of only the body',
      over(body).replace(/^.*,/, ''),
      ['missing_t', 'signed_payload'],
    ],
    [
      't is not a number',
      `t=noon,v1=${hmac(secret, 'noon.', body).toString('hex')}`,
      ['malformed_t'],
    ],
    ['t twice', `t=${now},t=5,v1=${hex}`, ['repeated_t']],
    ['spaces', `t=${now}, v1=${hex}`, ['header_spaces']],
    ['with its name', `X-Service-Webhook-Signature: ${header(hex)}`, ['header_name']],
    ['empty', '', ['missing_t', 'missing_v1']],
    ['milliseconds', headerFor(body, now * 1000), ['milliseconds']],
    [
      'milliseconds only in the header',
      `t=${now}000,v1=${hex}`,
      ['milliseconds', 'signed_payload'],
    ],
    ['milliseconds only in the payload', over(`${now}000.`, body), ['signed_payload']],
    ['body alone', over(body), ['signed_payload']],
    ['no full stop', over(`${now}`, body), ['signed_payload']],
    ['body first', over(body, `.${now}`), ['signed_payload']],
    ['another t', over(`${now + 2}.`, body), ['signed_payload']],
    [
      'two faults at the same time',
      header(hmac(secret, body).toString('base64')),
      ['base64', 'signed_payload'],
    ],
  ]
  for (const [title, value, codes] of rows) {
    t.strictSame(await codesOf(t, { header: value }), codes, title)
  }
})

t.test('the text output is a sentence', async (t) => {
  const file = join(t.testdir({ body }), 'body')
  const flags = ['--secret', secret, '--at', `${now + 301}`, file]
  const good = await runCommand(SignatureVerify, '--header', headerFor(body, now + 2), ...flags)
  t.strictSame([good.exitCode, good.stdout, good.stderr], [0, 'The signature is valid.', ''])
  const header = headerFor(`${body}\n`)
  const bad = await runCommand(SignatureVerify, '--header', header, ...flags)
  t.equal(bad.exitCode, 4)
  t.match(
    bad.stdout,
    /^Wrong: t is 301 s old.*\nWrong: The signature is valid for a slightly different body/,
  )
})

t.test('a missing secret or header is wrong usage', async (t) => {
  const file = join(t.testdir({ body }), 'body')
  t.equal((await runCommand(SignatureSign, file)).exitCode, 2)
  t.equal((await runCommand(SignatureVerify, '--secret', secret, file)).exitCode, 2)
  const missing = await runCommand(SignatureSign, '--secret', secret, `${file}.missing`)
  t.equal(missing.exitCode, 2)
  t.match(missing.stderr, /does not exist/)
})

t.test('the secret is read from a variable, and the body from standard input', async (t) => {
  const variables = { COOPSHARE_SIGNING_SECRET: secret }
  const { process: child, ended } = await spawnCoopshare(
    ['signature', 'sign', '--at', `${now}`],
    variables,
  )
  child.stdin.end(body)
  const { code, stdout } = await ended
  t.equal(code, 0)
  t.equal(stdout, `${headerFor(body)}\n`)
  const long = await spawnCoopshare(['signature', 'sign'], variables)
  long.process.stdin.on('error', () => {})
  long.process.stdin.end(Buffer.alloc(2_000_000))
  const refused = await long.ended
  t.equal(refused.code, 2)
  t.match(refused.stderr, /No event is that large/)
})
