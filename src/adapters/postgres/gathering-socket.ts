import { type NetConnectOpts, Socket } from 'node:net'

interface Where {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

/** Makes the sockets of a client, each to the next of its hosts. The driver takes none that is not connected. */
export function gatheringSockets(connectMs: number): (where: Where) => Promise<Socket> {
  let next = 0
  return ({ host, port, path }) => {
    const index = next++ % host.length
    // The driver names the server to TLS by them.
    const named = { host: host[index] ?? '', port: port[index] ?? 0 }
    return connected(Object.assign(new Socket(), named), path ? { path } : named, connectMs)
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
      resolve(gather(socket))
    })
  })
}

function timedOut(): Error {
  return Object.assign(new Error('The database takes no connection.'), { code: 'CONNECT_TIMEOUT' })
}

/** What is written in one turn of the event loop goes out together: each way to the system costs as much as a statement. */
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
