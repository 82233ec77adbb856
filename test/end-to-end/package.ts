import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { programCommand } from '../../fixtures/program/serve.ts'
import { addNodeLicences } from '../../scripts/build/licences.ts'
import { findPinnedNode } from '../../scripts/build/pinned-node.ts'
import { findLegalFaults } from '../../scripts/release/licences.ts'
import { packProgram } from '../../scripts/release/npm-package.ts'
import { findProgramFaults, findVersionFaults } from '../../scripts/release/versions.ts'

const root = join(import.meta.dirname, '..', '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

t.test('the npm package contains only the program and runs without other packages', async (t) => {
  const directory = t.testdir({ elsewhere: { 'package.json': '{"private": true}' } })
  const elsewhere = join(directory, 'elsewhere')
  const run = (program: string, ...argv: readonly string[]) =>
    execFileSync(program, argv, {
      cwd: elsewhere,
      env: { PATH: process.env['PATH'], HOME: directory },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const tarball = packProgram(root, directory)
  const paths = run('tar', '-tzf', tarball).trim().split('\n').sort()
  t.strictSame(
    paths.filter((path) => !path.startsWith('package/fixtures/img/')),
    [
      'package/LICENSE',
      'package/README.md',
      'package/bin/run-bundle.js',
      'package/bin/run.js',
      'package/dist/client.cjs',
      'package/dist/client.d.cts',
      'package/dist/client.d.ts',
      'package/dist/client.js',
      'package/dist/coopshare.cjs',
      'package/dist/coopshare.cjs.LEGAL.txt',
      'package/dist/testing.cjs',
      'package/dist/testing.d.cts',
      'package/dist/testing.d.ts',
      'package/dist/testing.js',
      'package/fixtures/demo.yaml',
      'package/package.json',
    ],
  )
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', tarball)
  const packages = readdirSync(join(elsewhere, 'node_modules'))
  t.strictSame(
    packages.filter((name) => !name.startsWith('.')),
    ['coopshare'],
  )
  run(join(elsewhere, 'node_modules', '.bin', 'coopshare'), 'contract', 'export', 'contract')
  t.ok(readdirSync(join(elsewhere, 'contract')).includes('openapi.yaml'))
  const script = `
    import { startCoopshare } from 'coopshare/testing'
    const coop = await startCoopshare({ now: '2026-11-20T10:00:00Z' })
    console.log(await coop.clock.now())
    await coop.close()`
  const told = run(process.execPath, '--input-type=module', '--eval', script)
  t.equal(told, '2026-11-20T10:00:00.000Z\n')
  const installed = join(elsewhere, 'node_modules', 'coopshare')
  const { dependencies, scripts } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  )
  t.strictSame({ dependencies, scripts }, { dependencies: undefined, scripts: undefined })
  const readme = readFileSync(join(installed, 'README.md'), 'utf8')
  t.notMatch(readme, /\]\((?!https?:|#)/, 'a registry shows no other file of the package')
})

t.test('npm pack fails and names the command that makes the package', async (t) => {
  const directory = t.testdir()
  const argv = ['pack', '--pack-destination', directory]
  const { status, stderr } = spawnSync('npm', argv, { cwd: root, encoding: 'utf8' })
  t.equal(status, 1)
  t.match(stderr, 'npm run release:check')
  t.strictSame(readdirSync(directory), [])
})

t.test('the check of a release compares its version and its contract', async (t) => {
  const told = execFileSync(programCommand[0] ?? '', [...programCommand.slice(1), '--version'], {
    encoding: 'utf8',
  })
  const [, commit = ''] = / commit (\S+)\n$/.exec(told) ?? []
  const expected = { version, commit }
  t.strictSame(findProgramFaults(programCommand, expected), [])
  const another = findProgramFaults(['/bin/true'], expected)
  t.match(
    another,
    exactArrays([
      /^\/bin\/true --version prints ".*", but package.json has version .+\. Run `npm run build/,
    ]),
  )
  t.match(
    findProgramFaults(programCommand, { ...expected, node: '1.2.3' }),
    exactArrays([/package\.json pins Node 1\.2\.3\. Build with that version\.$/]),
  )
  t.match(
    findProgramFaults(programCommand, { ...expected, commit: '111111111111' }),
    exactArrays([/the sources are at commit 111111111111\. Run `npm run build/]),
  )
  const hollow = [
    'sh',
    '-c',
    `[ "$0" != --version ] || echo 'coopshare/${version} commit ${commit}'`,
  ]
  t.match(
    findProgramFaults(hollow, expected),
    exactArrays([/have different files 1\.6\.0\.yaml/, /json/, /postman/]),
  )
})

t.test('the licences of all packages in the program are in a file beside it', async (t) => {
  const bundle = ['coopshare.cjs', 'client.js', 'testing.js']
    .map((name) => readFileSync(join(root, 'dist', name), 'utf8'))
    .join('\n')
  const legal = readFileSync(join(root, 'dist', 'coopshare.cjs.LEGAL.txt'), 'utf8')
  t.strictSame(findLegalFaults(bundle, legal), [])
  for (const name of ['ofetch', 'openapi-fetch', 'lit-html', 'fast-uri', 'openapi-explorer']) {
    const lacking = legal.replace(new RegExp(`^${name}( |$)`, 'm'), 'another')
    t.match(
      findLegalFaults(bundle, lacking),
      exactArrays([new RegExp(`^The licence of ${name}.* is missing in LEGAL.txt`)]),
    )
  }
  t.match(legal, '<pooya@pi0.io>')
  t.strictSame(findLegalFaults('', legal), [
    'The bundle does not name the files from which it was made.',
  ])
})

t.test('the licences beside the executable include those of Node and of its parts', (t) => {
  const legal = readFileSync(join(root, 'dist', 'coopshare.cjs.LEGAL.txt'), 'utf8')
  const node = findPinnedNode()
  const ofExecutable = addNodeLicences(legal, node)
  t.ok(ofExecutable.startsWith(legal))
  const [, ofNode = ''] = ofExecutable.split(`\nNode ${node.version}\n`)
  for (const part of ['Node.js is licensed for use as follows', 'V8', 'OpenSSL', 'libuv', 'ICU']) {
    t.match(ofNode, part)
  }
  t.end()
})

t.test('a file without the version of the release is reported with a remedy', async (t) => {
  const good = {
    version: '1.2.3',
    lock: '1.2.3',
    manifest: '1.2.3',
    changelog: '# Changelog\n\n## 1.2.3, 2026-11-21\n\n## 1.2.2, 2026-10-01\n',
    tag: 'v1.2.3',
    commit: '1a2b3c4d5e6f',
  }
  t.strictSame(findVersionFaults(good), [])
  const unreleased = '## 1.2.3, unreleased\n'
  t.strictSame(findVersionFaults({ ...good, changelog: unreleased, tag: undefined }), [])
  const rows = [
    [{ lock: '1.2.2' }, 'Run `npm install --package-lock-only`.'],
    [{ manifest: '1.2.2' }, 'Run `npm run check:manifest`.'],
    [{ changelog: '## 1.2.2, 2026-10-01\n' }, 'Begin a part "## 1.2.3, unreleased".'],
    [{ changelog: unreleased }, '"## 1.2.3, yyyy-mm-dd".'],
    [{ tag: 'v1.2.2' }, 'Use the tag v1.2.3, or run `npm version`.'],
    [{ commit: '1a2b3c4d5e6f+dirty' }, 'without uncommitted changes.'],
    [{ commit: 'unknown' }, 'without uncommitted changes.'],
  ] as const
  for (const [change, advice] of rows) {
    const faults = findVersionFaults({ ...good, ...change })
    t.equal(faults.length, 1, faults.join('\n'))
    t.ok(faults[0]?.endsWith(advice), advice)
  }
})
