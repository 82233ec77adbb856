import { join } from 'node:path'
import { Config } from '@oclif/core'
import t from 'tap'
import { listCommands } from '../../fixtures/program/commands.ts'
import { otherWords, topicsOfWords, verbsOfWords } from '../../src/cli/other-words.ts'
import { unknownCommand } from '../../src/cli/suggestions.ts'

const config = Config.load(join(import.meta.dirname, '..', '..'))

const answerTo = async (line: string) => unknownCommand(await config, line.split(' ')).message

t.test('other words for things and commands lead to the command', async (t) => {
  const rows: [line: string, command: string][] = [
    ['order list --status submitted', 'purchase list --status submitted'],
    ['orders list --limit 5 --json', 'purchase list --limit 5 --json'],
    ['order:list --json', 'purchase list --json'],
    ['Order LIST', 'purchase list'],
    ['list orders --status settled', 'purchase list --status settled'],
    ['partner list', 'organization list'],
    ['partners ls', 'organization list'],
    ['create partner Example', 'organization create Example'],
    ['customer get c-1001', 'investor show c-1001'],
    ['coop list', 'cooperative list'],
    ['hook add https://hooks.example/a', 'webhook register https://hooks.example/a'],
    ['purchase ls', 'purchase list'],
    ['approve 7c9e6679 --yes', 'purchase approve 7c9e6679 --yes'],
    ['deny 7c9e6679', 'purchase reject 7c9e6679'],
    ['settle --all-approved', 'purchase settle --all-approved'],
    ["order show it's", `purchase show 'it'\\''s'`],
    ['order list --database-url postgres://me:secret@db/coopshare', 'purchase list …'],
    ['order aprove 7c9e6679', 'purchase approve'],
  ]
  for (const [line, command] of rows) {
    t.match(await answerTo(line), `Did you mean "coopshare ${command}"?`, line)
  }
})

t.test('words that are no command are answered', async (t) => {
  const rows: [line: string, answer: RegExp][] = [
    ['start', /`coopshare serve`/],
    ['stop', /Ctrl-C.*`systemctl stop coopshare`/],
    ['restart', /Ctrl-C.*`coopshare serve`/],
    ['login', /COOPSHARE_OPERATOR_TOKEN.*`coopshare operator create`/],
    ['ui', /console/],
    ['admin', /console/],
    ['order', /called "purchase":\n.* {2}coopshare purchase list {5}List share purchases/s],
    ['list', /\n {2}coopshare audit list .*\n {2}coopshare webhook list /s],
    ['users', /\n {2}coopshare operator list .*\n {2}coopshare investor list /s],
    ['rotate', /\n {2}coopshare client rotate-secret .*\n {2}coopshare operator rotate-token /s],
  ]
  for (const [line, answer] of rows) t.match(await answerTo(line), answer, line)
})

t.test('every other word names commands that exist, and none is a command itself', async (t) => {
  const { topics } = await config
  const ids = listCommands()
  const named = otherWords.flatMap(({ commands = [], advice = '' }) => [
    ...commands,
    ...[...advice.matchAll(/`coopshare ([a-z -]+?)(?: --[^`]*)?`/g)].map(([, name = '']) => name),
  ])
  for (const name of named) t.ok(ids.includes(name.replace(' ', ':')), name)
  const topicNames = topics.map(({ name }) => name)
  for (const topic of topicsOfWords.values()) t.ok(topicNames.includes(topic), topic)
  const verbs = new Set(ids.map((id) => id.split(':').at(-1)))
  for (const verb of [...verbsOfWords.values()].flat()) t.ok(verbs.has(verb), verb)

  const words = [...topicsOfWords.keys(), ...otherWords.flatMap((other) => other.words)]
  t.equal(new Set(words).size, words.length, 'each word is there once')
  for (const word of words) t.notOk(ids.includes(word) || topicNames.includes(word), word)
})
