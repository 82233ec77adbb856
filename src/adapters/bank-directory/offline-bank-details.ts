import { bankDataByIBAN } from 'bankdata-germany'
import ibanToBic from 'iban-to-bic'
import type { BankDetails } from '../../ports/bank-directory.ts'

/** From lists of bank codes that come with the program: both for German accounts, the BIC for AT BE ES FR LU NL. */
export function offlineBankDetails(iban: string): BankDetails {
  if (!iban.startsWith('DE')) return { bic: ibanToBic.ibanToBic(iban) || null, institution: null }
  const bank = bankDataByIBAN(iban)
  return { bic: bank?.bic || null, institution: bank?.bankName || null }
}
