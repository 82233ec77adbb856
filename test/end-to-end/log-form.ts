import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { runCoopshare } from '../../fixtures/program/serve.ts'
import { runAtTerminal } from '../../fixtures/program/terminal.ts'
import { renderForPeople } from '../../src/cli/serve/log-form.ts'
import { escapeInvisible } from '../../src/domain/text.ts'

const colored = '\u001b['

function serveAtTerminal(
  t: Parameters<typeof runAtTerminal>[0],
  argv: readonly string[],
  variables = {},
) {
  const free = ['--port', '0', '--operator-port', '0', '--data-dir', t.testdir()]
  return runAtTerminal(t, ['serve', ...free, ...argv], variables)
}

t.test(
  'at a terminal the log has readable lines in colour, before what serve prints [D46]',
  async (t) => {
    const served = serveAtTerminal(t, ['--demo'])
    const baseUrl = (await served.lineWith('Partner API')).trim()
    await checkedFetch(`${baseUrl}/v1/cooperatives`, {
      headers: { 'x-request-id': 'of-this-test' },
    })
    const answered = await served.lineWith('answered')
    t.match(answered, colored, 'in colour')
    t.match(
      stripVTControlCharacters(answered),
      /^ {2}GET \/v1\/cooperatives {2}401 {2}\d+ ms {2}requestId=of-this-test /,
    )
    t.equal((await served.lineWith('Reference')).trim(), `${baseUrl}/docs`)
    const link = (await served.lineWith('Console')).trim()
    t.match(link, /^http:\/\/127\.0\.0\.1:\d+\/sign-in\?code=[\w-]{43}$/)
    t.match(
      await served.lineWith('This link signs you in once, within a minute.'),
      /Later, use `(coopshare|node \S*bin\/run\.js) console --open --data-dir .+`\.$/,
    )
    // biome-ignore lint/style/noRestrictedGlobals: no document describes the pages of the console.
    const opened = await fetch(link, { redirect: 'manual' })
    t.match(opened.headers.get('set-cookie'), /^coopshare_session_\d+=.+; HttpOnly/)
    const dataDirectory = (await served.lineWith('Data directory')).trim().replace(' (staging)', '')
    const { port } = new URL(baseUrl)
    const elsewhere = join(dataDirectory, 'elsewhere')
    const refusals: [argv: string[], sentence: RegExp][] = [
      [
        ['--port', port, '--data-dir', elsewhere],
        new RegExp(
          `Cannot listen on port ${port} of 127\\.0\\.0\\.1: .* Stop that program, or use`,
        ),
      ],
      [
        ['--port', '0', '--data-dir', dataDirectory],
        /The store is locked: .* is in use by process \d+\. Stop that process/,
      ],
    ]
    for (const [argv, sentence] of refusals) {
      const refused = await runAtTerminal(t, ['serve', ...argv]).ended
      t.equal(refused.code, 5)
      t.match(refused.shown.trimEnd().split('\n').at(-1), sentence)
    }
    served.interrupt()
    const { shown, code } = await served.ended
    t.equal(code, 0)
    t.equal(shown.split('?code=').length, 2, 'only the greeting has the code')
    const plain = stripVTControlCharacters(shown)
    t.match(plain, /^\d\d:\d\d:\d\d {2}info {3}starting {2}version=/)
    t.match(plain, /\d\d:\d\d:\d\d {2}info {3}stopped$/m)
    t.notMatch(plain, /^{/m, 'no JSON')
    t.ok(plain.indexOf('  serving  ') < plain.indexOf('Partner API'))
  },
)

t.test('colours, the form and errors follow their settings at a terminal', async (t) => {
  const wrong = ['--rate-limit', 'none']
  const sentence = /^Error: --rate-limit: Expected an integer but received: none$/m
  const rows: [title: string, argv: string[], variables: Record<string, string>, shown: RegExp][] =
    [
      ['a wrong flag', wrong, {}, sentence],
      ['JSON by a flag', [...wrong, '--log-format', 'json'], {}, /^\{"level":"error".*"exit":2,/],
      ['JSON by a variable', wrong, { COOPSHARE_LOG_FORMAT: 'json' }, /^\{"level":"error"/],
      [
        'a flag before a variable',
        [...wrong, '--log-format=text'],
        { COOPSHARE_LOG_FORMAT: 'json' },
        sentence,
      ],
      [
        'a wrong format',
        ['--log-format', 'xml'],
        {},
        /^Error: Expected --log-format=xml to be one of: auto, text, json$/m,
      ],
      [
        'a wrong variable',
        [],
        { COOPSHARE_DRAIN: 'soon' },
        /^Error: COOPSHARE_DRAIN: --drain must be a time from 0s to 60m/m,
      ],
    ]
  for (const [title, argv, variables, expected] of rows) {
    const { shown, code } = await serveAtTerminal(t, argv, variables).ended
    t.equal(code, 2, title)
    t.match(shown, expected, title)
  }
  const taken = { COOPSHARE_ENCRYPTION_KEY: 'no key' }
  for (const [variables, hasColors] of [
    [{}, true],
    [{ NO_COLOR: '1' }, false],
    [{ TERM: 'dumb' }, false],
  ] as const) {
    const { shown, code } = await serveAtTerminal(t, [], { ...taken, ...variables }).ended
    t.equal(code, 5)
    t.match(stripVTControlCharacters(shown), /info {3}starting .*\nError: /s)
    t.equal(shown.includes(colored), hasColors, JSON.stringify(variables))
  }
})

t.test('without a terminal the log is JSON, unless a setting says text', async (t) => {
  const argv = ['serve', '--rate-limit', 'none']
  const json = await runCoopshare(argv)
  t.match(JSON.parse(json.stderr), {
    level: 'error',
    exit: 2,
    msg: /^--rate-limit: Expected an integer/,
  })
  const forms: [string[], Record<string, string>][] = [
    [['--log-format', 'text'], {}],
    [[], { COOPSHARE_LOG_FORMAT: 'text' }],
  ]
  for (const [flags, variables] of forms) {
    const text = await runCoopshare([...argv, ...flags], variables)
    t.match(text.stderr, /^Error: --rate-limit: Expected an integer/)
    t.notMatch(text.stderr, colored)
  }
  const forced = await runCoopshare(
    ['serve', '--port', '0', '--log-format', 'text', '--data-dir', t.testdir()],
    { FORCE_COLOR: '1', COOPSHARE_ENCRYPTION_KEY: 'no key' },
  )
  t.match(forced.stderr, colored)
})

t.test(
  'no value in a line for people can change the terminal or imitate a line [D47]',
  async (t) => {
    const hostile = '\u001b[2J\u202e\n12:00:00  info   stopped\tcode=x'
    const error = {
      type: 'Error',
      message: hostile,
      stack: `Error: ${hostile}`,
      cause: { type: 'E', message: hostile, stack: hostile },
    }
    const line = renderForPeople(
      JSON.stringify({
        level: 'error',
        time: '2030-01-01T00:00:00.000Z',
        pid: 1,
        requestId: hostile,
        list: [hostile],
        method: hostile,
        route: hostile,
        status: 500,
        seconds: 0.001,
        error,
        msg: `A request failed. ${hostile}`,
      }),
    )
    const plain = stripVTControlCharacters(line)
    t.equal(plain, escapeInvisible(plain))
    const [first = '', ...rest] = plain.trimEnd().split('\n')
    t.match(first, /requestId="\\u001b\[2J.*code=x"/)
    t.ok(rest.length > 0 && rest.every((each) => each.startsWith('    ')), 'a stack is indented')
  },
)
