import { createProfile, type DerivedBankData } from '../../domain/investors/create-profile.ts'
import { electronicForm } from '../../domain/investors/iban.ts'
import type { BankAccount, Profile } from '../../domain/investors/profile.ts'
import type { ProfileRequest } from '../../domain/investors/profile-request.ts'
import type { BankDirectory } from '../../ports/bank-directory.ts'
import type { Service } from '../service.ts'

/** May ask another machine, so it runs before a store's write and never inside. */
export async function prepareProfile(service: Service, request: ProfileRequest): Promise<Profile> {
  const receivedAt = service.clock.now()
  const derived = await deriveBankData(service.bankDirectory, request.bankAccount)
  return createProfile(request, { derived, receivedAt })
}

const nothingDerived: DerivedBankData = { bic: null, institution: null, isOutstanding: false }

async function deriveBankData(
  directory: BankDirectory,
  account: BankAccount | null,
): Promise<DerivedBankData> {
  // spec: sending both removes the dependency on the look-up.
  if (!account || (account.bic && account.institution)) return nothingDerived
  return directory.lookUp(electronicForm(account.iban))
}
