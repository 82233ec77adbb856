import { once } from 'node:events'
import type { Socket } from 'node:net'
import { dropped } from './faults.ts'

/** What comes with the event; refuses when the socket fails, or ends before. */
export async function eventOf(socket: Socket, name: string): Promise<readonly unknown[]> {
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
