import { once } from 'node:events'
import { chmod, type FileHandle, open, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/**
 * A socket beside a lock, on which the holder listens while it lives. Any container on the machine can see whether the
 * holder listens, even if it is paused. Process ids cannot be compared between containers.
 */
export interface LivenessSocket {
  end(): Promise<void>
}

export async function openLivenessSocket(
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

/** Whether the holder listens; true if that cannot be found out. */
export async function isListening(directory: string, name: string): Promise<boolean> {
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

/** The path of a socket has at most 107 characters. */
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
  await rm(path, { force: true })
}
