import { bankDataByIBAN } from 'bankdata-germany'
import ibanToBic from 'iban-to-bic'
import type { $Fetch } from 'ofetch'
import { boolean, is, nullable, optional, string, type } from 'superstruct'
import { isBic, toElectronicFormat } from '../domain/investors/bank-identifiers.ts'
import { isBlank, isStorable } from '../domain/text.ts'
import type { BankDetails, BankDirectory } from '../ports/bank-directory.ts'
import { createGuardedFetch } from './outgoing/guarded-fetch.ts'

export interface BankDirectoryOptions {
  /** The beginning of the lookup service's address, such as https://openiban.com/validate. */
  readonly lookupUrl?: string | undefined
  /** Allows http and addresses that are not public. */
  readonly allowPrivate?: boolean
}

/** Asks the lookup service only about banks that the built-in lists do not contain. */
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
      return known.bic !== null && known.institution !== null
        ? known
        : merge(known, await remoteBankDetails(fetch, lookupUrl, iban))
    },
  }
}

function merge(known: BankDetails, remote: RemoteBankDetails): BankDetails {
  const { bic, institution, wasAvailable } = remote
  const isKnown = bic !== null || institution !== null
  return {
    bic: known.bic ?? bic,
    institution: known.institution ?? institution,
    isOutstanding: !wasAvailable || (known.isOutstanding && !isKnown),
  }
}

/**
 * Looks the bank up in the lists of bank codes that come with the program. These lists have names and BICs for German
 * accounts, and BICs for AT, BE, ES, FR, LU and NL. Only the German list is complete: a code that is not in it means
 * that the bank does not exist.
 */
function offlineBankDetails(iban: string): BankDetails {
  if (!iban.startsWith('DE')) {
    return { bic: ibanToBic.ibanToBic(iban) || null, institution: null, isOutstanding: false }
  }
  const bank = bankDataByIBAN(iban)
  return {
    bic: bank?.bic || null,
    institution: bank?.bankName || null,
    isOutstanding: !bank,
  }
}

const lookupTimeoutMs = 2000
const longestName = 200

const part = optional(nullable(string()))
/** The fields of openiban.com's answer that we use. Unknown values are missing or empty. */
const answerShape = type({
  valid: boolean(),
  bankData: optional(nullable(type({ bic: part, name: part }))),
})

interface RemoteBankDetails extends Pick<BankDetails, 'bic' | 'institution'> {
  /** false if the service sent no usable answer. */
  readonly wasAvailable: boolean
}

/** Asks a service that answers as openiban.com does. */
async function remoteBankDetails(
  fetch: $Fetch,
  lookupUrl: string,
  iban: string,
): Promise<RemoteBankDetails> {
  try {
    const answer: unknown = await fetch(`${lookupUrl.replace(/\/$/, '')}/${iban}`, {
      query: { getBIC: true, validateBankCode: true },
      timeout: lookupTimeoutMs,
    })
    if (!is(answer, answerShape)) return unavailable
    const { bic, name } = (answer.valid && answer.bankData) || {}
    return {
      bic: bic && isBic(bic) ? toElectronicFormat(bic) : null,
      institution:
        name && !isBlank(name) && name.length <= longestName && isStorable(name) ? name : null,
      wasAvailable: true,
    }
  } catch {
    // spec: the lookup is skipped if it is unavailable. The error is not logged, because its text contains the IBAN.
    return unavailable
  }
}

const unavailable: RemoteBankDetails = { bic: null, institution: null, wasAvailable: false }
