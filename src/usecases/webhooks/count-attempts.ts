import type { Delivery } from '../../domain/webhooks/delivery.ts'

/** To webhooks, in all rounds. */
export function countAttempts(deliveries: readonly Delivery[]): number {
  return deliveries
    .filter(({ target }) => target.kind === 'webhook')
    .reduce((sum, { attempts }) => sum + attempts.length, 0)
}
