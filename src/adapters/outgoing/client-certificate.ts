import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/**
 * Whether the other side has asked for a client certificate. A server names signature algorithms only then (RFC 8446
 * 4.3.2, RFC 5246 7.4.4). Deno does not report them.
 */
export function asksForCertificate(socket: Socket): boolean {
  return socket instanceof TLSSocket && (socket.getSharedSigalgs?.()?.length ?? 0) > 0
}
