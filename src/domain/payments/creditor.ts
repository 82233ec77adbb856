import { countryOutsideSepa, ibanError, toElectronicFormat } from '../investors/bank-identifiers.ts'
import { countCharacters, isBlank } from '../text.ts'
import { maximumNameLength, toBankText } from './bank-text.ts'

/** For whom direct debits are collected: the cooperative itself, with its own account. */
export interface Creditor {
  /** At most 70 characters in the character set of banks. */
  readonly name: string
  /** In electronic format. */
  readonly creditorId: string
  /** In electronic format. Never in logs or in the audit. */
  readonly iban: string
  /** Derived from the IBAN; null if it cannot be. */
  readonly bic: string | null
  /** The days between the announcement of a direct debit and its due date. */
  readonly noticeDays: number
  /** The TARGET days between the day of the file and the due date. */
  readonly leadDays: number
}

/** What an operator says about a creditor. */
export type CreditorTerms = Omit<Creditor, 'bic'>

export const defaultNoticeDays = 14
export const defaultLeadDays = 2

// AT-02 of the SEPA rulebook: country, check digits, business code, national part.
const form = /^([A-Z]{2})(\d{2})([A-Z0-9]{3})([A-Z0-9]{1,28})$/
const germanLength = 18

/** Returns why a text is not a creditor identifier, as the end of a sentence; undefined if it is one. */
export function creditorIdError(text: string): string | undefined {
  const id = toElectronicFormat(text)
  const [, country = '', digits = '', , national = ''] = form.exec(id) ?? []
  if (country === '') return 'must be a creditor identifier such as DE98ZZZ09999999999'
  if (country === 'DE' && id.length !== germanLength)
    return `must have ${germanLength} characters, like every German creditor identifier, but has ${id.length}`
  // The business code, which the creditor chooses, does not count.
  return remainderOf(`${national}${country}${digits}`) === 1
    ? undefined
    : 'must be a creditor identifier with correct check digits'
}

/** ISO 7064, MOD 97-10; letters count as two digits from 10 for A. */
function remainderOf(text: string): number {
  let remainder = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}

/** Returns why a text cannot be the name of a creditor, as the end of a sentence: a file must not shorten it. */
export function creditorNameError(text: string): string | undefined {
  if (isBlank(text)) return 'must be the name of the creditor'
  const length = countCharacters(toBankText(text))
  return length > maximumNameLength
    ? `must have at most ${maximumNameLength} characters in the character set of banks, but has ${length}`
    : undefined
}

/** Returns why no direct debits can be collected to an account, as the end of a sentence. */
export function creditorIbanError(text: string): string | undefined {
  const error = ibanError(text)
  if (error !== undefined) return error
  const country = countryOutsideSepa(text)
  return country && `must be an account in a country of SEPA, which ${country} is not`
}
