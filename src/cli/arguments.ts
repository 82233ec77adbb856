import { Args, Flags } from '@oclif/core'
import { scopes } from '../domain/oauth/scope.ts'
import { mostListed } from '../domain/page.ts'

const organization = { helpValue: 'ORG', description: 'Id or exact name of the organisation.' }

/** A positional argument. A script that forgets one shall not wait for its standard input, so that is never read. */
export function required(description: string) {
  return Args.string({ required: true, ignoreStdin: true, description })
}

export function organizationFlag() {
  return Flags.string(organization)
}

export function requiredOrganizationFlag() {
  return Flags.string({ ...organization, required: true })
}

/** Lists are whole unless it is given. */
export function limitFlag() {
  return Flags.integer({ min: 1, max: mostListed, helpValue: 'N', description: 'At most so many.' })
}

/** Repeated instead of greedy, so that an argument may follow. */
export const repeatedScopes = {
  options: scopes,
  multiple: true,
  multipleNonGreedy: true,
  description: 'May be given more than once.',
} as const
