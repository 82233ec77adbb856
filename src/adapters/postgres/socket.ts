import { once } from 'node:events'
import { isIP, type NetConnectOpts, Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { connectionClosed, dropped, unencrypted, within } from './faults.ts'

/** With whom, and who says so. */
export interface Encryption {
  readonly host: string
  readonly rejectUnauthorized: boolean
  readonly ca: string | undefined
}

export interface SocketOptions {
  /** How long it may take, TLS included. The driver has no limit for that, and would never close a socket that comes too late. */
  readonly connectMs: number
  readonly encryption: Encryption | undefined
}

interface Where {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

/**
 * Makes the sockets of the driver, which takes none that is not connected, and would lose a connection for ever when no
 * socket comes: one that could not be made comes, too, and fails in its hands.
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

/** A socket that fails when it is closed: after one that just ends, the driver would dial again, without a pause and without an end. */
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
    return await within(connectMs, opening())
  } catch (error) {
    socket.destroy()
    throw error
  }
}

// PostgreSQL, Message Formats: SSLRequest
const request = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** The driver would take an address for a certificate of `localhost`, and begin TLS with a server that has just refused it. */
async function encrypt(socket: Socket, encryption: Encryption): Promise<TLSSocket> {
  const { host, rejectUnauthorized, ca } = encryption
  socket.write(request)
  const [answer] = await eventOf(socket, 'data')
  // One letter: anything behind it was put there by an attacker on the way.
  if (String(answer) !== 'S') throw unencrypted()
  const servername = isIP(host) ? '' : host
  const secured = connect({
    socket,
    host,
    servername,
    rejectUnauthorized,
    ...(ca !== undefined && { ca }),
  })
  await eventOf(secured, 'secureConnect')
  return secured
}

/** What comes with the event; refuses when the socket fails, or ends before. */
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
