import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { peakResidentBytesOf } from '../process-tree.ts'

const program = join(import.meta.dirname, '..', '..', 'bin', 'run.js')
const sampleMs = 20

export interface Run {
  readonly firstLineMs: number
  readonly endMs: number
  readonly lines: number
  /** The peak memory of the command. */
  readonly megabytes: number
}

/** Runs a command and closes its output after this number of lines, as `head` does. */
export async function runCommand(
  data: string,
  command: readonly string[],
  most = Number.POSITIVE_INFINITY,
): Promise<Run> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program, ...command, '--data-dir', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const found = { firstLineMs: Number.NaN, lines: 0, megabytes: 0 }
  const sample = setInterval(() => {
    // The memory of a process cannot be read after it has ended.
    const bytes = child.exitCode === null ? peakResidentBytesOf(child.pid ?? 0) : 0
    if (bytes > 0) found.megabytes = bytes / 1e6
  }, sampleMs)
  for await (const chunk of child.stdout) {
    const breaks = (chunk as Buffer).filter((byte) => byte === 0x0a).length
    if (found.lines === 0 && breaks > 0) found.firstLineMs = performance.now() - startedAt
    found.lines += breaks
    if (found.lines >= most) break
  }
  const [code] = await ended
  clearInterval(sample)
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}.`)
  return { ...found, endMs: performance.now() - startedAt }
}
