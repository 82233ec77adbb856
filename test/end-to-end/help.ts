import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runCoopshare } from '../../fixtures/program/serve.ts'
import { readCommandHelps } from '../../scripts/reference/pages.ts'

interface Flag {
  readonly name: string
  readonly env?: string
  readonly helpGroup?: string
}

interface Command {
  readonly id: string
  readonly flags: Readonly<Record<string, Flag>>
}

const manifest = readFileSync(join(import.meta.dirname, '..', '..', 'oclif.manifest.json'), 'utf8')
const commands = Object.values<Command>(JSON.parse(manifest).commands)
const isForConnection = ({ helpGroup }: Flag) => helpGroup === 'CONNECTION'

const columns = 80

async function helpOf(...words: string[]): Promise<string> {
  const narrow = { OCLIF_COLUMNS: String(columns), NO_COLOR: '1' }
  const { code, stdout, stderr } = await runCoopshare([...words, '--help'], narrow)
  if (code !== 0) throw new Error(`${words.join(' ')} --help: exit code ${code}: ${stderr}`)
  return stdout.trimEnd()
}

t.test(
  'the help of a command begins with examples, and only names the connection flags',
  async (t) => {
    t.ok(commands.length > 50)
    // The help is rendered in this process, because starting the program for each command takes ten
    // times as long.
    const helps = await readCommandHelps()
    for (const { id, flags } of commands) {
      const help = (helps.get(id) ?? '').trimEnd()
      const [examples, usage] = [help.indexOf('\nEXAMPLES\n'), help.indexOf('\nUSAGE\n')]
      t.ok(0 < examples && examples < usage, `${id}: an example comes first`)
      const folded = Object.values(flags).filter(isForConnection)
      for (const { name } of folded) t.notMatch(help, ` --${name}=`, id)
      t.equal(help.includes('See `coopshare help connection`.'), folded.length > 0, id)
    }
    for (const id of ['serve', 'purchase:approve']) {
      t.equal(
        await helpOf(...id.split(':')),
        helps.get(id)?.trimEnd(),
        `the program prints the same: ${id}`,
      )
    }
  },
)

t.test('help connection explains every connection flag and its variable', async (t) => {
  const { code, stdout } = await runCoopshare(['help', 'connection'])
  t.equal(code, 0)
  const flags = commands.flatMap((command) => Object.values(command.flags)).filter(isForConnection)
  const names = new Set(flags.map(({ name }) => name))
  t.ok(names.size >= 10)
  for (const { name, env = '' } of flags) {
    t.equal(stdout.split(`  --${name}=`).length, 2, name)
    t.match(stdout.replaceAll(/\s+/g, ' '), env)
  }
})

t.test('the overview begins with the first steps', async (t) => {
  const help = await helpOf()
  const places = [
    '$ coopshare serve --demo\n',
    '$ coopshare purchase approve --all-submitted\n',
    '$ coopshare listen --organization "Demo Bank"',
    '\nTOPICS\n',
    '\nCOMMANDS\n',
  ].map((text) => help.indexOf(text))
  t.notOk(places.includes(-1))
  t.strictSame(
    places,
    places.toSorted((left, right) => left - right),
  )
})
