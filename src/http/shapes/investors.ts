import { type Infer, nullable, object, optional } from 'superstruct'
import { maskIban } from '../../domain/investors/iban.ts'
import type { Investor, InvestorWithProfile } from '../../domain/investors/investor.ts'
import { missingProfileFields } from '../../domain/investors/missing-profile-fields.ts'
import type { BankAccount } from '../../domain/investors/profile.ts'
import type { Parts } from '../../domain/parts.ts'
import {
  emailLength,
  profileShape,
  readProfile,
  readProfileParts,
} from '../../operations/shapes/profile.ts'
import { renderProfileSections } from '../../operations/shapes/render-profile.ts'
import { optionalText, text } from '../../operations/shapes/text.ts'
import type {
  ProvisionDetails,
  ProvisionRequest,
} from '../../usecases/investors/provision-request.ts'

export const provisionShape = object({
  partner_customer_ref: text(255),
  email: optionalText(emailLength),
  profile: optional(nullable(profileShape)),
})

export function readProvision(
  wire: Infer<typeof provisionShape>,
): Omit<ProvisionRequest, 'organizationId'> {
  return {
    partnerCustomerRef: wire.partner_customer_ref,
    email: wire.email ?? null,
    profile: wire.profile ? readProfile(wire.profile) : null,
  }
}

export function readProvisionParts({
  email,
  profile,
}: Parts<Infer<typeof provisionShape>>): Parts<ProvisionDetails> {
  return { email, profile: profile && readProfileParts(profile) }
}

export function renderInvestor(investor: Investor) {
  return {
    investor_id: investor.investorId,
    partner_customer_ref: investor.partnerCustomerRef,
    email: investor.email,
    profile: investor.profile && renderProfileSections(investor.profile, renderBankAccount),
    ...renderCompleteness(investor),
    created_at: investor.createdAt,
    updated_at: investor.updatedAt,
  }
}

/** spec: the profile response mirrors the request section by section. */
export function renderProfile(investor: InvestorWithProfile) {
  return {
    investor_id: investor.investorId,
    email: investor.email,
    ...renderProfileSections(investor.profile, renderBankAccount),
    ...renderCompleteness(investor),
  }
}

function renderCompleteness(investor: Investor) {
  const missing = missingProfileFields(investor)
  return { is_profile_complete: missing.length === 0, missing_profile_fields: missing }
}

function renderBankAccount({ iban, bic, institution, accountHolder }: BankAccount) {
  return { iban_masked: maskIban(iban), bic, institution, account_holder: accountHolder }
}
