import { Socket } from 'node:net'

interface Where {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

/** Makes the sockets of a client, each to the next of its hosts. The driver waits until it is connected, or is not. */
export function gatheringSockets(): (where: Where) => Socket {
  let next = 0
  return ({ host, port, path }) => {
    const socket = gather(new Socket())
    if (path) return socket.connect(path)
    const index = next++ % host.length
    return socket.connect(port[index] ?? 0, host[index] ?? '')
  }
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
