import { type NetConnectOpts, Socket } from 'node:net'
import { type Encryption, encrypt } from './encrypt.ts'
import { eventOf } from './event-of.ts'
import { dropped } from './faults.ts'
import { gather } from './gather.ts'
import { within } from './within.ts'

export interface SocketOptions {
  /** How long it may take, TLS with it. The driver has no limit for that: nobody would want it any more, or close it. */
  readonly connectMs: number
  readonly encryption: Encryption | undefined
  readonly gathers: boolean
}

interface Where {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path: string | false
}

/**
 * Makes the one socket of a client; the driver takes none that is not connected. It would dial again, without a pause and
 * without an end, where something takes connections and drops them before the database has answered.
 */
export function onlySocket(options: SocketOptions): (where: Where) => Promise<Socket> {
  let isMade = false
  return async ({ host: [host = ''], port: [port = 0], path }) => {
    if (isMade) throw dropped()
    isMade = true
    const socket = await open(path ? { path } : { host, port }, options)
    return options.gathers ? gather(socket) : socket
  }
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
