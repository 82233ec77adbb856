import { type NetConnectOpts, Socket } from 'node:net'

interface Where {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

/** Makes the sockets of a client, each to the next of its hosts. The driver takes none that is not connected. */
export function gatheringSockets(): (where: Where) => Promise<Socket> {
  let next = 0
  return ({ host, port, path }) => {
    const index = next++ % host.length
    // The driver names the server to TLS by them.
    const named = { host: host[index] ?? '', port: port[index] ?? 0 }
    return connected(Object.assign(new Socket(), named), path ? { path } : named)
  }
}

function connected(socket: Socket, where: NetConnectOpts): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.connect(where, () => {
      socket.off('error', reject)
      resolve(gather(socket))
    })
  })
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
