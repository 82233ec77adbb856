import type { $Fetch } from 'ofetch'
import { boolean, is, nullable, optional, string, type } from 'superstruct'
import { isBic } from '../../domain/investors/bic.ts'
import { electronicForm } from '../../domain/investors/iban.ts'
import { isBlank } from '../../domain/is-blank.ts'
import { isWritable } from '../../domain/is-writable.ts'
import type { BankDetails } from '../../ports/bank-directory.ts'

export const lookupTimeoutMs = 2000
const longestName = 200

const part = optional(nullable(string()))
/** What is used of openiban.com's answer. What it does not know it leaves out, or empty. */
const answerShape = type({
  valid: boolean(),
  bankData: optional(nullable(type({ bic: part, name: part }))),
})

export interface RemoteBankDetails extends Pick<BankDetails, 'bic' | 'institution'> {
  /** False when no answer came, or one that is no answer to the question. */
  readonly wasAvailable: boolean
}

/** Asks a service that answers as openiban.com does. */
export async function remoteBankDetails(
  fetch: $Fetch,
  lookupUrl: string,
  iban: string,
): Promise<RemoteBankDetails> {
  try {
    const answer: unknown = await fetch(`${lookupUrl.replace(/\/$/, '')}/${iban}`, {
      query: { getBIC: true, validateBankCode: true },
      timeout: lookupTimeoutMs,
    })
    return readAnswer(answer)
  } catch {
    // spec: a look-up that is unavailable is skipped. The error is not logged, because its text has the IBAN in it.
    return unavailable
  }
}

const unavailable: RemoteBankDetails = { bic: null, institution: null, wasAvailable: false }

function readAnswer(answer: unknown): RemoteBankDetails {
  if (!is(answer, answerShape)) return unavailable
  const { bic, name } = (answer.valid && answer.bankData) || {}
  return {
    bic: bic && isBic(bic) ? electronicForm(bic) : null,
    institution: name && isName(name) ? name : null,
    wasAvailable: true,
  }
}

function isName(text: string): boolean {
  return !isBlank(text) && text.length <= longestName && isWritable(text)
}
