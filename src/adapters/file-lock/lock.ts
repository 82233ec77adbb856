import { randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Problem, type ProblemCode } from '../../domain/problem.ts'
import { makeDirectory } from '../make-directory.ts'
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts'

export interface Lock {
  release(): Promise<void>
}

type Holder = ProcessIdentity & { readonly token: string }

// Without /proc, this tells a lock that this process holds from one that a former process of its number held.
const heldTokens = new Set<string>()

export interface LockToAcquire {
  /** Of the file that says who holds it. */
  readonly path: string
  /** What others are told is in use. */
  readonly subject: string
  /** What their refusal is called. */
  readonly code: ProblemCode
  /** What to do about it. */
  readonly advice?: string
}

/** One process owns the subject. What a dead process left is taken over. */
export async function acquireLock(lock: LockToAcquire): Promise<Lock> {
  const holder: Holder = { ...ownIdentity(), token: randomUUID() }
  await makeDirectory(dirname(lock.path), { mode: 0o700 })
  await acquire(lock, holder)
  return { release: () => release(lock.path, holder) }
}

async function acquire(lock: LockToAcquire, holder: Holder): Promise<void> {
  heldTokens.add(holder.token)
  while (!(await isCreated(lock.path, holder))) {
    const other = await readHolder(lock.path)
    if (other && isHeld(other)) throw heldBy(other, lock)
    if (other) await removeStale(lock, other, holder)
  }
}

async function release(path: string, holder: Holder): Promise<void> {
  if ((await readHolder(path))?.token === holder.token) await rm(path)
  heldTokens.delete(holder.token)
}

// link(2) creates the name with all of its content, or not at all.
async function isCreated(path: string, holder: Holder): Promise<boolean> {
  const draft = `${path}.${holder.token}.tmp`
  await writeFile(draft, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft)
  }
}

/**
 * Two processes may find the same dead holder. The right to remove its lock is itself a lock, named after that holder,
 * so neither removes what the other has just acquired.
 */
async function removeStale(lock: LockToAcquire, stale: Holder, holder: Holder): Promise<void> {
  const { path } = lock
  const right = `${path}.${stale.token}`
  await acquire({ ...lock, path: right }, holder)
  try {
    if ((await readHolder(path))?.token === stale.token) await rm(path)
  } finally {
    await rm(right)
  }
}

function isHeld(other: Holder): boolean {
  return heldTokens.has(other.token) || (isRunning(other) && !isFormerSelf(other))
}

function isFormerSelf({ pid, startedAt }: Holder): boolean {
  return startedAt === null && pid === process.pid
}

/** undefined when there is none. One that a power loss has emptied is nobody's: its process is gone with it. */
async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing)
  if (text === undefined) return undefined
  return parseHolder(text) ?? { ...ownIdentity(), bootId: 'unreadable', token: 'unreadable' }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text)
    return typeof holder?.pid === 'number' && typeof holder.token === 'string' ? holder : undefined
  } catch {
    return undefined
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function heldBy({ pid, host }: Holder, lock: LockToAcquire): Problem {
  const {
    path,
    subject,
    code,
    advice: usual = 'Stop that process first, or let it do this.',
  } = lock
  const where = host === ownIdentity().host ? '' : ` on ${host}`
  const advice = where ? `If that process is gone, remove ${path}.` : usual
  return new Problem(code, `${subject} is in use by process ${pid}${where}. ${advice}`)
}
