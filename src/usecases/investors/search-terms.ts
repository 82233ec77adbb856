import { createHmac } from 'node:crypto'
import { toElectronicFormat } from '../../domain/investors/bank-identifiers.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import { foldMandateReference } from '../../domain/share-purchases/share-purchase.ts'
import type { Encrypted } from '../../domain/text.ts'
import { beginningOf, beginningsOf, spellingsOf, wordsOf } from '../../domain/words.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Vault } from '../../ports/vault.ts'

/** The kinds of values that a search compares. A text may be of several kinds. */
export type TermKind =
  | 'name'
  | 'name_beginning'
  | 'email'
  | 'iban'
  | 'partner_customer_ref'
  | 'mandate_reference'

/**
 * The version of the terms. When a name gets other terms, this number grows, and `renewSearchTerms` makes the terms of
 * stored investors again.
 */
export const searchVersion = 2

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

/** With 96 bits (in base64), two texts share a term less often than a disk fails. */
const termCharacters = 16

/** Most terms are those of beginnings. With 48 bits, one search in a hundred million finds a person too many. */
const beginningCharacters = 8

/** The maximum number of terms for the words of a name, and their beginnings. Few names have more than 30. */
const maximumNameTerms = 100

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
  const terms = createDigests(present)
  const all = [terms, ...former.map(createDigests)]
  return {
    ofText: (kind, text) =>
      all.map((each) => each.of(kind, text)).filter(({ length }) => length > 0),
    // Sorted, so that the order does not say which terms are of the same word.
    ofInvestor: ({ partnerCustomerRef, email, profile }) =>
      [
        ...terms.of('partner_customer_ref', partnerCustomerRef),
        ...terms.of('email', email),
        ...terms.of('iban', profile?.bankAccount?.iban),
        ...terms.ofNames(namesOf(profile)),
      ].sort(),
    ofOrder: ({ debtorIban, mandateReference }) => [
      ...terms.of('iban', debtorIban),
      ...terms.of('mandate_reference', mandateReference),
    ],
  }
}

interface Digests {
  of(kind: TermKind, text: string | null | undefined): readonly string[]
  ofNames(names: string): readonly string[]
}

function createDigests(key: string): Digests {
  const secret = Buffer.from(key, 'base64')
  const digest = ([kind, text]: Normalized) =>
    createHmac('sha256', secret)
      .update(`${kind}:${text}`)
      .digest('base64url')
      .slice(0, kind === 'name_beginning' ? beginningCharacters : termCharacters)
  const digests = (parts: readonly Normalized[]) => [...new Set(parts.map(digest))]
  return {
    of: (kind, text) => (text ? digests(normalizers[kind](text)) : []),
    ofNames(names) {
      const words = spellingsOf(names)
      const beginnings = new Set(words.flatMap(beginningsOf))
      const all = [...words.map(asWord), ...[...beginnings].map(asBeginning)]
      return digests(all.slice(0, maximumNameTerms))
    },
  }
}

/** The names by which a person is found. */
export function namesOf(profile: Investor['profile']): string {
  const { firstName, lastName, company } = profile ?? {}
  return [firstName, lastName, company?.name].filter((name) => name).join(' ')
}

/** What a digest is made of. */
type Normalized = readonly [kind: TermKind, text: string]

const asWord = (word: string): Normalized => ['name', word]
const asBeginning = (beginning: string): Normalized => ['name_beginning', beginning]

const normalizers: Readonly<Record<TermKind, (text: string) => readonly Normalized[]>> = {
  name: (text) => wordsOf(text).map(asWord),
  name_beginning: (text) =>
    wordsOf(text).map((word) => {
      const beginning = beginningOf(word)
      return beginning === undefined ? asWord(word) : asBeginning(beginning)
    }),
  email: (text) =>
    text.includes('@') ? [['email', text.trim().normalize('NFC').toLowerCase()]] : [],
  iban: (text) => {
    const iban = toElectronicFormat(text)
    return /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/.test(iban) ? [['iban', iban]] : []
  },
  partner_customer_ref: (text) => [
    ['partner_customer_ref', text.trim().normalize('NFC').toLowerCase()],
  ],
  mandate_reference: (text) => [['mandate_reference', foldMandateReference(text.trim())]],
}
