import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { commandWords, serve } from '../fixtures/served.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'deploy', 'README.md'), 'utf8')

/** What the sources say in one place, each once. */
function findInSources(pattern: RegExp): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  const found = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name))
  return [...new Set(found)].sort()
}

/** The first cell of each row of a table below a heading. */
function rowsBelow(heading: string): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/^\| `(.+?)` \|/gm)].map(([, name = '']) => name).sort()
}

t.test('the page about running it has each metric and each line of the log', async (t) => {
  const metrics = findInSources(/\bname: '(coopshare_\w+)'/g)
  t.ok(metrics.length > 5, 'there are metrics')
  t.strictSame(rowsBelow('Metrics'), metrics)
  const messages = findInSources(/\blogger\s*\.(?:info|warn|error)\([^;]*?'([^']+)',?\s*\)/g)
  t.ok(messages.length > 5, 'there are lines of the log')
  t.strictSame(rowsBelow('The log'), messages)
})

t.test('the unit lets the service ask what networks there are', (t) => {
  const unit = readFileSync(join(root, 'deploy', 'coopshare.service'), 'utf8')
  const [, families = ''] = /^RestrictAddressFamilies=(.+)$/m.exec(unit) ?? []
  t.strictSame(findInSources(/\b(networkInterfaces)\(/g), ['networkInterfaces'])
  // Node asks by netlink. When it may not, a receiver whose name server is silent counts as a fault of ours, and never uses up its attempts.
  t.strictSame(families.split(' ').sort(), ['AF_INET', 'AF_INET6', 'AF_NETLINK', 'AF_UNIX'])
  t.end()
})

/** Runs a program with the variables of a file, as the page has commands run. */
const withVariablesOf = (file: string) => ['sh', '-c', 'set -a; . "$0"; exec "$@"', file]

t.test('the service starts with the settings that the page gives as an example', async (t) => {
  const [, environment = ''] = /\n\n((?: {4}COOPSHARE_.+\n)+)/.exec(page) ?? []
  const lines = environment.trim().split(/\n */)
  for (const line of lines) t.match(line, /^[A-Z_]+='[^']*'$/, 'a shell and systemd read the same')
  const file = join(t.testdir({ environment: lines.join('\n') }), 'environment')
  const here = ['--data-dir', join(t.testdirName, 'data')]
  const served = await serve(t, here, {}, [...withVariablesOf(file), ...commandWords])
  t.equal(served.base_url, 'https://partners.example', 'and has taken them')
  t.match(await served.stop(), { code: 0 })
})
