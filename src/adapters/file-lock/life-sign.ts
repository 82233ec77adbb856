import { once } from 'node:events'
import { chmod, type FileHandle, open, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/**
 * A socket beside a lock, on which its holder listens while it lives. In every container of this machine the system
 * knows whether somebody does, also when the holder is paused; numbers of processes mean nothing from one to another.
 */
export interface LifeSign {
  end(): Promise<void>
}

export async function giveLifeSign(directory: string, name: string): Promise<LifeSign | undefined> {
  const folder = await open(directory, 'r')
  try {
    const server = await listen(pathIn(folder, name))
    await chmod(pathIn(folder, name), 0o600)
    return { end: () => end(server, folder, join(directory, name)) }
  } catch {
    // Some file systems have no sockets: then other containers cannot find out that this process has ended.
    await folder.close()
    return undefined
  }
}

/** Whether its holder listens; true where that cannot be found out. */
export async function hasLifeSign(directory: string, name: string): Promise<boolean> {
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

/** The way to a socket has at most 107 characters. */
function pathIn(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`
}

async function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen(path)
  await once(server, 'listening')
  // The system has answered the one who asks.
  server.on('error', () => {})
  return server.unref()
}

async function end(server: Server, folder: FileHandle, path: string): Promise<void> {
  server.close()
  await once(server, 'close')
  await folder.close()
  await rm(path, { force: true })
}
