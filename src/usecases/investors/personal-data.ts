import type { Investor, PersonalData, StoredInvestor } from '../../domain/investors/investor.ts'
import type { Vault } from '../../ports/vault.ts'

export function openInvestor(vault: Vault, stored: StoredInvestor): Investor {
  const { sealedPersonalData, ...investor } = stored
  const personalData: PersonalData = JSON.parse(vault.open(sealedPersonalData))
  return { ...investor, ...personalData }
}

export function sealInvestor(
  vault: Vault,
  { email, profile, firstSentDigest, ...open }: Investor,
): StoredInvestor {
  const personalData: PersonalData = {
    email,
    profile,
    ...(firstSentDigest !== undefined && { firstSentDigest }),
  }
  return { ...open, sealedPersonalData: vault.seal(JSON.stringify(personalData)) }
}
