import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import Completion from '../../commands/completion.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import {
  fillStore,
  fillStoreAlike,
  runCommand,
  startService,
} from '../../fixtures/program/run-command.ts'
import { programCommand, runCoopshare, type Variables } from '../../fixtures/program/serve.ts'
import { noSeed } from '../../fixtures/program/with-and-without-service.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'
import { runOperation } from '../../src/operations/operations.ts'

const root = join(import.meta.dirname, '..', '..')

/**
 * Finds the modules that a run of the program has executed. Node reports their functions, which the
 * bundle names after the files.
 */
async function loadedModules(directory: string, argv: string[]): Promise<string[]> {
  execFileSync(process.execPath, [join(root, 'bin', 'run.js'), ...argv], {
    env: { PATH: process.env['PATH'], NODE_V8_COVERAGE: directory },
  })
  return readdirSync(directory).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(directory, name), 'utf8'))
    return result.flatMap(({ url, functions }: Executed) =>
      url.endsWith('/dist/coopshare.cjs') ? functions.filter(isExecuted).map(nameOf) : [],
    )
  })
}

interface ExecutedFunction {
  readonly functionName: string
  readonly ranges: readonly { readonly count: number }[]
}

interface Executed {
  readonly url: string
  readonly functions: readonly ExecutedFunction[]
}

const isExecuted = ({ ranges }: ExecutedFunction) => ranges[0]?.count !== 0
const nameOf = ({ functionName }: ExecutedFunction) => functionName

t.test('a checkout without a build reports that it is not built', async (t) => {
  const directory = t.testdir()
  cpSync(join(root, 'bin'), join(directory, 'bin'), { recursive: true })
  cpSync(join(root, 'package.json'), join(directory, 'package.json'))
  const { status, stderr } = spawnSync(process.execPath, [join(directory, 'bin', 'run.js')])
  t.equal(status, 1)
  t.match(String(stderr), /^coopshare is not built here. Run `npm run build`.*\n$/)
})

t.test('--version and --help do not load the server', async (t) => {
  const oclif = 'node_modules/@oclif/core/lib/index.js'
  const rows = [['--version'], ['--help'], ['serve', '--help'], ['purchase', 'approve', '--help']]
  for (const argv of rows) {
    const modules = await loadedModules(t.testdir(), argv)
    t.equal(modules.includes(oclif), argv[0] !== '--version', `oclif for ${argv.join(' ')}`)
    const server = /^src\/(adapters|http|open-service|operations|usecases)|^node_modules\/h3\//
    t.strictSame(
      modules.filter((name) => server.test(name)),
      [],
    )
  }
})

t.test('a command on a store in a directory loads no network code', async (t) => {
  const directory = t.testdir({ data: {}, coverage: {} })
  // The directory is given, whatever storage engine the run uses, because a command on a database
  // needs the network.
  const inDirectory = ['--data-dir', join(directory, 'data')]
  await runCommand(OrganizationCreate, 'Demo Bank', ...inDirectory)
  const list = ['organization', 'list', ...inDirectory]
  const modules = await loadedModules(join(directory, 'coverage'), list)
  t.ok(modules.includes('src/open-service.ts'))
  const peers =
    /^src\/(http|adapters\/(postgres|outgoing))\/|^node_modules\/(h3|nodemailer|ofetch|postgres)\//
  t.strictSame(
    modules.filter((name) => peers.test(name)),
    [],
  )
})

t.test('a mistyped command gets a suggestion', async (t) => {
  const rows: [argv: string[], suggestion: string][] = [
    [['purchase', 'aprove', '7c9e6679-7425-40de-944b-e07fc1f90ae7'], 'coopshare purchase approve'],
    [['organisation', 'list'], 'coopshare organization list'],
    [['organization', 'crate', 'Demo Bank'], 'coopshare organization create'],
    [['help', 'purchse'], 'coopshare purchase'],
  ]
  for (const [argv, suggestion] of rows) {
    const { code, stderr, stdout } = await runCoopshare(argv)
    t.equal(code, 2, argv.join(' '))
    t.match(stderr, `Did you mean "${suggestion}"?`)
    t.equal(stdout, '')
  }
  const unlike = [
    [['abracadabra'], 'coopshare --help'],
    [['purchase', 'place', '-h'], 'coopshare purchase --help'],
  ] as const
  for (const [argv, advice] of unlike) {
    const { code, stderr, stdout } = await runCoopshare(argv)
    t.equal(code, 2)
    t.match(stderr, advice)
    t.equal(stdout, '')
  }
})

t.test('a mistyped flag gets a suggestion, and a missing one is named', async (t) => {
  const rows: [argv: string[], advice: RegExp][] = [
    [
      ['purchase', 'list', '--staus=settled'],
      /^Error: .*: --staus=settled\. Did you mean --status\?$/m,
    ],
    [
      ['purchase', 'list', '--stats', '--orgnization'],
      /: --stats, --orgnization\. Did you mean --status and --organization\?$/m,
    ],
    [['key', 'rotate', '--colour'], /^Error: Nonexistent flag: --colour$/m],
    [['store', 'copy'], /^Error: Missing required flag --to$/m],
  ]
  for (const [argv, advice] of rows) {
    const { code, stderr, stdout } = await runCoopshare(argv)
    t.equal(code, 2, argv.join(' '))
    t.match(stderr, advice)
    t.match(stderr, 'See more help with --help')
    t.equal(stdout, '')
  }
})

t.test('every spelling of --version works', async (t) => {
  for (const word of ['--version', '-v', 'version']) {
    const { code, stdout } = await runCoopshare([word])
    t.equal(code, 0, word)
    t.match(stdout, /^coopshare\/\d+\.\d+\.\d+ /)
  }
})

t.test('the error names an unexpected argument', async (t) => {
  const { code, stderr, stdout } = await runCoopshare(['purchase', 'list', 'approved', '--json'])
  t.equal(code, 2)
  t.equal(stderr, '')
  const message = '"coopshare purchase list" takes no arguments. Leave out "approved".'
  t.strictSame(JSON.parse(stdout), { error: { code: 'WRONG_USAGE', message } })
})

t.test('the help is the same as in docs/reference/commands/', async (t) => {
  const page = readFileSync(join(root, 'docs', 'reference', 'commands', 'purchase.md'), 'utf8')
  const wide = { OCLIF_COLUMNS: '100', NO_COLOR: '1' }
  const { code, stdout } = await runCoopshare(['help', 'purchase', 'approve'], wide)
  t.equal(code, 0)
  const [summary = '', ...rest] = stdout.replaceAll(/ +$/gm, '').trim().split('\n\n')
  t.match(summary, /^Approve submitted/)
  t.match(page, rest.join('\n\n'))
})

t.test('wrong usage and unknown commands are JSON under --json [D46]', async (t) => {
  const rows = [
    ['purchase', 'aprove', '--json'],
    ['help', 'aprove', '--json'],
    ['purchase', 'show', '--json'],
    ['purchase', 'list', '--status', 'lost', '--json'],
    ['purchase', 'list', '--colour', '--json'],
  ]
  for (const argv of rows) {
    const { code, stdout } = await runCoopshare(argv)
    t.equal(code, 2, argv.join(' '))
    t.match(JSON.parse(stdout), { error: { code: 'WRONG_USAGE', message: /./ } })
  }
})

t.test('a command that ends before it has a result fails', async (t) => {
  // The client of this process never calls back, and no open handle keeps the process alive.
  const directory = t.testdir({
    'program.mjs': `
      import { EventEmitter } from 'node:events'
      import { createRequire } from 'node:module'
      const client = Object.assign(new EventEmitter(), { end() {} })
      createRequire(import.meta.url)('node:http').request = () => client
      const { runBundle } = await import(${JSON.stringify(join(root, 'bin', 'run-bundle.js'))})
      runBundle()`,
  })
  const argv = ['organization', 'list', '--operator-url', 'http://127.0.0.1:1']
  const words = [process.execPath, join(directory, 'program.mjs')]
  const ran = await runCoopshare(argv, { COOPSHARE_OPERATOR_TOKEN: 'any' }, words)
  t.match(ran, { code: 1, stdout: '', stderr: /^Error: The command ended early/ })
})

t.test('an error is printed without line breaks that would split it', async (t) => {
  const longName = 'n'.repeat(300)
  const dataDirectory = t.testdir()
  await fillStoreAlike(dataDirectory, noSeed)
  const argv = ['organization', 'show', longName, '--data-dir', dataDirectory]
  const { code, stderr, stdout } = await runCoopshare(argv)
  t.equal(code, 4)
  t.equal(stdout, '')
  t.match(
    stderr,
    /^Error: These fields are not valid: organization\.\n {2}organization must have at most 200/,
  )
})

t.test('every command has a summary, an example and --json', async (t) => {
  const { stdout } = await runCoopshare(['--help'])
  for (const topic of ['client', 'purchase', 'store', 'fixtures']) t.match(stdout, topic)
  const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
  const commands = Object.values<{
    id: string
    summary: string
    examples: string[]
    flags: { json?: unknown }
  }>(manifest.commands)
  t.ok(commands.length > 30)
  for (const { id, summary, examples, flags } of commands) {
    t.ok(summary && examples.length > 0, id)
    t.ok(flags.json, id)
  }
})

t.test('bash completes commands, flags and known values', async (t) => {
  const { code, stdout: script } = await runCoopshare(['completion', 'bash'])
  t.equal(code, 0)
  const lines = [
    ['pur'],
    ['purchase', 'a'],
    ['help', 'purchase', 'a'],
    ['purchase', 'list', '--status', 's'],
    ['purchase', 'list', '--status', '=', 's'],
    ['purchase', 'list', '--status', '='],
    ['completion', ''],
    ['purchase', 'list', '--status', 'settled', '--org'],
    ['organization', 'update', 'Demo Bank', '--no-'],
    ['client', 'create', '--scope', 'inv'],
    ['client', 'create', '--scope', 'investors', ':'],
    ['client', 'create', '--scope', 'investors', ':', 'w'],
    ['client', 'create', '--scope', '=', 'investors', ':', 'w'],
    ['client', 'create', '--scope', 'investors:w'],
  ]
  const asked = lines.map((words) => {
    const quoted = ['coopshare', ...words].map((word) => `'${word}'`).join(' ')
    return `COMP_WORDS=(${quoted}) COMP_CWORD=${words.length}; _coopshare; echo "\${COMPREPLY[*]}"`
  })
  // The script is longer than an argument may be.
  const completed = execFileSync('bash', ['-s'], {
    encoding: 'utf8',
    input: [script, ...asked].join('\n'),
  })
  t.strictSame(completed.trimEnd().split('\n'), [
    'purchase',
    'approve',
    'approve',
    'submitted settled',
    'submitted settled',
    'draft submitted approved settled rejected cancelled',
    'bash zsh fish --help --json',
    '--organization',
    '--no-investor-mail --no-self-service',
    // bash splits words at colons, so it completes only the part after the colon.
    'investors:read investors:write',
    'read write',
    'write',
    'write',
    'write',
  ])
})

t.test('completion asks the running service, and offers no ids without it', async (t) => {
  t.teardown(() => {})
  const directory = t.testdir({
    data: {},
    coopshare: `#!/bin/sh\nexec ${programCommand.join(' ')} "$@"\n`,
  })
  const [dataDirectory, program] = [join(directory, 'data'), join(directory, 'coopshare')]
  chmodSync(program, 0o755)
  const otherBank = 'Müller & Söhne: "Nord" $(id)'
  const { purchaseIds, clientId } = await fillStore(dataDirectory, async (service) => {
    const seed = await seedOrders(3)(service)
    await runOperation(service, 'organization.create', { name: otherBank })
    await runOperation(service, 'purchase.approve', { share_purchase_id: seed.purchaseIds[0] })
    return seed
  })
  const serving = await startService(dataDirectory)
  const { token } = await (await connectOperator(dataDirectory)).call('operator.create', {
    name: 'Vera',
    role: 'viewer',
  })
  const viewer = { COOPSHARE_OPERATOR_URL: serving.operatorUrl, COOPSHARE_OPERATOR_TOKEN: token }
  const offered = async (shell: string, ...words: readonly string[]) => {
    const { stdout, stderr } = await runCommand(Completion, shell, '--', ...words)
    t.equal(stderr, '')
    return stdout === '' ? [] : stdout.split('\n')
  }
  const [approved = '', ...submitted] = purchaseIds

  await t.test('each shell gets the possible next words', async (t) => {
    const rows: readonly [readonly string[], readonly string[]][] = [
      [
        ['organization', 'show', ''],
        [otherBank, 'Demo Bank'],
      ],
      [['organization', 'rename', 'Demo Bank', ''], []],
      [
        ['purchase', 'list', '--organization=D'],
        [otherBank, 'Demo Bank'],
      ],
      [['purchase', 'approve', '--cooperative', ''], ['solar-allgaeu']],
      [['cooperative', 'create', ''], []],
      [['purchase', 'approve', ''], submitted],
      [['purchase', 'approve', submitted[0] ?? '', ''], submitted.slice(1)],
      [['purchase', 'settle', ''], [approved]],
      [['purchase', 'reject', '--reason', ''], []],
      [['purchase', 'reject', '--reason', 'late', ''], purchaseIds],
      [['purchase', 'confirm', ''], []],
      [['client', 'rotate-secret', ''], [clientId]],
      [['webhook', 'pause', ''], []],
      [['operator', 'disable', ''], ['Vera']],
      [['store', 'check', ''], []],
    ]
    for (const [words, expected] of rows) {
      const here = words.toSpliced(2, 0, '--data-dir', dataDirectory)
      const found = (await offered('fish', ...here)).map((line) => line.split('\t')[0])
      t.strictSame(found.sort(), [...expected].sort(), words.join(' '))
    }
    t.strictSame(await offered('zsh', 'purchase', 'settle', `--data-dir=${dataDirectory}`, ''), [
      `${approved}:Demo Bank, customer-1, Solar Allgäu eG, 1250.00 EUR`,
    ])
  })

  await t.test('bash gets the words with the necessary quotes', async (t) => {
    const rows: readonly [string, readonly string[]][] = [
      ['organization show M', ['Müller\\ \\&\\ Söhne:\\ \\"Nord\\"\\ \\$\\(id\\)']],
      ['organization show "M', ['Müller & Söhne: \\"Nord\\" \\$(id)']],
      ["organization show 'Müller ", [otherBank]],
      ['organization show Müller\\ \\&\\ Söhne:', ['\\ \\"Nord\\"\\ \\$\\(id\\)']],
      ['purchase list --organization=De', ['Demo\\ Bank']],
      ['purchase list --organization X', []],
    ]
    for (const [line, expected] of rows) {
      const whole = line.replace(/^\w+ \w+/, `coopshare $& --data-dir "${dataDirectory}"`)
      t.strictSame(await offered('bash', whole), expected, line)
    }
  })

  await t.test('the completion script works in bash', async (t) => {
    const { stdout: script } = await runCoopshare(['completion', 'bash'])
    const rows: readonly [string[], string][] = [
      [['organization', 'show', 'De'], 'Demo\\ Bank'],
      [['purchase', 'settle', ''], approved],
      [['purchase', 'list', '--cooperative', '=', 's'], 'solar-allgaeu'],
      [['purchase', 'settle', '--all-a'], '--all-approved'],
      [['webhook', 'pause', '--js'], '--json'],
    ]
    const alias = `shopt -s expand_aliases; alias coopshare='${programCommand.join(' ')}'`
    for (const [name, before] of [
      [program, ''],
      ['coopshare', alias],
    ] as const) {
      const asked = rows.map(([words]) => {
        const line = ['coopshare', ...words].join(' ').replace(' = ', '=')
        return `COMP_LINE='${line}' COMP_POINT=${line.length} COMP_WORDS=(coopshare ${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length}; _coopshare ${name}; echo "\${COMPREPLY[*]}"`
      })
      const running = promisify(execFile)('bash', ['-s'], { env: { ...process.env, ...viewer } })
      running.child.stdin?.end([before, script, ...asked].join('\n'))
      const { stdout, stderr } = await running
      t.strictSame(
        stdout.trimEnd().split('\n'),
        rows.map(([, expected]) => expected),
        before,
      )
      t.equal(stderr, '')
    }
  })

  await t.test('completion offers nothing if the service does not answer', async (t) => {
    const silent = createServer(() => {})
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const { port } = silent.address() as AddressInfo
    const silentUrl = `http://127.0.0.1:${port}`
    const places: readonly Variables[] = [
      { ...viewer, COOPSHARE_OPERATOR_TOKEN: 'wrong' },
      { ...viewer, COOPSHARE_OPERATOR_URL: silentUrl },
      { ...viewer, COOPSHARE_OPERATOR_URL: 'no address' },
      { COOPSHARE_DATA_DIR: join(directory, 'none') },
    ]
    for (const place of places) {
      const ran = await runCoopshare(['completion', 'zsh', '--', 'organization', 'show', ''], place)
      t.match(ran, { code: 0, stdout: /^$/, stderr: /^$/ }, JSON.stringify(place))
    }
    silent.close()
  })
  await serving.close()
})

t.test('zsh and fish offer the same words, with descriptions', async (t) => {
  const zsh = await runCoopshare(['completion', 'zsh'])
  t.match(zsh.stdout, "'approve:Approve submitted share purchases.'")
  t.match(zsh.stdout, /'purchase list --status'\) choices=\('draft:' 'submitted:'/)
  t.match(zsh.stdout, "'investors\\:read:'", 'a colon within a word')
  t.match(zsh.stdout, 'unalias coopshare', 'zsh would complete the words of the alias')
  const fish = await runCoopshare(['completion', 'fish'])
  t.match(
    fish.stdout,
    "complete -c coopshare -n '__coopshare_at purchase' -f -a approve -d 'Approve submitted share purchases.'",
  )
  t.match(fish.stdout, /'__coopshare_at purchase list' -l status -x -a 'draft submitted/)
  t.match(fish.stdout, "string join -- ' '", 'fish does not pass a typed flag to `string`')
})
