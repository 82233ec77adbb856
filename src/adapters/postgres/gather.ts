import type { Socket } from 'node:net'

/** What is written in one turn of the event loop goes out together: each way to the system costs as much as a statement. */
export function gather(socket: Socket): Socket {
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
