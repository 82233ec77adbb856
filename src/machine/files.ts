import fs from 'node:fs'
import promises from 'node:fs/promises'
import { promisify } from 'node:util'
import type { FileState, Files, OpenDiskFile, OpenFile } from '../ports/machine.ts'

const openDescriptor = promisify(fs.open)
const writeDescriptor = promisify(fs.write)
const syncDescriptor = promisify(fs.fdatasync)
const truncateDescriptor = promisify(fs.ftruncate)
const statDescriptor: (descriptor: number) => Promise<FileState> = promisify(fs.fstat)
const closeDescriptor = promisify(fs.close)

const privateFile = 0o600
const rewriteBytes = 1024 * 1024

const openOnMachine: OpenDiskFile = async (path, intent) => {
  const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = fs.constants
  const flags = O_WRONLY | O_APPEND | (intent === 'create' ? O_CREAT | O_EXCL : 0)
  const descriptor = await openDescriptor(path, flags, privateFile)
  // An error of a file descriptor does not name the file.
  const naming = (error: Error) => {
    throw Object.assign(error, { path })
  }
  return {
    append: (bytes) => appendAll(descriptor, bytes).catch(naming),
    sync: () => syncDescriptor(descriptor).catch(naming),
    truncate: (length) => truncateDescriptor(descriptor, length).catch(naming),
    stat: () => statDescriptor(descriptor).catch(naming),
    close: () => closeDescriptor(descriptor),
  }
}

// A write may store only a part of its bytes, mostly on a disk that is nearly full.
async function appendAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const result = await writeDescriptor(descriptor, bytes, written, bytes.length - written, null)
    written += result.bytesWritten
  }
}

let files: Files = {
  openDisk: openOnMachine,
  async open(path) {
    const handle = await promises.open(path, 'r')
    return {
      read: (buffer, offset, length, position) => handle.read(buffer, offset, length, position),
      chunks: (highWaterMark, end) =>
        handle.createReadStream({
          highWaterMark,
          autoClose: false,
          ...(end !== undefined && { end }),
        }),
      sync: () => handle.sync(),
      stat: () => handle.stat(),
      close: () => handle.close(),
    }
  },
  readFile: (path) => promises.readFile(path),
  writeNew: (path, text, mode) => promises.writeFile(path, text, { mode, flag: 'wx' }),
  readdir: (path) => promises.readdir(path),
  stat: (path) => promises.stat(path),
  lstat: (path) => promises.lstat(path),
  mkdir: async (path, options) => void (await promises.mkdir(path, options)),
  mkdtemp: (prefix) => promises.mkdtemp(prefix),
  rename: (from, to) => promises.rename(from, to),
  link: (existing, path) => promises.link(existing, path),
  rm: (path, options) => promises.rm(path, options),
  rmdir: (path) => promises.rmdir(path),
  async rewrite(path, from) {
    const handle = await promises.open(path, 'r+')
    try {
      const buffer = Buffer.alloc(rewriteBytes)
      for (let at = from; ; ) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
        if (bytesRead === 0) break
        at += (await handle.write(buffer, 0, bytesRead, at)).bytesWritten
      }
      await handle.datasync()
    } finally {
      await handle.close()
    }
  },
  chmod: (path, mode) => promises.chmod(path, mode),
}

/** A simulation calls this before it starts a service. */
export function useFiles(other: Files): void {
  files = other
}

export const openDiskFile: OpenDiskFile = (path, intent) => files.openDisk(path, intent)
export const open = (path: string): Promise<OpenFile> => files.open(path)
export const readFile = (path: string): Promise<Buffer> => files.readFile(path)
export const readText = async (path: string): Promise<string> =>
  (await files.readFile(path)).toString('utf8')
export const writeNewFile: Files['writeNew'] = (path, text, mode) =>
  files.writeNew(path, text, mode)
export const readdir = (path: string): Promise<string[]> => files.readdir(path)
export const stat = (path: string): Promise<FileState> => files.stat(path)
export const lstat = (path: string): Promise<FileState> => files.lstat(path)
export const mkdir: Files['mkdir'] = (path, options) => files.mkdir(path, options)
export const mkdtemp = (prefix: string): Promise<string> => files.mkdtemp(prefix)
export const rename: Files['rename'] = (from, to) => files.rename(from, to)
export const link: Files['link'] = (existing, path) => files.link(existing, path)
export const rm: Files['rm'] = (path, options) => files.rm(path, options)
export const rmdir = (path: string): Promise<void> => files.rmdir(path)
export const rewrite: Files['rewrite'] = (path, from) => files.rewrite(path, from)
export const chmod: Files['chmod'] = (path, mode) => files.chmod(path, mode)
