import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { runCoopshare, serve } from '../../fixtures/program/serve.ts'
import { bundleProgram } from '../../scripts/build/bundle.ts'
import { readCommit } from '../../scripts/build/commit.ts'

t.test('the version, the first line of the log and a metric name the commit', async (t) => {
  const { stdout } = await runCoopshare(['--version'])
  const line = /^coopshare\/(\S+) \S+ node-v\S+ commit ([0-9a-f]{12}(?:\+dirty)?|unknown)\n$/
  const [, version = '', commit = ''] = line.exec(stdout) ?? []
  t.ok(commit, stdout)
  const dataDirectory = t.testdir()
  const served = await serve(t, ['--data-dir', dataDirectory])
  const info = await (await connectOperator(dataDirectory)).metric('coopshare_build_info')
  t.strictSame([...info], [[`{version="${version}",commit="${commit}"}`, 1]])
  const { stderr } = await served.stop()
  const [first = ''] = stderr.split('\n').filter((each) => each.startsWith('{'))
  t.match(JSON.parse(first), { msg: 'starting', version, commit })
})

t.test('builds of two commits differ, and builds of one commit are identical', async (t) => {
  const directory = t.testdir()
  const make = async (name: string, commit: string) => {
    const file = join(directory, name)
    await bundleProgram(file, { commit })
    return { file, told: execFileSync(process.execPath, [file, '--version'], { encoding: 'utf8' }) }
  }
  const first = await make('first.cjs', '1111111aaaaa')
  const again = await make('again.cjs', '1111111aaaaa')
  const second = await make('second.cjs', '2222222bbbbb')
  t.ok(first.told.endsWith(' commit 1111111aaaaa\n'), first.told)
  t.ok(second.told.endsWith(' commit 2222222bbbbb\n'), second.told)
  const [one = '', other = ''] = [first, again].map(({ file }) => readFileSync(file, 'latin1'))
  t.equal(one.replaceAll('first.cjs', ''), other.replaceAll('again.cjs', ''))
})

/** Creates a repository with one commit. @returns a function that runs git in it */
function createRepository(t: Test) {
  const folder = t.testdir({ 'a-file': 'a' })
  const git = (...argv: readonly string[]) => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
    return execFileSync('git', [...who, ...argv], { cwd: folder, encoding: 'utf8' })
  }
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'first')
  return { folder, git }
}

t.test('a build names the commit of its own sources', (t) => {
  const { folder, git } = createRepository(t)
  const commit = git('rev-parse', 'HEAD').slice(0, 12)
  t.equal(readCommit(folder, undefined), commit)
  writeFileSync(join(folder, 'a-file'), 'b')
  t.equal(readCommit(folder, undefined), `${commit}+dirty`, 'a change is not committed')
  git('checkout', '--quiet', '.')
  writeFileSync(join(folder, 'another'), '')
  t.equal(readCommit(folder, undefined), `${commit}+dirty`, 'a file is not in git')
  const unpacked = join(folder, 'unpacked')
  mkdirSync(unpacked)
  t.equal(readCommit(unpacked, undefined), 'unknown', 'the sources are inside another repository')
  t.end()
})

t.test('without git, a variable names the commit', (t) => {
  const nowhere = '/'
  t.equal(readCommit(nowhere, undefined), 'unknown')
  t.equal(readCommit(nowhere, ''), 'unknown')
  t.equal(readCommit(nowhere, `${'0123456789'.repeat(4)}`), '012345678901')
  t.equal(readCommit(nowhere, 'abcdef1+dirty'), 'abcdef1+dirty')
  t.throws(() => readCommit(nowhere, 'v1.2.3'), /must be the hash of a commit/)
  t.end()
})
