import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many requests one connection may have under way. Clients that pipeline send a few. */
const mostPerConnection = 100

interface Connection {
  readonly answers: Set<ServerResponse>
  /** More was sent ahead than may be under way. */
  isOver: boolean
}

/**
 * Which answers are still to come: when the server ends, each of them is the last one of its connection. They are held by
 * connection and dropped with it, because an answer that waits behind another one never emits `close`.
 */
export class OpenAnswers {
  readonly #connections = new WeakMap<Socket, Connection>()
  readonly #waiting = new Set<Connection>()
  #isEnding = false

  get count(): number {
    let sum = 0
    for (const { answers } of this.#waiting) sum += answers.size
    return sum
  }

  /**
   * Says what to do with a request. `refuse` comes once for a connection, for the first request over the bound; those behind
   * it have no answer, because the refusal ends the connection.
   */
  begin({ socket }: IncomingMessage, response: ServerResponse): 'answer' | 'refuse' | 'ignore' {
    const connection = this.#connectionOf(socket)
    if (connection.isOver || socket.destroyed) return 'ignore'
    if (connection.answers.size >= mostPerConnection) {
      connection.isOver = true
      dropWhatComes(socket)
      return 'refuse'
    }
    if (this.#isEnding) endConnection(response)
    connection.answers.add(response)
    this.#waiting.add(connection)
    response.once('close', () => {
      connection.answers.delete(response)
      if (connection.answers.size === 0) this.#waiting.delete(connection)
    })
    return 'answer'
  }

  /** A client that would go on with its connection would otherwise be cut off in the middle of a request. */
  end(): void {
    this.#isEnding = true
    for (const { answers } of this.#waiting) {
      for (const response of answers) endConnection(response)
    }
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket)
    if (known) return known
    const connection = { answers: new Set<ServerResponse>(), isOver: false }
    this.#connections.set(socket, connection)
    socket.once('close', () => this.#waiting.delete(connection))
    return connection
  }
}

/** RFC 9112 9.6: `Connection: close`. */
function endConnection(response: ServerResponse): void {
  response.shouldKeepAlive = false
}

/**
 * Nothing that comes from now on is parsed. It is still read: a connection that is closed before all of it has been read is
 * reset, and the client loses the answers that are on their way.
 */
function dropWhatComes(socket: Socket): void {
  for (const listener of socket.listeners('data')) {
    socket.off('data', listener as (chunk: Buffer) => void)
  }
  socket.on('data', () => {})
}
