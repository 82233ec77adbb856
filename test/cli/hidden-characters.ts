import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import ContractVerify from '../../commands/contract/verify.ts'
import FixturesApply from '../../commands/fixtures/apply.ts'
import FixturesExport from '../../commands/fixtures/export.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationList from '../../commands/organization/list.ts'
import OrganizationShow from '../../commands/organization/show.ts'
import WebhookDoctor from '../../commands/webhook/doctor.ts'
import WebhookRegister from '../../commands/webhook/register.ts'
import { type CommandResult, runCommand } from '../../fixtures/program/run-command.ts'
import { runCoopshare } from '../../fixtures/program/serve.ts'
import { runnerOn } from '../../fixtures/program/with-and-without-service.ts'
import { answerIdentity, answerSigned } from '../../fixtures/servers/operator-peer.ts'
import { startPeer } from '../../fixtures/servers/peer.ts'
import { requireYes } from '../../src/cli/confirm.ts'
import { escapeInvisible } from '../../src/domain/text.ts'

const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const clearing = '\u001b[2J'
const turned = 'Bank\u202e\u2066\u200b\u{e0041}'

function shownOf({ stdout, stderr }: Pick<CommandResult, 'stdout' | 'stderr'>): string {
  return stdout + stderr
}

t.test('control characters and invisible characters are shown as escapes [D47]', async (t) => {
  const rows: [text: string, shown: string][] = [
    ['plain, ü, 東京, 🌻', 'plain, ü, 東京, 🌻'],
    ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
    ['\u001b[31mred\r\u0000\u007f', '\\u001b[31mred\\u000d\\u0000\\u007f'],
    ['\u009b31m', '\\u009b31m'],
    [
      '\u200b\u200d\u200e\u202a\u202e\u2066\u2069\ufeff\u00ad',
      '\\u200b\\u200d\\u200e\\u202a\\u202e\\u2066\\u2069\\ufeff\\u00ad',
    ],
    ['\u2028\u{e0041}', '\\u2028\\udb40\\udc41'],
  ]
  for (const [text, shown] of rows) {
    t.equal(escapeInvisible(text), shown)
    const json = JSON.stringify({ text })
    t.strictSame(JSON.parse(escapeInvisible(json)), { text }, 'JSON has the same content')
  }
})

/** Applies a file with this name. It has an id, as in an export of a store from before the rule for names. */
async function applyTurned(dataDirectory: string): Promise<void> {
  const organization_id = '7b000000-0000-4000-8000-00000000c001'
  const file = join(dataDirectory, '..', 'turned.json')
  await writeFile(file, JSON.stringify({ organizations: [{ organization_id, name: turned }] }))
  const { exitCode, stderr } = await runnerOn(dataDirectory)(FixturesApply, file)
  if (exitCode !== 0) throw new Error(stderr)
}

t.test('names that other people chose are shown with escapes', async (t) => {
  const data = join(t.testdir({ data: {} }), 'data')
  await applyTurned(data)
  const run = runnerOn(data)
  for (const ran of [await run(OrganizationList), await run(OrganizationShow, turned)]) {
    t.match(ran.stdout, 'Bank\\u202e\\u2066\\u200b\\udb40\\udc41')
    t.notMatch(shownOf(ran), hidden)
  }
  const listed = await run(OrganizationList, '--json')
  t.notMatch(listed.stdout, hidden)
  t.equal(listed.json[0].name, turned, 'programs get the name itself')
  const refused = await run(OrganizationCreate, turned)
  t.equal(refused.exitCode, 4)
  t.notMatch(shownOf(refused), hidden, 'in an error')
})

t.test('an export contains escapes and restores the same records [D47]', async (t) => {
  const directory = t.testdir({ one: {}, other: {} })
  await applyTurned(join(directory, 'one'))
  const exported = await runnerOn(join(directory, 'one'))(FixturesExport)
  t.notMatch(exported.stdout, hidden)
  const file = join(directory, 'all.yaml')
  await writeFile(file, exported.stdout)
  const other = runnerOn(join(directory, 'other'))
  t.equal((await other(FixturesApply, file)).exitCode, 0)
  t.equal((await other(OrganizationList, '--json')).json[0].name, turned)
})

t.test('an error shows keys of a fixture file with escapes', async (t) => {
  const file = join(t.testdir({ data: {} }), 'bad.yaml')
  await writeFile(file, `"organiz${'\\e'}[2J\\u202eations": []\n`)
  const applied = await runnerOn(join(file, '..', 'data'))(FixturesApply, file)
  t.not(applied.exitCode, 0)
  t.notMatch(shownOf(applied), hidden)
  t.match(shownOf(applied), 'unknown key')
})

t.test('webhook doctor shows the issuer of a certificate with escapes', async (t) => {
  const variable = 'COOPSHARE_ALLOW_PRIVATE_WEBHOOKS'
  process.env[variable] = 'true'
  t.teardown(() => delete process.env[variable])
  const file = (name: string) => readFile(join(import.meta.dirname, '../../fixtures/tls', name))
  const tls = { cert: await file('escapes.crt'), key: await file('escapes.key') }
  const receiver = await startPeer(t, (_request, response) => response.end(), { tls })
  const run = runnerOn(t.testdir())
  await run(OrganizationCreate, 'Demo Bank')
  const registered = await run(
    WebhookRegister,
    '--organization',
    'Demo Bank',
    receiver.url,
    '--json',
  )
  const id = registered.json.webhook_endpoint_id
  const report = await run(WebhookDoctor, id)
  t.match(report.stdout, 'Evil\\u001b[2J\\u009b31m\\u202eBank')
  t.notMatch(shownOf(report), hidden)
  t.equal(report.stdout.split('\n').length, 6, 'one line for each check')
  t.notMatch((await run(WebhookDoctor, id, '--json')).stdout, hidden)
})

t.test('contract verify shows the versions of a deployment with escapes', async (t) => {
  const version = `9.9.9${clearing}\u202e\nAll responses match 1.6.0.`
  const entry = { version, files: [], changes: [] }
  const manifest = JSON.stringify({ latest: version, versions: [entry] })
  const { url } = await startPeer(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end(manifest)
  })
  process.env['COOPSHARE_CLIENT_SECRET'] = 'secret'
  t.teardown(() => delete process.env['COOPSHARE_CLIENT_SECRET'])
  for (const flags of [[], ['--json']]) {
    const verified = await runCommand(ContractVerify, '--url', url, '--client-id', 'x', ...flags)
    t.match(shownOf(verified), '9.9.9\\u001b[2J\\u202e')
    t.notMatch(shownOf(verified), hidden)
    t.notMatch(shownOf(verified), /^All responses match 1\.6\.0\.$/m, 'a separate line')
  }
})

t.test('a command shows the answers of a remote service with escapes', async (t) => {
  const token = 'x'.repeat(32)
  process.env['COOPSHARE_OPERATOR_TOKEN'] = token
  t.teardown(() => delete process.env['COOPSHARE_OPERATOR_TOKEN'])
  const details = [
    {
      code: 'NAME_TAKEN',
      detail: `Taken${clearing}\u202e`,
      errors: { [`a${clearing}`]: `b${clearing}` },
    },
    { detail: `Broken${clearing}\u202e` },
  ]
  for (const problem of details) {
    const { url } = await startPeer(t, (request, response) => {
      if (answerIdentity(request, response, { token, instanceId: 'one' })) return
      void answerSigned(request, response, { token, status: 409, text: JSON.stringify(problem) })
    })
    for (const flags of [[], ['--json']]) {
      const argv = ['organization', 'list', '--operator-url', url, ...flags]
      const ran = await runCoopshare(argv, { COOPSHARE_OPERATOR_TOKEN: token })
      t.not(ran.code, 0)
      t.match(shownOf(ran), /(Taken|Broken)\\u001b\[2J\\u202e/)
      t.notMatch(shownOf(ran), hidden)
    }
  }
})

t.test('an error shows mistyped words with escapes', async (t) => {
  for (const argv of [
    [`x${clearing}`],
    ['organization', 'list', `--x${clearing}`],
    [`x${clearing}`, '--json'],
  ]) {
    const ran = await runCoopshare(argv)
    t.equal(ran.code, 2)
    t.notMatch(shownOf(ran), hidden)
  }
})

t.test('a question at a terminal shows escapes [D47]', async (t) => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = Object.assign(new PassThrough(), { isTTY: true })
  input.end('y\n')
  const question = `This store was moved to /srv/${clearing}\u202e. Allow changes again?`
  const terminal = { input, output } as unknown as Parameters<typeof requireYes>[1]
  await requireYes({ question, instead: '' }, terminal)
  output.end()
  const shown = await text(output)
  t.match(shown, 'moved to /srv/\\u001b[2J\\u202e. Allow changes again? [y/N]')
  t.notMatch(shown, clearing)
})

t.test('the log of serve shows escapes', async (t) => {
  const script = `
    const { createLogger } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/adapters/logger.ts'))})
    const logger = createLogger('info')
    logger.info({ said: ${JSON.stringify(`${turned}\u009b`)} }, 'heard')
    await logger.flush()`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
  let text = ''
  child.stderr.on('data', (chunk) => (text += chunk))
  await once(child, 'close')
  const line = text.split('\n').find((one) => one.includes('heard')) ?? ''
  t.notMatch(line, hidden)
  t.equal(JSON.parse(line).said, `${turned}\u009b`)
})

t.test('no output bypasses the escaping [D47]', async (t) => {
  const root = join(import.meta.dirname, '..', '..')
  const others: string[] = []
  // This text does not need escapes, because it comes only from the program.
  const version = 'src/cli/program/version.ts'
  const may = ['src/cli/output.ts', 'src/cli/lost-output.ts', version]
  for (const folder of ['src', 'commands']) {
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      const path = join(folder, name)
      if (!path.endsWith('.ts') || path.startsWith('src/contract') || may.includes(path)) continue
      const text = await readFile(join(root, path), 'utf8')
      const other =
        /\bux\.std|\bconsole\.(log|info|warn|error|debug)\b|process\.std(out|err)\.write|\blogToStderr\(/.exec(
          text,
        )
      if (other && !path.endsWith('reference-page.ts')) others.push(`${path}: ${other[0]}`)
    }
  }
  t.strictSame(others, [])
})
