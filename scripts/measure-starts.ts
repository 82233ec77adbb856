import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const rounds = 9

type Command = readonly string[]

/** The median, with the fastest and the slowest, of how long something took; in milliseconds. */
export interface Starts {
  readonly version: string
  readonly ready: string
}

/** How long programs take to start; side by side, so that what else the machine does slows all of them. */
export async function measureStarts(commands: readonly Command[]): Promise<Starts[]> {
  const times = commands.map(() => ({ version: [] as number[], ready: [] as number[] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, command] of commands.entries()) {
      times[index]?.version.push(startMs(command))
      times[index]?.ready.push(await readyMs(command))
    }
  }
  return times.map(({ version, ready }) => ({ version: render(version), ready: render(ready) }))
}

function startMs([program = '', ...argv]: Command): number {
  const startedMs = performance.now()
  spawnSync(program, [...argv, '--version'])
  return performance.now() - startedMs
}

/** Until `serve`, on an empty directory, says that it answers. */
async function readyMs([program = '', ...argv]: Command): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'coopshare-start-'))
  const serve = ['serve', '--json', '--port', '0', '--data-dir', directory]
  const startedMs = performance.now()
  const child = spawn(program, [...argv, ...serve], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), ended])
  const tookMs = performance.now() - startedMs
  child.kill()
  await ended
  rmSync(directory, { recursive: true })
  return tookMs
}

function render(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right).map(Math.round)
  return `${sorted[Math.floor(sorted.length / 2)]} ms (${sorted[0]}–${sorted.at(-1)})`
}
