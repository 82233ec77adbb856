import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunningService } from '../service.ts'

const [sockets, requests] = [20, 20_000]

/**
 * Starts clients that send all requests before they read the answers. Returns the number of bytes
 * that they read in this time.
 */
export async function pipeline(
  { origin, headers }: RunningService,
  path: string,
  seconds: number,
): Promise<number> {
  const { hostname, port, host } = new URL(origin)
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: ${headers.authorization}`]
  const asked = `${lines.join('\r\n')}\r\n\r\n`.repeat(requests)
  let bytes = 0
  const clients = Array.from({ length: sockets }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {}).on('data', (chunk) => (bytes += chunk.length))
    socket.write(asked)
    return socket
  })
  await pause(seconds * 1000)
  for (const socket of clients) socket.destroy()
  return bytes
}

export const pipelined = `${sockets} sockets, each with ${requests} requests at once`
