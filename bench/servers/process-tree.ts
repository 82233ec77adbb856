import { readdirSync, readFileSync } from 'node:fs'

interface Process {
  readonly pid: number
  readonly parent: number
  /** The CPU time of the process and of its ended children. */
  readonly cpuMicroseconds: number
}

// USER_HZ, which is the same on all Linux systems for user programs.
const tickMicroseconds = 10_000

/** Returns the CPU time that these processes and all their children have used so far. */
export function cpuMicrosecondsOf(roots: readonly number[]): number {
  return treeOf(roots)
    .map(({ cpuMicroseconds }) => cpuMicroseconds)
    .reduce((left, right) => left + right, 0)
}

export function residentBytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}

function treeOf(roots: readonly number[]): readonly Process[] {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? read(name) : []))
  const tree = processes.filter(({ pid }) => roots.includes(pid))
  for (const { pid } of tree) tree.push(...processes.filter(({ parent }) => parent === pid))
  return tree
}

function read(pid: string): Process[] {
  try {
    return [parse(Number(pid), readFileSync(`/proc/${pid}/stat`, 'utf8'))]
  } catch {
    // The process has ended since it was listed.
    return []
  }
}

/** See proc_pid_stat(5). The second field, the name, is in brackets and may contain any text. */
function parse(pid: number, stat: string): Process {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).map(Number)
  const cpuMicroseconds = ticks.reduce((left, right) => left + right, 0) * tickMicroseconds
  return { pid, parent: Number(fields[1]), cpuMicroseconds }
}
