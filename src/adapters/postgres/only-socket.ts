import { type NetConnectOpts, Socket } from 'node:net'

interface Where {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

interface SocketOptions {
  readonly connectMs: number
  /** What is written in one turn of the event loop goes out together: each way to the system costs as much as a statement. */
  readonly gathers: boolean
}

/**
 * Makes the one socket of a client; the driver takes none that is not connected. It would dial again, without a pause and
 * without an end, where something takes connections and drops them before the database has answered.
 */
export function onlySocket({
  connectMs,
  gathers,
}: SocketOptions): (where: Where) => Promise<Socket> {
  let isMade = false
  return async ({ host: [host = ''], port: [port = 0], path }) => {
    if (isMade) throw dropped()
    isMade = true
    // The driver names the server to TLS by them.
    const named = { host, port }
    const made = Object.assign(new Socket(), named)
    const socket = await connected(made, path ? { path } : named, connectMs)
    return gathers ? gather(socket) : socket
  }
}

/** The driver has no limit for that: nobody would want the connection any more, and nobody would close it. */
function connected(socket: Socket, where: NetConnectOpts, connectMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(timedOut()), connectMs)
    socket.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    socket.connect(where, () => {
      clearTimeout(timer)
      socket.removeAllListeners('error')
      resolve(socket)
    })
  })
}

function timedOut(): Error {
  return Object.assign(new Error('The database takes no connection.'), { code: 'CONNECT_TIMEOUT' })
}

function dropped(): Error {
  const message =
    'What listens there takes connections and drops them. It may be a proxy that does not reach the database.'
  return Object.assign(new Error(message), { code: 'CONNECTION_CLOSED' })
}

function gather(socket: Socket): Socket {
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean
  let isGathering = false
  const send = () => {
    isGathering = false
    socket.uncork()
  }
  const writeLater = (...written: unknown[]) => {
    if (!isGathering) {
      isGathering = true
      socket.cork()
      // The driver sends what is short by `setImmediate`, which it has called by then.
      process.nextTick(() => setImmediate(send))
    }
    return write(...written)
  }
  return Object.assign(socket, { write: writeLater })
}
