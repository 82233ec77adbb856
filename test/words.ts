import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findIdioms, readIdioms } from '../scripts/check/words.ts'
import { installLockedPackages, lockedFolder } from '../scripts/packages/locked-packages.ts'

const root = join(import.meta.dirname, '..')
const idioms = readIdioms(readFileSync(join(root, 'docs', 'style.md'), 'utf8'))

const find = (file: string, text: string) =>
  findIdioms(file, text, idioms).map(({ line, words }) => `${line}: ${words}`)

t.test('a phrase that docs/style.md lists is found in a document', async (t) => {
  const text = [
    'Whoever has the key can read everything. It is no longer secret,',
    'and investors get e-mails; and what is',
    'no key is refused in vain. The mail server sends mails.',
    'Partner organisations are told anew.',
    'Run `whoever` or see [the page](whoever.md).',
    '```text',
    'so many',
    '```',
  ]
  t.strictSame(find('page.md', text.join('\n')), [
    '1: Whoever',
    '2: what is no',
    '3: in vain',
    '3: mails',
    '4: organisations',
    '4: told',
    '4: anew',
  ])
})

t.test('a phrase is found in comments, messages and test titles, but not in names', async (t) => {
  const text = [
    '// Nobody was told,',
    `const told = \`at most so many \${anew} in vain\``,
    'const mails = list("mails") /* what is',
    ' * no mail server is passed over */',
    "t.test('a retried order is sent anew', () => { // so",
    '  // many times',
    '})',
  ]
  t.strictSame(find('test/file.ts', text.join('\n')), [
    '1: told',
    '2: so many',
    '2: in vain',
    '3: what is no',
    '4: passed over',
    '5: anew',
    '5: so many',
  ])
})

t.test('each row of the table matches its own phrases', async (t) => {
  t.ok(idioms.length > 20, 'rows were found')
  for (const { better } of idioms) t.ok(better.length > 0, better)
  t.strictSame(find('page.md', 'Summarised: who is not here sends a mail by turns.'), [
    '1: Summarised',
    '1: who is not',
    '1: a mail',
    '1: by turns',
  ])
})

t.test('the word check names the place of a phrase and the replacement, and fails', async (t) => {
  const folder = t.testdir({
    docs: { 'style.md': readFileSync(join(root, 'docs', 'style.md'), 'utf8') },
    'README.md': 'Ask whoever you like.\n',
  })
  spawnSync('git', ['init', '--quiet'], { cwd: folder })
  const tsx = import.meta.resolve('tsx')
  const script = join(root, 'scripts', 'main.ts')
  const argv = ['--import', tsx, script, 'check:words']
  const { status, stderr } = spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8' })
  t.equal(stderr, 'README.md:1: "whoever". Write: anyone who, or name the person.\n')
  t.equal(status, 1)
})

t.test('the spelling check finds a misspelt word in documents, code and messages', async (t) => {
  const folder = t.testdir({
    'README.md': 'The adress of the endpoint.\n',
    'order.ts': "// An adress.\nconst adress = `No adress.`\nexport const text = 'No adress.'\n",
  })
  const config = ['--config', join(root, 'cspell.config.yaml'), '--root', folder]
  const files = ['README.md', 'order.ts'].map((name) => join(folder, name))
  const cspell = join(installLockedPackages(lockedFolder('spelling')), 'cspell', 'bin.mjs')
  const { status, stdout } = spawnSync(
    process.execPath,
    [cspell, 'lint', ...config, '--no-progress', ...files],
    { cwd: folder, encoding: 'utf8' },
  )
  const places = [...stdout.matchAll(/(\w+\.\w+:\d+):\d+ .*adress/g)].map(([, place]) => place)
  t.strictSame(places.sort(), ['README.md:1', 'order.ts:1', 'order.ts:2', 'order.ts:3'])
  t.equal(status, 1)
})
