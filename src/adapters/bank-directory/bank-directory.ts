import type { BankDetails, BankDirectory } from '../../ports/bank-directory.ts'
import { createGuardedFetch } from '../outgoing/guarded-fetch.ts'
import { offlineBankDetails } from './offline-bank-details.ts'
import {
  lookupTimeoutMs,
  type RemoteBankDetails,
  remoteBankDetails,
} from './remote-bank-details.ts'

export interface BankDirectoryOptions {
  /** Start of the address that is asked, for instance https://openiban.com/validate. */
  readonly lookupUrl?: string | undefined
  /** Also asks over http and at addresses that are not public. */
  readonly allowPrivate?: boolean
}

/** Another machine is asked only for what the lists that come with the program do not know. */
export function createBankDirectory({
  lookupUrl,
  allowPrivate = false,
}: BankDirectoryOptions = {}): BankDirectory {
  if (lookupUrl === undefined) return { lookUp: async (iban) => offlineBankDetails(iban) }
  const fetch = createGuardedFetch({
    allowPrivate,
    connectTimeoutMs: lookupTimeoutMs,
    readTimeoutMs: lookupTimeoutMs,
  })
  return {
    async lookUp(iban) {
      const known = offlineBankDetails(iban)
      return isWhole(known) ? known : merge(known, await remoteBankDetails(fetch, lookupUrl, iban))
    },
  }
}

function isWhole({ bic, institution }: BankDetails): boolean {
  return bic !== null && institution !== null
}

function merge(known: BankDetails, told: RemoteBankDetails): BankDetails {
  const { bic, institution, wasAvailable } = told
  const isKnown = bic !== null || institution !== null
  return {
    bic: known.bic ?? bic,
    institution: known.institution ?? institution,
    isOutstanding: !wasAvailable || (known.isOutstanding && !isKnown),
  }
}
