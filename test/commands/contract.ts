import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ContractExport from '../../commands/contract/export.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import { createWorld } from '../../fixtures/world/world.ts'

const paths = [
  'openapi.yaml',
  'openapi.json',
  'openapi.postman_collection.json',
  'openapi/1.6.0.yaml',
  'openapi/1.6.0.json',
  'openapi/1.6.0.postman_collection.json',
  'openapi/manifest.json',
  'signature-vectors.json',
]

t.test(
  'contract export writes the files that the service publishes, under the same paths',
  async (t) => {
    const directory = join(t.testdir(), 'public')
    const { json, exitCode } = await runCommand(ContractExport, directory, '--json')
    t.equal(exitCode, 0)
    t.strictSame(json, { files: paths.map((path) => join(directory, path)) })
    const { request } = await createWorld()
    for (const form of ['yaml', 'json', 'postman_collection.json']) {
      const [latest, pinned] = [`openapi.${form}`, `openapi/1.6.0.${form}`].map((path) =>
        readFileSync(join(directory, path), 'utf8'),
      )
      t.equal(latest, pinned, `${form}: no service publishes it, so it names none`)
    }
    for (const path of paths.filter((each) => !each.startsWith('openapi.'))) {
      const { text } = await request('GET', `/${path}`)
      t.equal(readFileSync(join(directory, path), 'utf8'), text, path)
    }
  },
)

t.test('contract export writes all files or none', async (t) => {
  for (const [made, fault] of [
    [
      { openapi: 'a file' },
      /Part of the path .+openapi is a file, not a directory\. Check the path\./,
    ],
    [{ openapi: { 'manifest.json': {} } }, /manifest\.json is a directory\. Give a file\./],
  ] as const) {
    const directory = t.testdir(made)
    const { stderr, exitCode } = await runCommand(ContractExport, directory)
    t.equal(exitCode, 4)
    t.match(stderr, fault)
    t.notOk(existsSync(join(directory, 'openapi.yaml')))
  }
})

t.test(
  'contract export names a directory that it cannot create',
  { skip: !existsSync('/proc') },
  async (t) => {
    const { stderr, exitCode } = await runCommand(ContractExport, '/proc/nope/public')
    t.equal(exitCode, 4)
    t.match(stderr, 'Cannot create the directory /proc/nope. Give another directory.')
  },
)

t.test('contract export prints the number of files, and replaces them the next time', async (t) => {
  const directory = t.testdir({ 'openapi.yaml': 'old' })
  for (const _ of ['first', 'second']) {
    const { stdout } = await runCommand(ContractExport, directory)
    t.equal(stdout, `Wrote 8 files to ${directory}.`)
  }
  t.match(readFileSync(join(directory, 'openapi.yaml'), 'utf8'), /^openapi: 3\.1\.0$/m)
})

t.test('contract export fails at a path that cannot be a directory', async (t) => {
  const directory = join(t.testdir({ file: '' }), 'file')
  const { stderr, exitCode } = await runCommand(ContractExport, directory)
  t.equal(exitCode, 4)
  t.match(stderr, directory)
  t.notOk(existsSync(join(directory, 'openapi.yaml')))
})
