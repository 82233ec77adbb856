import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Clients that pipeline requests send only a few. */
const mostPerConnection = 100

interface Connection {
  readonly answers: Set<ServerResponse>
  /** The client has sent too many requests ahead. */
  isOver: boolean
}

/**
 * When the server ends, each pending response closes its connection. Responses are kept per connection and dropped with
 * it, because a response that waits behind another one never emits `close`.
 */
export class PendingResponses {
  readonly #connections = new WeakMap<Socket, Connection>()
  readonly #waiting = new Set<Connection>()
  #isEnding = false

  get count(): number {
    let sum = 0
    for (const { answers } of this.#waiting) sum += answers.size
    return sum
  }

  /**
   * Returns `refuse` only for the first request above the limit. Later ones get no response, because the refusal closes
   * the connection.
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

  /** Otherwise a client that reuses its connection could be cut off in the middle of a request. */
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
 * Nothing is parsed any more, but everything is read: closing a connection with unread data resets it, and the client
 * loses responses on their way.
 */
function dropWhatComes(socket: Socket): void {
  for (const listener of socket.listeners('data')) {
    socket.off('data', listener as (chunk: Buffer) => void)
  }
  socket.on('data', () => {})
}
