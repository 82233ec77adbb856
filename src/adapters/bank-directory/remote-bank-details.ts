import type { $Fetch } from 'ofetch'
import { is, literal, nullish, string, type } from 'superstruct'
import { isBic } from '../../domain/investors/bic.ts'
import type { BankDetails } from '../../ports/bank-directory.ts'

const timeoutMs = 2000
const longestName = 200

/** The answer of openiban.com, of which only this is used; what is not known there is missing or empty. */
const answerShape = type({
  valid: literal(true),
  bankData: type({ bic: nullish(string()), name: nullish(string()) }),
})
