// The time until a command has ended, in the two forms in which users have the program.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { type Bench, WrongAnswers } from '../bench.ts'
import { productionVariables } from '../servers/child-process.ts'
import { ownProgram, startService } from '../servers/service.ts'
import { organization } from '../servers/set-up.ts'

/** Each round is short. */
const timesRounds = 3
const root = join(dirname(ownProgram), '..')
// Reading further certificates would take longer than the rest of `node -e 0`.
const env = { ...productionVariables, NODE_EXTRA_CA_CERTS: undefined }

export async function measure(bench: Bench): Promise<void> {
  const { directory } = await startService(bench, { setUp: {} })
  execFileSync('npm', ['run', '-s', 'binary'], { cwd: root, stdio: 'ignore' })
  const programs = {
    'node bin/run.js': [process.execPath, ownProgram],
    'the executable': [join(root, 'dist', 'coopshare')],
    ...(bench.beside !== undefined && { 'the other checkout': [process.execPath, bench.beside] }),
  }
  const commands = [
    { words: ['--version'], says: /coopshare\/\d/ },
    { words: ['organization', 'list', '--data-dir', directory], says: new RegExp(organization) },
  ]
  const starts = [
    { name: 'node -e 0', command: [process.execPath, '-e', '0'], says: /^$/ },
    ...Object.entries(programs).flatMap(([program, start]) =>
      commands.map(({ words, says }) => {
        const name = `${program}, ${words.slice(0, 2).join(' ')}`
        return { name, command: [...start, ...words], says }
      }),
    ),
  ].map((start) => ({ ...start, ms: [] as number[] }))
  for (let round = 0; round < timesRounds * bench.rounds; round++) {
    for (const { command, says, ms } of starts) ms.push(await timeOf(command, says))
  }
  const [least] = starts
  for (const { name, ms } of starts) {
    bench.show(name, ms, 'ms')
    if (name !== least?.name) {
      const times = ms.map((value, round) => value / (least?.ms[round] ?? Number.NaN))
      bench.show(`${name}, in comparison with ${least?.name}`, times, 'times')
    }
  }
}

async function timeOf(command: readonly string[], says: RegExp): Promise<number> {
  const [program = '', ...argv] = command
  const startedAt = performance.now()
  const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'inherit'], env })
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'close')
  const ms = performance.now() - startedAt
  if (code === 0 && says.test(said.trim())) return ms
  throw new WrongAnswers(`${command.join(' ')}: ${code} ${said}`)
}
