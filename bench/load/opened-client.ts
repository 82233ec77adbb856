import type { Socket } from 'node:net'
import { buildConnector, Client } from 'undici'

const connect = buildConnector({ timeout: 10_000 })

/** A client with one connection, which is open before the first request. */
export class OpenedClient {
  readonly client: Client
  readonly #origin: string
  #opened: Socket | undefined

  constructor(origin: string) {
    this.#origin = origin
    this.client = new Client(origin, { pipelining: 1, connect: this.#connect })
  }

  /** Opens the connection. If that fails, the first request reports the failure. */
  open(): Promise<void> {
    const { protocol, hostname, host, port } = new URL(this.#origin)
    return new Promise((resolve) => {
      connect({ protocol, hostname, host, port }, (_error, socket) => {
        this.#opened = socket ?? undefined
        resolve()
      })
    })
  }

  readonly #connect: buildConnector.connector = (options, callback) => {
    const socket = this.#opened
    this.#opened = undefined
    // The callback runs a little later, because the client cannot send during the event.
    if (socket && !socket.destroyed) queueMicrotask(() => callback(null, socket))
    else connect(options, callback)
  }
}

// If more connections were opened than the system queues, some would have to try again, which is
// not the fault of the server.
const openedAtOnce = 100

export async function openAll(clients: readonly { open(): Promise<void> }[]): Promise<void> {
  for (let first = 0; first < clients.length; first += openedAtOnce) {
    await Promise.all(clients.slice(first, first + openedAtOnce).map((client) => client.open()))
  }
}
