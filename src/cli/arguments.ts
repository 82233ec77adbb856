import { Args, Flags } from '@oclif/core'
import { scopes } from '../domain/oauth/scope.ts'
import { operatorRoles } from '../domain/operators/operator.ts'
import { maximumListLimit } from '../domain/page.ts'

const organization = {
  helpValue: 'ORG',
  description: 'Organization id or exact name.',
}

/** oclif would read a missing argument from standard input, and a script would wait for ever. */
export function required(description: string) {
  return Args.string({ required: true, ignoreStdin: true, description })
}

export function organizationFlag(description = organization.description) {
  return Flags.string({ ...organization, description })
}

export function cooperativeFlag(description = 'Cooperative id or key.') {
  return Flags.string({ helpValue: 'COOP', description })
}

export const requiredOrganizationFlag = Flags.string({ ...organization, required: true })

export function limitFlag(
  more: { readonly helpGroup?: string; readonly description?: string } = {},
) {
  return Flags.integer({
    min: 1,
    max: maximumListLimit,
    helpValue: 'N',
    description: 'Maximum number of results.',
    ...more,
  })
}

export const yesFlag = Flags.boolean({ description: 'Do not ask for confirmation.' })
export const yesInProductionFlag = Flags.boolean({
  description: 'Do not ask for the confirmation that production requires.',
})

export const roleFlag = Flags.option({
  options: operatorRoles,
  required: true,
  description: 'Role, which decides what the operator may do; see the page about access.',
})()

/** A flag that is not greedy can be followed by an argument. */
export const repeatedScopes = {
  options: scopes,
  multiple: true,
  multipleNonGreedy: true,
  description: 'Scope that the client gets; repeatable.',
} as const
