import { representationPath } from '../domain/investors/profile-faults.ts'
import { type FieldErrors, notValid, type Problem } from '../domain/problem.ts'

export function requireSound(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw unsound(errors)
}

/** All that is wrong goes into one answer, under the more particular of the two codes when it applies. */
export function unsound(errors: FieldErrors): Problem {
  const isOfCompany = Object.hasOwn(errors, representationPath)
  return notValid(errors, isOfCompany ? 'REPRESENTATION_CONSENT_REQUIRES_COMPANY' : undefined)
}
