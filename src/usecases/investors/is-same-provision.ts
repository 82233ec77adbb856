import { createHash } from 'node:crypto'
import { stringify } from 'safe-stable-stringify'
import { electronicForm } from '../../domain/investors/iban.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import {
  type BankAccount,
  type Consents,
  consentNames,
  type Profile,
} from '../../domain/investors/profile.ts'
import type { ProfileRequest } from '../../domain/investors/profile-request.ts'
import { emailOf, type ProvisionDetails } from './provision-request.ts'

/**
 * Whether a request repeats what is known. What the sender left to us (an e-mail or profile not sent, derived bank
 * data, defaults, stamps) is not the sender's to repeat. Spec gap: see DECISIONS.md, "same details".
 */
export function isSameProvision(request: ProvisionDetails, known: Investor): boolean {
  return differencesOf(request, known).length === 0
}

/** Paths of what a request says otherwise than what is known. */
export function differencesOf(request: ProvisionDetails, known: Investor): readonly string[] {
  const { email, profile } = request
  const path = email === null ? 'profile.email' : 'email'
  const differs = !isLeftOrEqual(emailOf(request), known.email)
  return [
    ...(differs ? [path] : []),
    ...(profile === null ? [] : profileDifferences(profile, known.profile)),
  ]
}

/** Of the details as they were sent. Different spellings of an IBAN or a BIC have the same digest. It is stored sealed. */
export function digestProvision(request: ProvisionDetails): string {
  const { email: _, bankAccount, ...profile } = request.profile ?? { bankAccount: null }
  const account = bankAccount && { ...bankAccount, ...spelledAlike(bankAccount) }
  const sent = { email: emailOf(request), ...profile, bankAccount: account }
  return createHash('sha256')
    .update(stringify({ ...sent, hasProfile: request.profile !== null }) ?? '')
    .digest('base64url')
}

function spelledAlike({ iban, bic }: BankAccount): Pick<BankAccount, 'iban' | 'bic'> {
  return { iban: electronicForm(iban), bic: bic && electronicForm(bic) }
}

const sections = ['address', 'company'] as const
const fields = ['firstName', 'lastName', 'birthDate', 'taxId', 'phone'] as const

function profileDifferences(sent: ProfileRequest, stored: Profile | null): readonly string[] {
  if (stored === null) return ['profile']
  return [
    ...fields.filter((name) => sent[name] !== stored[name]).map((name) => [name]),
    ...sections.flatMap((name) => sectionDifferences(name, sent[name], stored[name])),
    ...accountDifferences(sent.bankAccount, stored.bankAccount),
    ...consentDifferences(sent.consents, stored.consents),
  ].map((path) => ['profile', ...path].map(onTheWire).join('.'))
}

function sectionDifferences<Section extends object>(
  name: string,
  sent: Section | null,
  stored: Section | null,
): string[][] {
  if (sent === null || stored === null) return sent === stored ? [] : [[name]]
  const members = Object.keys(sent) as (keyof Section & string)[]
  return members.filter((each) => sent[each] !== stored[each]).map((each) => [name, each])
}

function accountDifferences(sent: BankAccount | null, stored: BankAccount | null): string[][] {
  if (sent === null || stored === null) return sent === stored ? [] : [['bankAccount']]
  const { iban, bic } = spelledAlike(sent)
  const differing = {
    iban: iban !== stored.iban,
    bic: !isLeftOrEqual(bic, stored.bic),
    institution: !isLeftOrEqual(sent.institution, stored.institution),
    accountHolder: !isLeftOrEqual(sent.accountHolder, stored.accountHolder),
  }
  return Object.entries(differing).flatMap(([name, differs]) =>
    differs ? [['bankAccount', name]] : [],
  )
}

function consentDifferences(sent: ProfileRequest['consents'], stored: Consents): string[][] {
  return consentNames.flatMap((name) => {
    if (sent[name].given !== stored[name].given) return [['consents', name, 'given']]
    const isSame = isLeftOrEqual(sent[name].givenAt, stored[name].givenAt)
    return isSame ? [] : [['consents', name, 'givenAt']]
  })
}

function isLeftOrEqual(sent: string | null, stored: string | null): boolean {
  return sent === null || sent === stored
}

function onTheWire(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
