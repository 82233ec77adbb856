import type { Investor, PersonalData, StoredInvestor } from '../../domain/investors/investor.ts'
import type { Sealed } from '../../domain/sealed.ts'
import type { Vault } from '../../ports/vault.ts'

export function sealPersonalData(vault: Vault, { email, profile }: PersonalData): Sealed {
  return vault.seal(JSON.stringify({ email, profile }))
}

export function openInvestor(vault: Vault, stored: StoredInvestor): Investor {
  const { sealedPersonalData, ...investor } = stored
  const personalData: PersonalData = JSON.parse(vault.open(sealedPersonalData))
  return { ...investor, ...personalData }
}

export function sealInvestor(vault: Vault, { email, profile, ...open }: Investor): StoredInvestor {
  return { ...open, sealedPersonalData: sealPersonalData(vault, { email, profile }) }
}
