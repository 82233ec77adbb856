import { isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { eventOf } from './event-of.ts'
import { unencrypted } from './faults.ts'

/** With whom, and who says so. */
export interface Encryption extends Pick<ConnectionOptions, 'rejectUnauthorized' | 'ca'> {
  readonly host: string
}

// PostgreSQL, Message Formats: SSLRequest
const request = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/**
 * TLS on a connection to a database. The driver would take an address for a certificate of `localhost`, and would begin TLS
 * with a server that has just refused it.
 */
export async function encrypt(
  socket: Socket,
  { host, ...options }: Encryption,
): Promise<TLSSocket> {
  socket.write(request)
  const [answer] = await eventOf(socket, 'data')
  // One letter: whatever stands behind it was put there by somebody on the way.
  if (String(answer) !== 'S') throw unencrypted()
  const servername = isIP(host) ? '' : host
  const secured = connect({ socket, host, servername, ...options })
  await eventOf(secured, 'secureConnect')
  return secured
}
