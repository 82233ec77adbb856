import { representationPath } from '../domain/investors/profile-faults.ts'
import { type FieldErrors, notValid } from '../domain/problem.ts'

/** All that is wrong goes into one answer, under the more particular of the two codes when it applies. */
export function requireSound(errors: FieldErrors): void {
  const paths = Object.keys(errors)
  if (paths.length === 0) return
  const isOfCompany = paths.includes(representationPath)
  throw notValid(errors, isOfCompany ? 'REPRESENTATION_CONSENT_REQUIRES_COMPANY' : undefined)
}
