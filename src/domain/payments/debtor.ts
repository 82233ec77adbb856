import { toElectronicFormat } from '../investors/bank-identifiers.ts'
import type { Address, Profile } from '../investors/profile.ts'
import { isTooLong, maximumNameLength, toBankText } from './bank-text.ts'
import type { Debtor, DebtorAddress } from './debit-collection.ts'
import { isCutOff } from './direct-debit-file.ts'

/** The EEA, by the country of the IBAN. French overseas IBANs begin with FR. */
const eea: ReadonlySet<string> = new Set([
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE'],
  ...['IS', 'IT', 'LI', 'LT', 'LU', 'LV', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
])

/** The payer of a direct debit, or why none can be collected, as a clause. */
export type DebtorOrReason = { readonly debtor: Debtor } | { readonly reason: string }

/**
 * @param iban the account of the mandate, in electronic format
 * @returns outside the EEA with the address, which banks demand there (EPC rulebook); inside without it
 */
export function debtorOf(profile: Profile, iban: string): DebtorOrReason {
  const { bankAccount, company, firstName, lastName, address } = profile
  const account =
    bankAccount && toElectronicFormat(bankAccount.iban) === iban ? bankAccount : undefined
  const own = company?.name ?? [firstName, lastName].filter(Boolean).join(' ')
  const name = account?.accountHolder ?? own
  if (toBankText(name) === '') return { reason: 'the name of the account holder is unknown' }
  const debtor = { name, iban, bic: account?.bic ?? null }
  const country = iban.slice(0, 2)
  if (eea.has(country)) return { debtor }
  const known = addressOf(address)
  if (known) return { debtor: { ...debtor, address: known } }
  return {
    reason: `the account is in ${country}, outside the EEA, where banks demand the address of the payer with its country, and the country is unknown: only German postal codes are recognized`,
  }
}

/** The contract has no country. A German postal code with a town is taken as an address in Germany. */
function addressOf(address: Address | null): DebtorAddress | undefined {
  if (!address || !/^\d{5}$/.test(address.postalCode.trim())) return undefined
  const { street, houseNumber, postalCode, city: town } = address
  if (toBankText(town) === '') return undefined
  return { street, houseNumber, postalCode: postalCode.trim(), town, country: 'DE' }
}

/** Whether the file cannot contain the whole name, or the whole address. */
export function isShortened({ name, address }: Pick<Debtor, 'name' | 'address'>): boolean {
  return isTooLong(name, maximumNameLength) || (address !== undefined && isCutOff(address))
}
