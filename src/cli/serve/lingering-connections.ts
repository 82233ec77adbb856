import type { Socket } from 'node:net'

/** Clients that send everything first send at least this much before they read a refusal. */
const mostBytes = 16 * 1024 * 1024
const longestMs = 30_000
/** Only clients that are still sending stay longer than a moment. If there are more, the oldest is cut off. */
const mostConnections = 100

/**
 * Closes connections as RFC 9112 9.6 says: after the last answer, the service ends its side and reads on until the
 * client ends its side, too. Closing a connection with unread data would reset it, and the client would lose the
 * answer.
 */
export class LingeringConnections {
  readonly #sockets = new Set<Socket>()

  /** Node calls `destroySoon` after the last answer of a connection. */
  watch(socket: Socket): void {
    const closeNow = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      if (socket.destroyed || socket.readableEnded) closeNow()
      else this.#linger(socket, closeNow)
    }
  }

  /** A service that stops waits for no client that has its answer. */
  endAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #linger(socket: Socket, closeNow: () => void): void {
    if (this.#sockets.has(socket)) return
    this.#sockets.add(socket)
    const [oldest] = this.#sockets
    if (this.#sockets.size > mostConnections) oldest?.destroy()
    const timer = setTimeout(() => socket.destroy(), longestMs)
    socket.once('close', () => {
      clearTimeout(timer)
      this.#sockets.delete(socket)
    })
    socket.once('end', () => socket.destroy())
    socket.end()
    const end = socket.bytesRead + mostBytes
    dropWhatComes(socket, () => {
      if (socket.bytesRead > end) socket.destroy()
    })
    // Node reads nothing from a client that does not read its earlier answers.
    setImmediate(() => {
      if (socket.isPaused()) closeNow()
    })
  }
}

/**
 * Everything is still read, but not parsed. Node reads a connection for its parser, so a connection that is paused must
 * go on before the parser is left out, or nothing would be read any more.
 */
export function dropWhatComes(socket: Socket, onData = () => {}): void {
  const drop = () => {
    if (socket.isPaused()) return
    socket.off('resume', drop)
    for (const listener of socket.listeners('data')) {
      socket.off('data', listener as (chunk: Buffer) => void)
    }
    socket.on('data', onData)
  }
  if (socket.isPaused()) socket.on('resume', drop).resume()
  else drop()
}
