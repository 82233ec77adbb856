import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import { OwnFault } from '../../ports/webhook-sender.ts'

/** For whoever looks at what came of it at once: no attempt is counted, so it does not matter whose fault it was. */
export async function evenOfOwnFault(sending: Promise<SendOutcome>): Promise<SendOutcome> {
  try {
    return await sending
  } catch (error) {
    if (error instanceof OwnFault) return error.outcome
    throw error
  }
}
