import { showOnOneLine } from '../../domain/hidden-characters.ts'
import type { Received } from './receive-webhooks.ts'

/** One line for people. What is in a body with no good signature may be anything: it is not shown. */
export function describeReceived({ faults, body }: Received): string {
  if (faults.length === 0) return `genuine ${showOnOneLine(String(body))}`
  return `forged ${faults.map(({ detail }) => detail).join(' ')}`
}

/** One line for programs. */
export function renderReceived({ faults, status, body }: Received) {
  return { genuine: faults.length === 0, faults, status, body: String(body) }
}
