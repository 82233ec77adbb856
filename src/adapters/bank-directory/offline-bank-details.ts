import { bankDataByIBAN } from 'bankdata-germany'
import ibanToBic from 'iban-to-bic'
import type { BankDetails } from '../../ports/bank-directory.ts'

/**
 * From lists of bank codes that come with the program: both for German accounts, the BIC for AT BE ES FR LU NL. Only
 * the German list is complete, so only there does a missing code mean that the bank does not exist.
 */
export function offlineBankDetails(iban: string): BankDetails {
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
