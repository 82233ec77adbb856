import { createHmac } from 'node:crypto'
import { toElectronicFormat } from '../../domain/investors/bank-identifiers.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import { foldMandateReference } from '../../domain/share-purchases/share-purchase.ts'
import type { Encrypted } from '../../domain/text.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Vault } from '../../ports/vault.ts'

/** The kinds of values that a search compares. A text may be of several kinds. */
const termKinds = ['name', 'email', 'iban', 'partner_customer_ref', 'mandate_reference'] as const
export type TermKind = (typeof termKinds)[number]

/**
 * Keyed digests of the searchable values, so that a search decrypts nothing and no index contains
 * personal data. Without the key, nobody can try out the few million existing bank accounts.
 */
export interface SearchTerms {
  ofInvestor(
    investor: Pick<Investor, 'partnerCustomerRef' | 'email' | 'profile'>,
  ): readonly string[]
  /** @param mandateReference a reference that the partner chose; issued ones contain the id of the order */
  ofOrder(order: {
    readonly debtorIban: string | undefined
    readonly mandateReference: string | undefined
  }): readonly string[]
  /**
   * The terms that a record must have; none if the text cannot be of this kind. While the key is being replaced, a
   * record has the terms of one of two keys, so there are two lists.
   */
  ofText(kind: TermKind, text: string): readonly (readonly string[])[]
}

/** With 96 bits, two texts share a term less often than a disk fails. */
const termBytes = 12

/** More words than a name has would make a search slow. */
const maximumWords = 10

/**
 * Part of every write that stores terms: its commit proves that the key is still the present one.
 * @param vault decrypts the keys
 */
export async function readSearchTerms(
  { settings }: Pick<ReadableRecords, 'settings'>,
  { vault }: { readonly vault: Vault },
): Promise<SearchTerms> {
  const stored = await settings.get()
  if (!stored) throw new Error('The store has no settings.')
  const { encryptedSearchKey: present, encryptedFormerSearchKey: former } = stored
  const last = lastTerms.get(vault)
  if (last?.present === present && last.former === former) return last.terms
  const terms = createSearchTerms(
    vault.decrypt(present),
    ...(former ? [vault.decrypt(former)] : []),
  )
  lastTerms.set(vault, { present, former, terms })
  return terms
}

interface KeyedTerms {
  readonly present: Encrypted
  readonly former: Encrypted | undefined
  readonly terms: SearchTerms
}

/** Every order needs the terms, and decrypting their key takes longer than making them. */
const lastTerms = new WeakMap<Vault, KeyedTerms>()

/** The keys are in base64. */
export function createSearchTerms(present: string, ...former: readonly string[]): SearchTerms {
  const ofText = createDigests(present)
  const all = [ofText, ...former.map(createDigests)]
  return {
    ofText: (kind, text) => all.map((of) => of(kind, text)).filter((terms) => terms.length > 0),
    ofInvestor: ({ partnerCustomerRef, email, profile }) => [
      ...ofText('partner_customer_ref', partnerCustomerRef),
      ...ofText('email', email),
      ...ofText('iban', profile?.bankAccount?.iban),
      ...ofText('name', namesOf(profile)),
    ],
    ofOrder: ({ debtorIban, mandateReference }) => [
      ...ofText('iban', debtorIban),
      ...ofText('mandate_reference', mandateReference),
    ],
  }
}

type DigestsOf = (kind: TermKind, text: string | null | undefined) => readonly string[]

function createDigests(key: string): DigestsOf {
  const secret = Buffer.from(key, 'base64')
  const digest = (kind: TermKind, text: string) =>
    createHmac('sha256', secret)
      .update(`${kind}:${text}`)
      .digest()
      .toString('base64url', 0, termBytes)
  return (kind, text) =>
    text ? [...new Set(normalizers[kind](text))].map((part) => digest(kind, part)) : []
}

function namesOf(profile: Investor['profile']): string {
  const { firstName, lastName, company } = profile ?? {}
  return [firstName, lastName, company?.name].filter((name) => name).join(' ')
}

const normalizers: Readonly<Record<TermKind, (text: string) => readonly string[]>> = {
  name: wordsOf,
  email: (text) => (text.includes('@') ? [text.trim().normalize('NFC').toLowerCase()] : []),
  iban: (text) => {
    const iban = toElectronicFormat(text)
    return /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/.test(iban) ? [iban] : []
  },
  partner_customer_ref: (text) => [text.trim().normalize('NFC').toLowerCase()],
  mandate_reference: (text) => [foldMandateReference(text.trim())],
}

/** The words, without case and diacritics: `muller` finds Müller. */
function wordsOf(text: string): readonly string[] {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, maximumWords)
}
