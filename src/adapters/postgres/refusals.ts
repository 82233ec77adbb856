import { UniquenessError } from '../../ports/store.ts'
import { codeOf, isConflict, Retry } from './faults.ts'

const uniqueViolation = '23505'
/** Nothing else makes one: a record that is another partner's was to be replaced. */
const notNullViolation = '23502'

/** What the port calls a value that the database keeps unique by a constraint. */
const names: Readonly<Record<string, string>> = {
  organizations_name: 'name',
  cooperatives_key: 'key',
  investors_ref: 'partnerCustomerRef',
  holdings_pkey: 'cooperativeId',
  webhook_endpoints_url: 'url',
}

/** Everything else that is unique is an id. */
function uniqueIndexOf(constraint: string): string {
  return names[constraint] ?? 'id'
}

/** Of an error that tells of a value that is taken; of any other, an empty name. */
export function constraintOf(error: unknown): string {
  const { constraint_name: name = '' } = error as { readonly constraint_name?: string }
  return codeOf(error) === uniqueViolation ? name : ''
}

/** What a statement was refused for, in the words of the port where it has some. */
export function meaningOf(error: unknown): unknown {
  if (isConflict(error)) return new Retry(error)
  if (codeOf(error) === notNullViolation) return new UniquenessError('id')
  return codeOf(error) === uniqueViolation
    ? new UniquenessError(uniqueIndexOf(constraintOf(error)))
    : error
}
