import type { $Fetch } from 'ofetch'
import { is, literal, nullable, optional, string, type } from 'superstruct'
import { isBic } from '../../domain/investors/bic.ts'
import { isWritable } from '../../domain/is-writable.ts'
import type { BankDetails } from '../../ports/bank-directory.ts'

export const lookupTimeoutMs = 2000
const longestName = 200

const part = optional(nullable(string()))
/** What is used of openiban.com's answer. What it does not know it leaves out, or empty. */
const answerShape = type({ valid: literal(true), bankData: type({ bic: part, name: part }) })

/** Asks a service that answers as openiban.com does. */
export async function remoteBankDetails(
  fetch: $Fetch,
  lookupUrl: string,
  iban: string,
): Promise<BankDetails> {
  try {
    const answer: unknown = await fetch(`${lookupUrl.replace(/\/$/, '')}/${iban}`, {
      query: { getBIC: true, validateBankCode: true },
      timeout: lookupTimeoutMs,
    })
    return readAnswer(answer)
  } catch {
    // spec: a look-up that is unavailable is skipped. The error is not logged, because its text has the IBAN in it.
    return { bic: null, institution: null }
  }
}

function readAnswer(answer: unknown): BankDetails {
  if (!is(answer, answerShape)) return { bic: null, institution: null }
  const { bic, name } = answer.bankData
  return {
    bic: bic && isBic(bic) ? bic.toUpperCase() : null,
    institution: name && isName(name) ? name : null,
  }
}

function isName(text: string): boolean {
  return text.trim() !== '' && text.length <= longestName && isWritable(text)
}
