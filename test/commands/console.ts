import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import Console from '../../commands/console.ts'
import OperatorCreate from '../../commands/operator/create.ts'
import { runCommand, startService } from '../../fixtures/program/run-command.ts'

/** Opens a link as a browser does. @returns who is signed in */
async function open(link: string): Promise<string | undefined> {
  // biome-ignore lint/style/noRestrictedGlobals: no document describes the pages of the console.
  const opened = await fetch(link, { redirect: 'manual' })
  const { origin } = new URL(link)
  const headers = { cookie: (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
  // biome-ignore lint/style/noRestrictedGlobals: no document describes the pages of the console.
  const page = await fetch(`${origin}${opened.headers.get('location')}`, { headers })
  return /signed in as (\w+ \(\w+\))/.exec(await page.text())?.[1]
}

const variables = ['COOPSHARE_OPERATOR_TOKEN', 'PATH'] as const

/** Other systems have other programs that open links. */
const noShell = process.platform !== 'linux'

t.test('coopshare console', async (t) => {
  const root = t.testdir({ data: {}, bin: {} })
  const here = ['--data-dir', join(root, 'data')]
  const before = variables.map((name) => [name, process.env[name]] as const)
  const { operatorUrl, close } = await startService(join(root, 'data'))
  try {
    await t.test('prints a link alone, which signs in once', async (t) => {
      const { stdout, stderr, exitCode } = await runCommand(Console, ...here)
      t.strictSame([exitCode, stderr], [0, ''])
      t.match(stdout, new RegExp(`^${operatorUrl}/sign-in\\?code=[\\w-]{43}\n?$`))
      t.equal(await open(stdout.trim()), 'local (administrator)')
      t.equal(await open(stdout.trim()), undefined)
    })

    await t.test('prints the link and its end as JSON', async (t) => {
      const { json } = await runCommand(Console, ...here, '--json')
      t.strictSame(Object.keys(json), ['url', 'expires_at'])
      const seconds = (Date.parse(json.expires_at) - Date.now()) / 1000
      t.ok(seconds > 0 && seconds <= 60, `${seconds} s`)
      t.equal(await open(json.url), 'local (administrator)')
    })

    await t.test('signs in the operator whose token is set, from elsewhere too', async (t) => {
      const ada = await runCommand(OperatorCreate, 'Ada', '--role', 'viewer', ...here, '--json')
      process.env['COOPSHARE_OPERATOR_TOKEN'] = ada.json.token
      const local = await runCommand(Console, ...here, '--json')
      t.equal(await open(local.json.url), 'Ada (viewer)')
      const url = operatorUrl.replace('127.0.0.1', 'localhost')
      const remote = await runCommand(Console, '--operator-url', `${url}/`, '--json')
      t.match(remote.json.url, new RegExp(`^${url}/sign-in\\?`))
      t.equal(await open(remote.json.url), 'Ada (viewer)')
      delete process.env['COOPSHARE_OPERATOR_TOKEN']
    })

    await t.test('means staging unless the environment is given [D42]', async (t) => {
      const refused = await runCommand(Console, ...here, '--environment', 'production', '--json')
      t.equal(refused.exitCode, 4)
      t.match(refused.json.error.message, 'This store belongs to staging')
    })

    await t.test('--open opens the link in the browser', { skip: noShell }, async (t) => {
      const opened = join(root, 'opened')
      const program = join(root, 'bin', 'xdg-open')
      process.env['PATH'] = join(root, 'bin')
      await writeFile(program, `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o700 })
      const ran = await runCommand(Console, ...here, '--open')
      t.strictSame([ran.exitCode, ran.stdout], [0, ''], 'the link is in the browser alone')
      t.match(ran.stderr, 'The console opens in your browser.')
      t.equal(await open(await readFile(opened, 'utf8')), 'local (administrator)')

      await writeFile(program, '#!/bin/sh\nexit 3\n')
      const failed = await runCommand(Console, ...here, '--open')
      t.match(
        failed.stderr,
        'Cannot open a browser here: xdg-open failed (3). Open the link yourself',
      )
      t.equal(await open(failed.stdout.trim()), 'local (administrator)')

      await rm(program)
      const missing = await runCommand(Console, ...here, '--open', '--json')
      t.match(missing.stderr, 'there is no xdg-open or wslview on this machine')
      t.equal(await open(missing.json.url), 'local (administrator)')
    })
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    await close()
  }
})

t.test('without a running service there is no console', async (t) => {
  const refused = await runCommand(Console, '--data-dir', t.testdir(), '--json')
  t.equal(refused.exitCode, 5)
  t.match(refused.json.error, {
    code: 'SERVICE_UNAVAILABLE',
    message: /^No service is running on this data directory\. Start one with `coopshare serve`/,
  })
})
