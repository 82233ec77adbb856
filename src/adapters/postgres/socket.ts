import { once } from 'node:events'
import { type NetConnectOpts, Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { serverNameOf } from '../../machine/host-names.ts'
import { connectionClosed, dropped, withTimeout } from './faults.ts'

/** The host name that the certificate must contain, and the authorities to trust. */
export interface Encryption {
  readonly host: string
  readonly rejectUnauthorized: boolean
  readonly ca: string | undefined
}

export interface SocketOptions {
  /** The time limit for connecting, including TLS. The driver has no such limit. */
  readonly connectMs: number
  readonly encryption: Encryption | undefined
}

interface Where {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

/**
 * Opens sockets for the driver. The driver accepts only connected sockets, and without a socket it loses the connection
 * permanently. So a socket that could not be connected is returned as well, and fails when it is used.
 */
export function openSocket(options: SocketOptions): (where: Where) => Promise<Socket> {
  return async ({ host: [host = ''], port: [port = 0], path }) => {
    try {
      return failing(await open(path ? { path } : { host, port }, options))
    } catch (error) {
      const failed = new Socket()
      setImmediate(() => failed.destroy(error as Error))
      return failed
    }
  }
}

/** A socket that fails when it is closed. If it just ended, the driver would reconnect endlessly, without pauses. */
function failing(socket: Socket): Socket {
  socket.on('close', (hadError) => {
    if (hadError) return
    const isHeard = socket.bytesRead > 0
    socket.emit('error', isHeard ? connectionClosed('The database has closed it.') : dropped())
  })
  return socket
}

async function open(
  where: NetConnectOpts,
  { connectMs, encryption }: SocketOptions,
): Promise<Socket> {
  const socket = new Socket()
  const opening = async () => {
    await eventOf(socket.connect(where), 'connect')
    return encryption ? encrypt(socket, encryption) : socket
  }
  try {
    return await withTimeout(connectMs, opening())
  } catch (error) {
    socket.destroy()
    throw error
  }
}

// PostgreSQL, Message Formats: SSLRequest
const request = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/**
 * Does the TLS handshake in place of the driver. The driver would check an address against a certificate for
 * `localhost`, and would start TLS with a server that has just refused it.
 */
async function encrypt(socket: Socket, encryption: Encryption): Promise<TLSSocket> {
  const { host, rejectUnauthorized, ca } = encryption
  socket.write(request)
  const [answer] = await eventOf(socket, 'data')
  // The answer is one letter. Anything after it was injected on the way.
  if (String(answer) !== 'S') {
    throw Object.assign(new Error('The server does not encrypt.'), { code: 'ERR_TLS_NOT_OFFERED' })
  }
  const secured = connect({
    socket,
    host,
    servername: serverNameOf(host),
    rejectUnauthorized,
    ...(ca !== undefined && { ca }),
  })
  await eventOf(secured, 'secureConnect')
  return secured
}

/** Resolves with the arguments of the event. Rejects if the socket fails or ends first. */
async function eventOf(socket: Socket, name: string): Promise<readonly unknown[]> {
  const isOver = new AbortController()
  const { signal } = isOver
  const ended = once(socket, 'close', { signal }).then(() => {
    throw dropped()
  })
  try {
    return await Promise.race([once(socket, name, { signal }), ended])
  } finally {
    isOver.abort()
  }
}
