import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, relative, resolve } from 'node:path'
import type { Command } from '@oclif/core'
import t from 'tap'
import CooperativeImport from '../../commands/cooperative/import.ts'
import FixturesApply from '../../commands/fixtures/apply.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationList from '../../commands/organization/list.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreRestore from '../../commands/store/restore.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import { programCommand, runCoopshare, spawnCoopshare } from '../../fixtures/program/serve.ts'
import { temporaryDirectory } from '../../fixtures/stores/engines.ts'

const nextSteps = /(Give|Check) /

/**
 * Limits the size of files and removes NODE_OPTIONS. tap would load code that ends a process whose
 * file is too large.
 */
function withFilesOf(blocks: number): readonly string[] {
  return ['sh', '-c', `unset NODE_OPTIONS; ulimit -f ${blocks}; exec "$@"`, 'sh', ...programCommand]
}

t.test('an unusable file has exit code 4, and the error names file and remedy', async (t) => {
  const directory = t.testdir({ data: {}, taken: 'mine', folder: {} })
  const at = (name: string) => join(directory, name)
  const here = ['--data-dir', at('data')]
  await runCommand(OrganizationCreate, 'Demo Bank', ...here)
  const rows: [command: typeof Command, name: string, code: string, words: RegExp][] = [
    [StoreBackup, 'taken', 'EEXIST', /taken already exists/],
    [StoreBackup, 'nowhere/backup', 'ENOENT', /The directory .*nowhere does not exist\./],
    [StoreBackup, 'taken/backup', 'ENOTDIR', /Part of the path .* is a file, not a directory/],
    [CooperativeImport, 'none.json', 'FILE_NOT_FOUND', /The file .*none\.json does not exist/],
    [CooperativeImport, 'folder', 'EISDIR', /folder is a directory/],
    [FixturesApply, 'none.yaml', 'FILE_NOT_FOUND', /The file .*none\.yaml does not exist/],
    [FixturesApply, 'folder', 'EISDIR', /folder is a directory/],
  ]
  for (const [command, name, code, words] of rows) {
    const title = `${command.name} ${name}`
    const exit = code === 'FILE_NOT_FOUND' ? 2 : 4
    const told = await runCommand(command, at(name), ...here)
    t.equal(told.exitCode, exit, title)
    t.match(told.stderr, words, title)
    t.match(told.stderr, nextSteps, title)
    t.notMatch(told.stderr, /E[A-Z]{4,}|syscall/, `${title}: the error does not quote the system`)
    const { exitCode, json } = await runCommand(command, at(name), ...here, '--json')
    t.equal(exitCode, exit, title)
    t.match(json.error, { code, message: words }, title)
  }
  const restore = ['store', 'restore', at('none.backup'), '--data-dir', at('new'), '--json']
  const missing = await runCoopshare(restore)
  t.equal(missing.code, 2)
  const words = /The file .*none\.backup does not exist\. Check the path/
  t.match(JSON.parse(missing.stdout).error, { code: 'FILE_NOT_FOUND', message: words })
  const own = relative('.', join(at('data'), 'none.json'))
  const within = await runCommand(CooperativeImport, own, ...here)
  t.equal(
    within.exitCode,
    2,
    'a file in the data directory that a command names is not part of the store',
  )
  const restored = await runCommand(StoreRestore, at('folder'), '--data-dir', at('new'))
  t.equal(restored.exitCode, 4)
  t.match(restored.stderr, /is a directory\. Give a file/)
  const database = ['--database-url', 'postgres://nobody@127.0.0.1:1/none']
  const authority = [...database, '--database-ca-file', at('none.pem')]
  const unread = await runCoopshare(['organization', 'list', ...authority, ...here, '--json'])
  t.equal(unread.code, 2)
  const ofAuthority = /The file .*none\.pem does not exist\. Check the path/
  t.match(JSON.parse(unread.stdout).error, { code: 'FILE_NOT_FOUND', message: ofAuthority })
})

t.test('an unusable data directory has exit code 5', async (t) => {
  const directory = t.testdir({ file: 'mine' })
  for (const place of ['file', 'file/below']) {
    const dataDirectory = join(directory, place)
    for (const command of [OrganizationList, StoreCheck]) {
      const told = await runCommand(command, '--data-dir', dataDirectory)
      t.equal(told.exitCode, 5, place)
      t.match(told.stderr, `Cannot use the data directory ${dataDirectory}.`)
      t.match(told.stderr, /( is a file, not a directory| already exists)\..*--data-dir/)
    }
  }
  const argv = ['serve', '--port', '0', '--data-dir', join(directory, 'file')]
  const served = await runCoopshare(argv)
  t.equal(served.code, 5)
  t.match(served.stderr, /( is a file, not a directory| already exists)\..*--data-dir/)
})

t.test('the file name - means standard input', async (t) => {
  const dataDirectory = t.testdir()
  const importing = await spawnCoopshare([
    'cooperative',
    'import',
    '-',
    '--data-dir',
    dataDirectory,
  ])
  const piped = { key: 'piped', name: 'Piped eG', share_price: '250.00', energy_category: 'solar' }
  importing.process.stdin.end(`${JSON.stringify(piped)}\n`)
  const imported = await importing.ended
  t.equal(imported.code, 0, imported.stderr)
  t.match(imported.stdout, /^piped /m)
  const applying = await spawnCoopshare(['fixtures', 'apply', '-', '--data-dir', dataDirectory])
  applying.process.stdin.end('organizations:\n  - nam: Demo Bank\n')
  const refused = await applying.ended
  t.equal(refused.code, 4)
  t.match(refused.stderr, '-:2: organizations[0].nam: unknown key')
})

t.test('a YAML file is one document and may have merge keys', async (t) => {
  const sun = '- &sun { key: sun, name: Sonne eG, energy_category: solar, share_price: "100.00" }\n'
  const directory = t.testdir({
    'two.yaml': `${sun}---\n${sun}`,
    'merged.yaml': `${sun}- { <<: *sun, key: sum }\n`,
  })
  const importing = (name: string) =>
    runCoopshare([
      'cooperative',
      'import',
      join(directory, name),
      '--data-dir',
      join(directory, 'data'),
    ])
  const refused = await importing('two.yaml')
  t.equal(refused.code, 4)
  t.match(refused.stderr, 'two.yaml:2: a second document starts here: use only one\n')
  const imported = await importing('merged.yaml')
  t.equal(imported.code, 0, imported.stderr)
  t.match(imported.stdout, /^sun .*^sum /ms)
})

t.test('errors about a file show the place and the fault, but never its content', async (t) => {
  const secrets = /very-secret|DE89|lena|Xy8pq/
  const first = '{"organizations":[{"name":"x"}]}'
  const person =
    '{"client_secret":"very-secret-value","iban":"DE89370400440532013000","email":"lena@example.org"}'
  const unexpected = /:2: unexpected text here/
  const rows: readonly [title: string, text: string, words: RegExp][] = [
    ['an additional bracket', `${first}}\n${person}`, /:1: unexpected text here/],
    ['a line for each', `${first}\n${person}\n`, unexpected],
    ['two files in one', `${first.replace('{', '{\n')}${person}`, unexpected],
    [
      'an alias without an anchor',
      '\norganizations:\n  - name: *Xy8pq_verysecret',
      /:3: .*\* in quotes/,
    ],
    ['a tag', 'a: !<very-secret b', /:1: .*! in quotes/],
    ['a block', '\na: |very-secret\n  x', /:2: unexpected text here/],
    ['an escape', 'a: "\\qvery-secret"', /:1: invalid escape sequence/],
    [
      'a forgotten space',
      '{organizations: [{iban:DE89370400440532013000}]}',
      /:1: .*\.iban…: unknown key/,
    ],
    [
      'a key with confidential text',
      '\norganizations:\n  - lena@example.org: 1',
      /:3: organizations\[0\]\.…: unknown key/,
    ],
    ['a key that is an object', '? { iban: DE89 }\n: 1', /:1: …: unknown key/],
  ]
  const directory = t.testdir()
  const file = join(directory, 'b.json')
  for (const [title, text, words] of rows) {
    await writeFile(file, text)
    const argv = ['fixtures', 'apply', file, '--data-dir', join(directory, 'data')]
    const told = await runCoopshare(argv)
    t.equal(told.code, 4, title)
    t.match(told.stderr, words, title)
    t.match(told.stderr, /^Error: .*b\.json:\d+: /, title)
    t.notMatch(told.stderr, secrets, title)
  }
  const served = await runCoopshare([
    'serve',
    '--port',
    '0',
    '--fixtures',
    file,
    '--data-dir',
    join(directory, 'new'),
  ])
  t.equal(served.code, 4)
  t.match(served.stderr, /b\.json:1: …: unknown key/)
  t.notMatch(served.stderr, secrets)
})

t.test('a file that no command can read is named, with the line if it is known', async (t) => {
  const directory = t.testdir({ 'good.yaml': 'organizations: []' })
  const at = (name: string) => join(directory, name)
  const levels = (count: number, open: string, close: string) =>
    open.repeat(count) + close.repeat(count)
  const rows: readonly [name: string, content: string | Buffer, words: RegExp][] = [
    ['nuls.json', Buffer.alloc(100_000_000), /nuls\.json: is not UTF-8 text/],
    ['ones.json', Buffer.alloc(100_000_000, 1), /ones\.json:1: contains a text that is too long/],
    [
      'deep.json',
      `\n${levels(66, '[', ']')}`,
      /deep\.json:2: \[0\].*: is nested more than 64 levels deep/,
    ],
    [
      'deepest.json',
      `\n${'{"a":['.repeat(20_000)}`,
      /deepest\.json:2: is nested more than 64 levels/,
    ],
    [
      'block.yaml',
      `a:\n  ${'- '.repeat(20_000)}`,
      /block\.yaml:2: is nested more than 64 levels deep/,
    ],
    [
      'round.yaml',
      'a: 1\norganizations: &a\n  - [*a]',
      /round\.yaml:3: organizations\[0\].*: is nested more than 64 levels/,
    ],
    ['brackets.json', '}'.repeat(1_000_000), /brackets\.json:1: unexpected text here/],
  ]
  for (const [name, content, words] of rows) {
    await writeFile(at(name), content)
    const files = [at('good.yaml'), at(name)]
    const told = await runCoopshare(['fixtures', 'apply', ...files, '--data-dir', at('data')])
    t.equal(told.code, 4, name)
    t.match(told.stderr, words, name)
    t.ok(told.stderr.length < 1000, name)
    await rm(at(name))
  }
  const lines = `{"key":"a"}\n{"key":${levels(70, '[', ']')}}\n`
  await writeFile(at('deep.ndjson'), lines)
  const told = await runCoopshare([
    'cooperative',
    'import',
    at('deep.ndjson'),
    '--data-dir',
    at('data'),
  ])
  t.equal(told.code, 4)
  t.match(told.stderr, /deep\.ndjson:2: \[1\]\.key.*: is nested more than 64 levels deep/)
})

t.test('the first hundred errors of a file are reported together', async (t) => {
  const rows = Array.from({ length: 5000 }, (_, index) => [index])
  const directory = t.testdir({ 'rows.json': JSON.stringify(rows) })
  const file = join(directory, 'rows.json')
  const told = await runCoopshare(['cooperative', 'import', file, '--data-dir', directory])
  t.equal(told.code, 4)
  const [first, ...others] = told.stderr.trim().split('\n')
  t.equal(first, `Error: ${file}:1: [0]: must be an object`)
  t.equal(others.at(-1), '... and at least 80 more')
})

t.test('an error says why the data directory cannot be created', async (t) => {
  const directory = t.testdir({ loop: t.fixture('symlink', 'loop') })
  const rows: readonly [dataDirectory: string, words: RegExp][] = [
    // No user can create this directory.
    ['/sys/coopshare/data', /(no permission for|is read-only|Cannot create the directory)/],
    [join(directory, 'loop'), /The symbolic links at .*loop.* form a loop/],
    [join(directory, 'loop', 'data'), /The symbolic links at .*loop.* form a loop/],
    [join(directory, 'x'.repeat(300)), /The file name .*x.* is too long/],
  ]
  for (const [dataDirectory, words] of rows) {
    for (const command of [OrganizationList, OrganizationCreate]) {
      const name = command === OrganizationCreate ? ['Demo Bank'] : []
      const told = await runCommand(command, ...name, '--data-dir', dataDirectory)
      t.equal(told.exitCode, 5, dataDirectory)
      if (command === OrganizationList && dataDirectory.startsWith('/sys')) continue
      t.match(told.stderr, `Cannot use the data directory ${dataDirectory}. `)
      t.match(told.stderr, words, dataDirectory)
      t.match(told.stderr, 'Fix this, or give another directory with --data-dir.')
    }
  }
})

t.test('a file inside the data directory is reported as a file', async (t) => {
  const directory = t.testdir({})
  const data = join(directory, 'data')
  const here = ['--data-dir', data]
  await runCommand(OrganizationCreate, 'Demo Bank', ...here)
  await writeFile(join(data, 'b2'), 'mine')
  const rows: readonly [name: string, words: RegExp][] = [
    [join(data, 'b2'), /b2 already exists\. Give the name of a new file\./],
    [join(data, 'nowhere', 'b2'), /The directory .*nowhere does not exist\. Check the path\./],
    [data, /data already exists\. Give the name of a new file\./],
  ]
  for (const [name, words] of rows) {
    const told = await runCommand(StoreBackup, name, ...here)
    t.equal(told.exitCode, 4, name)
    t.match(told.stderr, words, name)
    t.notMatch(told.stderr, /data directory/, name)
  }
  const read = await runCommand(CooperativeImport, data, ...here)
  t.equal(read.exitCode, 4)
  t.match(read.stderr, /data is a directory\. Give a file\./)
})

t.test('a path that is not a regular file is refused in plain words', async (t) => {
  const directory = t.testdir({ loop: t.fixture('symlink', 'loop') })
  const at = (name: string) => join(directory, name)
  const here = ['--data-dir', at('data')]
  await runCommand(OrganizationCreate, 'Demo Bank', ...here)
  // The socket has a short path, because its name must be short.
  const socket = join(dirname(temporaryDirectory(t)), 'socket')
  const server = createServer().listen(socket)
  t.teardown(() => server.close())
  await once(server, 'listening')
  const long = 'x'.repeat(300)
  const rows: readonly [command: typeof Command, name: string, words: RegExp][] = [
    [CooperativeImport, 'loop', /The symbolic links at .*loop form a loop\. Check the path\./],
    [FixturesApply, long, /The file name .*x is too long\. Give/],
    [StoreBackup, long, /The file name .*x is too long\. Give/],
    [CooperativeImport, socket, /socket is not a regular file\. Give a file\./],
  ]
  for (const [command, name, words] of rows) {
    const told = await runCommand(command, resolve(directory, name), ...here)
    t.equal(told.exitCode, 4, `${command.name} ${name}`)
    t.match(told.stderr, words)
    t.notMatch(told.stderr, /E[A-Z]{4,}|syscall/)
  }
  const small = withFilesOf(1)
  const argv = ['store', 'backup', at('backup'), ...here]
  const backup = await (await spawnCoopshare(argv, {}, small)).ended
  t.equal(backup.code, 4)
  t.match(backup.stderr, /backup would be larger than the file size limit\. Raise the limit/)
})

t.test('without a service, a command whose write fails says why', async (t) => {
  const cooperative = { name: 'Solar eG', share_price: '250.00', energy_category: 'solar' }
  const many = Array.from({ length: 1000 }, (_, index) => ({ ...cooperative, key: `k-${index}` }))
  const directory = t.testdir({ 'many.json': JSON.stringify(many) })
  const data = join(directory, 'data')
  const here = ['--data-dir', data]
  await runCommand(OrganizationCreate, 'Demo Bank', ...here)
  const small = withFilesOf(64)
  const argv = ['cooperative', 'import', join(directory, 'many.json'), ...here]
  const told = await (await spawnCoopshare(argv, {}, small)).ended
  t.equal(told.code, 5)
  t.match(told.stderr, `Cannot use the data directory ${data}. `)
  t.match(told.stderr, /data.* would be larger than the file size limit\. Fix this/)
  const { code, stdout } = await (await spawnCoopshare([...argv, '--json'], {}, small)).ended
  t.equal(code, 5)
  const message = /would be larger than the file size limit/
  t.match(JSON.parse(stdout).error, { code: 'SERVICE_UNAVAILABLE', message })
})
