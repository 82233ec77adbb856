import type { Timestamp } from '../timestamp.ts'
import type { Delivery } from './delivery.ts'
import type { Event } from './event.ts'

/** Where the time of retention begins. It never ends too late: what finishes does so after somebody has looked. */
export function retainedFromOf({ retainedFrom, createdAt }: Event): Timestamp {
  return retainedFrom ?? createdAt
}

/** When the last delivery arrived; undefined while one is on its way, or dead. An event without any was finished at once. */
export function finishedAtOf(
  { createdAt }: Event,
  deliveries: readonly Delivery[],
): Timestamp | undefined {
  if (deliveries.some(({ state }) => state !== 'delivered')) return undefined
  return deliveries.reduce(
    (latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest),
    createdAt,
  )
}

/** Whether an operator may remove it: nothing of it is on its way, nor is dead, unless dead ones are wanted. */
export function isRemovable(deliveries: readonly Delivery[], withDead: boolean): boolean {
  return deliveries.every(({ state }) => state === 'delivered' || (withDead && state === 'dead'))
}
