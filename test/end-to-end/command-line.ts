import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runCoopshare } from '../../fixtures/served.ts'

const root = join(import.meta.dirname, '..', '..')

/** The files that a run of the program has executed; node writes them down itself. */
async function loadedFiles(directory: string, argv: string[]): Promise<string[]> {
  const { code } = await runCoopshare(argv, { NODE_V8_COVERAGE: directory })
  if (code !== 0) throw new Error(`coopshare ${argv.join(' ')} ended with ${code}`)
  return readdirSync(directory).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(directory, name), 'utf8'))
    return result.map(({ url }: { url: string }) => url)
  })
}

/** In bytes; the server and its libraries are some megabytes. */
function sizeOfOwn(files: readonly string[]): number {
  const own = files.filter((file) => file.startsWith('file:') && file.includes('/dist/chunk-'))
  return own.reduce((sum, file) => sum + statSync(new URL(file)).size, 0)
}

const small = 200_000

t.test('--version and --help do not load the server', async (t) => {
  const rows = [['--version'], ['--help'], ['serve', '--help'], ['purchase', 'approve', '--help']]
  for (const argv of rows) {
    const files = await loadedFiles(t.testdir(), argv)
    t.ok(
      files.some((file) => file.includes('node_modules/@oclif/core/')),
      argv.join(' '),
    )
    t.ok(sizeOfOwn(files) < small, `${argv.join(' ')}: ${sizeOfOwn(files)} bytes`)
  }
})

t.test('what is looked for in the files that are loaded is found when it is there', async (t) => {
  const directory = t.testdir({ data: {}, coverage: {} })
  const list = ['organization', 'list', '--data-dir', join(directory, 'data')]
  const files = await loadedFiles(join(directory, 'coverage'), list)
  t.ok(sizeOfOwn(files) > 2 * small)
})

t.test('a mistyped command gets a suggestion', async (t) => {
  const rows: [argv: string[], suggestion: string][] = [
    [['purchase', 'aprove', '7c9e6679-7425-40de-944b-e07fc1f90ae7'], 'coopshare purchase approve'],
    [['organisation', 'list'], 'coopshare organization list'],
    [['organization', 'crate', 'Demo Bank'], 'coopshare organization create'],
    [['sevre'], 'coopshare serve'],
  ]
  for (const [argv, suggestion] of rows) {
    const { code, stderr, stdout } = await runCoopshare(argv)
    t.equal(code, 2, argv.join(' '))
    t.match(stderr, `Did you mean "${suggestion}"?`)
    t.equal(stdout, '')
  }
  const nothingLike = await runCoopshare(['abracadabra'])
  t.equal(nothingLike.code, 2)
  t.match(nothingLike.stderr, 'coopshare --help')
})

t.test('wrong usage, and a mistyped command, are JSON under --json', async (t) => {
  const rows = [
    ['purchase', 'aprove', '--json'],
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

t.test('an error is told whole, in lines that are not broken', async (t) => {
  const longName = 'n'.repeat(300)
  const here = ['--data-dir', t.testdir()]
  const { code, stderr, stdout } = await runCoopshare(['organization', 'show', longName, ...here])
  t.equal(code, 4)
  t.equal(stdout, '')
  t.match(stderr, /^Error: Not valid: organization\.\n {2}organization must have at most 200/)
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

t.test('shell completion knows the commands', async (t) => {
  const cache = t.testdir()
  const { code, stdout } = await runCoopshare(['autocomplete', 'bash'], { XDG_CACHE_HOME: cache })
  t.equal(code, 0)
  t.match(stdout, 'autocomplete')
  const functions = readFileSync(
    join(cache, 'coopshare', 'autocomplete', 'functions', 'bash', 'coopshare.bash'),
    'utf8',
  )
  t.match(functions, 'purchase:approve --json --data-dir')
})
