// What happens to an order in staging without a decision of a person.

import { addSeconds, type Timestamp } from '../timestamp.ts'
import type { Fate, SharePurchase } from './share-purchase.ts'

/** Accounts at the Bundesbank that nobody has. docs/partners/test-ibans.md lists them for partners. */
const testIbans: Readonly<Record<string, Fate>> = {
  DE50100000000000000001: { kind: 'settle' },
  DE23100000000000000002: {
    kind: 'reject',
    reason: 'The account holder does not match the IBAN.',
  },
  DE93100000000000000003: { kind: 'return', afterMs: 3 * 24 * 3_600_000 },
  DE66100000000000000004: { kind: 'stay' },
}

interface Chosen {
  /** The fate of the order itself. */
  readonly own: Fate | undefined
  readonly ofInvestor: Fate | undefined
  /** In electronic format. */
  readonly debtorIban: string
}

/** The fate of a new order; the more specific choice takes precedence. */
export function chooseFate({ own, ofInvestor, debtorIban }: Chosen): Fate | undefined {
  return own ?? ofInvestor ?? testIbans[debtorIban]
}

export interface FateStep {
  readonly to: 'approved' | 'settled' | 'rejected'
  readonly dueAt: Timestamp
  /** Of a rejection. */
  readonly reason?: string
}

/** After the order was placed. */
const approvalSeconds = 60
const rejectionSeconds = 60
const settlementSeconds = 3600

/** ISO 20022: the account is closed. */
export const bankReturnCode = 'AC04'
export const bankReturnReason = `Direct debit returned (${bankReturnCode}).`

/** A decision of a person always takes precedence: the fate continues from there, or ends. */
export function nextStepOf({ fate, status, createdAt }: SharePurchase): FateStep | undefined {
  const after = (seconds: number) => addSeconds(createdAt, seconds)
  if (status === 'submitted') {
    switch (fate?.kind) {
      case 'reject':
        return { to: 'rejected', dueAt: after(rejectionSeconds), reason: fate.reason }
      case 'settle':
        return { to: 'approved', dueAt: after(approvalSeconds) }
      case 'return': {
        const seconds = Math.min(approvalSeconds, fate.afterMs / 1000)
        return { to: 'approved', dueAt: after(seconds) }
      }
    }
  }
  if (status === 'approved') {
    if (fate?.kind === 'settle') return { to: 'settled', dueAt: after(settlementSeconds) }
    if (fate?.kind === 'return') {
      return { to: 'rejected', dueAt: after(fate.afterMs / 1000), reason: bankReturnReason }
    }
  }
  return undefined
}

/** The order with the time of the next step of its fate. */
export function scheduleFate(order: SharePurchase): SharePurchase {
  if (order.fate === undefined) return order
  const step = nextStepOf(order)
  const { fateDueAt: _, ...rest } = order
  return step ? { fateDueAt: step.dueAt, ...rest } : rest
}

/** The order without a time for the next step: it waits for another order. */
export function suspendFate({ fateDueAt: _, ...order }: SharePurchase): SharePurchase {
  return order
}

/** An order whose fate waits for another one to be settled. */
export function isSuspended(order: SharePurchase): boolean {
  return order.fateDueAt === undefined && nextStepOf(order) !== undefined
}
