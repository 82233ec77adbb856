import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Processes, ProcessIdentity } from '../ports/machine.ts'

let processes: Processes = {
  own: () => ({
    pid: process.pid,
    host: hostname(),
    bootId: readText('/proc/sys/kernel/random/boot_id')?.trim() ?? null,
    pidNamespace: ownPidNamespace(),
    startedAt: readProcess(process.pid)?.startedAt ?? null,
  }),
  isAlive: isAliveOnMachine,
}

/** A simulation calls this before it starts a service. */
export function useProcesses(other: Processes): void {
  processes = other
}

export const ownIdentity = (): ProcessIdentity => processes.own()

/** Whether a process with this id runs here. */
export const isAlive = (pid: number): boolean => processes.isAlive(pid)

/** `contained`: in another container of this machine; `elsewhere`: on another machine. Neither can be seen from here. */
export type ProcessState = 'running' | 'gone' | 'contained' | 'elsewhere'

export function stateOf(holder: ProcessIdentity): ProcessState {
  const own = ownIdentity()
  const isSameStart = holder.bootId === own.bootId
  if (holder.host !== own.host && (!isSameStart || own.bootId === null)) return 'elsewhere'
  if (!isSameStart) return 'gone'
  if (holder.pidNamespace !== own.pidNamespace) return 'contained'
  return isRunning(holder) ? 'running' : 'gone'
}

/**
 * The namespace of the machine itself has a fixed number (PROC_PID_INIT_INO). Without namespaces, nothing is contained.
 */
export function isContained(): boolean {
  const own = ownIdentity().pidNamespace
  return own !== null && own !== 'pid:[4026531836]'
}

function ownPidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
}

function isRunning(holder: ProcessIdentity): boolean {
  if (!isAlive(holder.pid)) return false
  const found = readProcess(holder.pid)
  return !found || (!found.isDead && found.startedAt === holder.startedAt)
}

// proc(5): the second field, the name of the command, may contain blanks and brackets.
function readProcess(pid: number): { isDead: boolean; startedAt: string } | undefined {
  const text = readText(`/proc/${pid}/stat`)
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, startedAt] = [fields?.[0], fields?.[19]]
  if (state === undefined || startedAt === undefined) return undefined
  return { isDead: state === 'Z' || state === 'X', startedAt }
}

/** The number of files and sockets that this process may have open; undefined if that is unknown or unlimited. */
export function descriptorLimit(): number | undefined {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readText('/proc/self/limits') ?? '') ?? []
  return soft === undefined ? undefined : Number(soft)
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function isAliveOnMachine(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Only this code means that there is no process. A process of another user is alive, although
    // we may not signal it.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
