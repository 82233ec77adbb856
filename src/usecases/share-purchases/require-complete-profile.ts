import type { Investor } from '../../domain/investors/investor.ts'
import { missingProfileFields } from '../../domain/investors/missing-profile-fields.ts'
import { Problem } from '../../domain/problem.ts'

export function requireCompleteProfile(investor: Investor): void {
  const missing = missingProfileFields(investor)
  if (missing.length === 0) return
  throw new Problem(
    'INVESTOR_PROFILE_INCOMPLETE',
    `The investor's profile lacks ${missing.join(', ')}. Complete it before placing an order.`,
  )
}
