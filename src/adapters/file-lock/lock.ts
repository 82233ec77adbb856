import { once } from 'node:events'
import { chmod, type FileHandle, open } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import type { ProblemCode } from '../../domain/problem-code.ts'
import {
  makeDirectory,
  privateDirectory,
  unlessGone,
  unlessMissing,
} from '../../machine/durable-files.ts'
import { link, lstat, mkdtemp, readdir, readText, rm, writeNewFile } from '../../machine/files.ts'
import { isContained, ownIdentity, stateOf } from '../../machine/processes.ts'
import { randomUUID } from '../../machine/random.ts'
import type { ProcessIdentity } from '../../ports/machine.ts'

export interface Lock {
  /** Whether the file of the lock is still there and names this holder; true if that cannot be found out. */
  isHeld(): Promise<boolean>
  /** Removes the file, unless it is another one by now. */
  release(): Promise<void>
  /** Leaves the file where it is, because its directory has become that of others. */
  abandon(): Promise<void>
}

interface Holder extends ProcessIdentity {
  readonly token: string
  /** The name of the socket beside the lock; null if there is none. */
  readonly socketName: string | null
}

// Without /proc, these tokens distinguish our locks from those of an earlier process with the same id.
const heldTokens = new Set<string>()

export interface LockToAcquire {
  /** The path of the lock file, which names the holder. */
  readonly path: string
  /** The name of the locked resource in the refusal. */
  readonly subject: string
  /** The problem code of the refusal. */
  readonly code: ProblemCode
  /** Advice to the operator. */
  readonly advice?: string | undefined
}

/** Acquires the lock for this process and takes over a lock that a dead process left behind. */
export async function acquireLock(lock: LockToAcquire): Promise<Lock> {
  const token = randomUUID()
  const directory = dirname(lock.path)
  await makeDirectory(directory, privateDirectory)
  const socketName = `lock.${token}.socket`
  // The socket must exist before other processes can see the lock.
  const socket = isContained() ? await openLivenessSocket(directory, socketName) : undefined
  const holder: Holder = { ...ownIdentity(), token, socketName: socket ? socketName : null }
  try {
    await acquire(lock, holder)
  } catch (error) {
    await socket?.end()
    throw error
  }
  const abandon = async () => {
    heldTokens.delete(token)
    await socket?.end()
  }
  return {
    isHeld: () => isNamedAt(lock.path, holder).catch(() => true),
    async release() {
      if (await isNamedAt(lock.path, holder)) await rm(lock.path)
      await abandon()
    },
    abandon,
  }
}

/** Refuses if another process holds the lock. Writes nothing. */
export async function requireFree(lock: LockToAcquire): Promise<void> {
  const other = await readHolder(lock.path)
  if (other && (await isHeld(other, lock.path))) throw heldBy(other, lock)
}

async function acquire(lock: LockToAcquire, holder: Holder): Promise<void> {
  heldTokens.add(holder.token)
  while (!(await isCreated(lock.path, holder))) {
    const other = await readHolder(lock.path)
    if (other && (await isHeld(other, lock.path))) throw heldBy(other, lock)
    if (other) await removeStale(lock, other, holder)
  }
}

async function isNamedAt(path: string, { token }: Holder): Promise<boolean> {
  return (await unlessGone(readHolder(path)))?.token === token
}

// link(2) creates the name with its whole content or fails.
async function isCreated(path: string, holder: Holder): Promise<boolean> {
  const draft = `${path}.${holder.token}.tmp`
  try {
    await writeNewFile(draft, `${JSON.stringify(holder)}\n`, 0o600)
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // An error of a write does not name the file.
    throw Object.assign(error as Error, { path })
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Two processes may find the same dead holder. Only the one that acquires a second lock, named after that holder, may
 * remove the first one. So neither removes a lock that the other has just acquired.
 */
async function removeStale(lock: LockToAcquire, stale: Holder, holder: Holder): Promise<void> {
  const { path } = lock
  const right = `${path}.${stale.token}`
  await acquire({ ...lock, path: right }, holder)
  try {
    if ((await readHolder(path))?.token === stale.token) await rm(path)
    if (stale.socketName) await rm(join(dirname(path), stale.socketName), { force: true })
  } finally {
    await rm(right)
  }
}

async function isHeld(other: Holder, path: string): Promise<boolean> {
  if (other.pid === ownIdentity().pid && heldTokens.has(other.token)) return true
  const state = stateOf(other)
  if (state === 'contained' && other.socketName) return isListening(dirname(path), other.socketName)
  return state !== 'gone' && !(other.startedAt === null && other.pid === ownIdentity().pid)
}

const unreadable = { bootId: 'unreadable', token: 'unreadable', socketName: null }

/** Returns undefined if there is no lock. If a power loss has emptied the file, its process is gone. */
async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await unlessMissing(readText(path))
  if (text === undefined) return undefined
  return parseHolder(text) ?? { ...ownIdentity(), ...unreadable }
}

/** Accepts only the names of our sockets, never another path. */
const ownSocketName = /^lock\.[\w-]+\.socket$/

function parseHolder(text: string): Holder | undefined {
  try {
    const { socketName, ...holder } = JSON.parse(text)
    if (typeof holder.pid !== 'number' || typeof holder.token !== 'string') return undefined
    return { ...holder, socketName: ownSocketName.test(socketName) ? socketName : null }
  } catch {
    return undefined
  }
}

function heldBy(holder: Holder, lock: LockToAcquire): Problem {
  const { path, subject, code, advice = 'Stop that process, or wait until it has ended.' } = lock
  const where = placeOf(holder)
  const unseen = `If that process is gone, remove ${path}.`
  const fault = `${subject} is in use by process ${holder.pid}${where}.`
  return new Problem(code, `${fault} ${where ? unseen : advice}`)
}

/** Returns an empty text if the process is visible from here. */
function placeOf(holder: Holder): string {
  const state = stateOf(holder)
  if (state === 'contained') return ` of another container (${holder.host})`
  return state === 'elsewhere' ? ` on ${holder.host}` : ''
}

/**
 * A socket beside a lock, on which the holder listens while it lives. Any container on the machine can see whether the
 * holder listens, even if the holder is paused. Process ids cannot be compared between containers.
 */
export interface LivenessSocket {
  end(): Promise<void>
}

async function openLivenessSocket(
  directory: string,
  name: string,
): Promise<LivenessSocket | undefined> {
  const folder = await open(directory, 'r')
  try {
    const server = await listen(pathIn(folder, name))
    await chmod(pathIn(folder, name), 0o600)
    return { end: () => end(server, folder, join(directory, name)) }
  } catch {
    // Some file systems do not support sockets. Other containers then cannot detect that this process has ended.
    await folder.close()
    return undefined
  }
}

/** Whether the holder listens; true if that is unknown. */
async function isListening(directory: string, name: string): Promise<boolean> {
  const folder = await open(directory, 'r')
  const socket = connect(pathIn(folder, name))
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED'
  } finally {
    socket.destroy()
    await folder.close()
  }
}

/** The path of a socket may have at most 107 characters, so this returns a short path. */
function pathIn(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`
}

async function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen(path)
  await once(server, 'listening')
  // A client that disconnects early has its answer: it could connect.
  server.on('error', () => {})
  return server.unref()
}

async function end(server: Server, folder: FileHandle, path: string): Promise<void> {
  server.close()
  await once(server, 'close')
  await folder.close()
  await unlessGone(rm(path))
}

/** A temporary directory with a lock, so that others can see whether its process still runs. */
export interface WorkDirectory {
  readonly path: string
  /** A call after a successful one does nothing. */
  remove(): Promise<void>
}

const workPrefixes = { backup: '.coopshare-backup-', verify: 'coopshare-verify-' }
const workName = /^(\.coopshare-backup|coopshare-verify)-\w{6}$/
/** No directory of a store has a file with this name. */
const workLockName = 'work.lock'

/** Also removes the directories that killed processes have left beside the new one. */
export async function makeWorkDirectory(
  above: string,
  purpose: keyof typeof workPrefixes,
): Promise<WorkDirectory> {
  await removeLeftWork(above)
  const path = await mkdtemp(join(above, workPrefixes[purpose]))
  const removeFiles = () => rm(path, { recursive: true, force: true })
  try {
    const lock = await acquireLock({
      path: join(path, workLockName),
      subject: path,
      code: 'STORE_LOCKED',
    })
    let isRemoved = false
    const remove = async () => {
      if (isRemoved) return
      await removeFiles()
      isRemoved = true
      await lock.release()
    }
    return { path, remove }
  } catch (error) {
    await removeFiles()
    throw error
  }
}

/** Removes the work directories of this user whose processes were killed. */
export async function removeLeftWork(above: string): Promise<void> {
  const names = await readdir(above).catch(() => [])
  for (const name of names.filter((name) => workName.test(name))) {
    // Its process may have just removed it.
    await removeIfLeft(join(above, name)).catch(() => undefined)
  }
}

/**
 * In a directory for temporary files, other users can create such names, too. They could point a link at another
 * directory during the removal, but they cannot replace a directory of this user.
 */
async function removeIfLeft(path: string): Promise<void> {
  const { uid, mode } = await lstat(path)
  if (uid !== process.geteuid?.() || (mode & 0o077) !== 0) return
  const lock = join(path, workLockName)
  const holder = await readHolder(lock)
  // Without a lock, the directory has just been made, and is empty.
  if (holder && !(await isHeld(holder, lock))) await rm(path, { recursive: true, force: true })
}
