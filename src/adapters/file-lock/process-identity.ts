import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Enough to tell a process from a later one with the same number. What the system does not tell is null. */
export interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  /** Changes with every start of the machine. */
  readonly bootId: string | null
  /** In clock ticks since that start. */
  readonly startedAt: string | null
}

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    bootId: readText('/proc/sys/kernel/random/boot_id')?.trim() ?? null,
    startedAt: readProcess(process.pid)?.startedAt ?? null,
  }
}

/** A process of another machine or container cannot be seen from here, so it counts as running. */
export function isRunning(holder: ProcessIdentity): boolean {
  const own = ownIdentity()
  if (holder.host !== own.host) return true
  if (holder.bootId !== own.bootId || !isSignalable(holder.pid)) return false
  const found = readProcess(holder.pid)
  return !found || (!found.isDead && found.startedAt === holder.startedAt)
}

function isSignalable(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

// proc(5): the second field, the command's name, may itself hold blanks and brackets.
function readProcess(pid: number): { isDead: boolean; startedAt: string } | undefined {
  const text = readText(`/proc/${pid}/stat`)
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, startedAt] = [fields?.[0], fields?.[19]]
  if (state === undefined || startedAt === undefined) return undefined
  return { isDead: state === 'Z' || state === 'X', startedAt }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
