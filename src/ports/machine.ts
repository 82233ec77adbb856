// The parts of the machine that the service uses. src/machine/ offers the real ones; a simulation brings its own.
import type { KeyObject } from 'node:crypto'
import type { JWK, JWTPayload, JWTVerifyOptions, JWTVerifyResult } from 'jose'
import type { SigningKey } from '../domain/oauth/signing-key.ts'

/** Clocks and timers. The clock of the records is another port, `Clock`, which the bench can move. */
export interface Time {
  /** Milliseconds since 1970, according to the clock of the machine. */
  nowMs(): number
  /** Milliseconds that never go backwards. */
  stopwatchMs(): number
  setTimeout(work: () => void, ms: number): Timer
  clearTimeout(timer: Timer | undefined): void
  setInterval(work: () => void, ms: number): Timer
  clearInterval(timer: Timer | undefined): void
  /** Resolves in another turn of the event loop. */
  nextTurn(): Promise<void>
  /** Rejects when the signal aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<void>
}

export interface Timer {
  /** From now on, the process may end before this timer is due. */
  unref(): Timer
}

export interface Randomness {
  /** Fills the bytes with a secret that nobody can guess, and returns them. */
  fill<Bytes extends Uint8Array>(bytes: Bytes): Bytes
  /** A number from 0 up to, but not including, 1. Not for secrets. */
  fraction(): number
  /** Another thread finds the primes, which takes tens of milliseconds. */
  generateRsaKey(): Promise<KeyObject>
}

type PublicJwk = SigningKey['publicJwk']

/** Access tokens are JWTs that are signed with RS256 (RFC 7515, RFC 7518 3.3). */
export interface Signing {
  /** RFC 7638. */
  thumbprint(publicJwk: PublicJwk): Promise<string>
  /** Asks for the private key only the first time. */
  sign(
    claims: JWTPayload,
    key: { readonly kid: string; readonly privateJwk: () => JWK },
  ): Promise<string>
  /**
   * Rejects with an error of jose if the token is not valid.
   * @param find returns the key that the header names, or throws an error of jose
   */
  verify(
    token: string,
    find: (kid: string | undefined) => Pick<SigningKey, 'kid' | 'publicJwk'>,
    options: Pick<JWTVerifyOptions, 'issuer' | 'audience' | 'requiredClaims' | 'currentDate'>,
  ): Promise<JWTVerifyResult>
}

/** Distinguishes a process from a later one with the same id. Values that the system does not provide are null. */
export interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  /** Changes with every start of the machine. */
  readonly bootId: string | null
  /** Process ids are comparable only within a namespace. Each container has its own. */
  readonly pidNamespace: string | null
  /** When the process started, in clock ticks since the start of the machine. */
  readonly startedAt: string | null
}

export interface Processes {
  own(): ProcessIdentity
  /** Whether a process with this id runs here. */
  isAlive(pid: number): boolean
}

/**
 * A file that only grows. The store uses no other functions of a disk, and tests replace the file with one that
 * fails.
 */
export interface DiskFile {
  append(bytes: Uint8Array): Promise<void>
  /** Resolves when everything appended so far survives a power loss. */
  sync(): Promise<void>
  truncate(length: number): Promise<void>
  stat(): Promise<FileState>
  close(): Promise<void>
}

/** `create` refuses an existing file, and `extend` a missing one. */
export type OpenDiskFile = (path: string, intent: 'create' | 'extend') => Promise<DiskFile>

/** A file or a directory that is open for reading. */
export interface OpenFile {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>
  /** @param end the last byte; undefined for the whole file */
  chunks(highWaterMark: number, end?: number): AsyncIterable<Uint8Array>
  sync(): Promise<void>
  stat(): Promise<FileState>
  close(): Promise<void>
}

export interface FileState {
  readonly size: number
  /** The file system, and the number of the file in it. A number may be used again after its file is gone. */
  readonly dev: number
  readonly ino: number
  readonly mode: number
  readonly uid: number
  isDirectory(): boolean
}

/** The file system. Functions without a comment do what the functions of Node with the same name do. */
export interface Files {
  readonly openDisk: OpenDiskFile
  open(path: string): Promise<OpenFile>
  readFile(path: string): Promise<Buffer>
  /** Refuses an existing file. Does not sync what it writes. */
  writeNew(path: string, text: string, mode: number): Promise<void>
  readdir(path: string): Promise<string[]>
  stat(path: string): Promise<FileState>
  lstat(path: string): Promise<FileState>
  mkdir(path: string, options: { readonly mode: number | undefined }): Promise<void>
  mkdtemp(prefix: string): Promise<string>
  rename(from: string, to: string): Promise<void>
  link(existing: string, path: string): Promise<void>
  rm(
    path: string,
    options?: { readonly force?: boolean; readonly recursive?: boolean },
  ): Promise<void>
  rmdir(path: string): Promise<void>
  /** Writes the bytes of a file from this position on again and syncs them. */
  rewrite(path: string, from: number): Promise<void>
  chmod(path: string, mode: number): Promise<void>
}
