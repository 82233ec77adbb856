import { toElectronicFormat } from '../domain/investors/bank-identifiers.ts'
import { foldName } from '../domain/organizations/organization.ts'
import type { FieldErrors } from '../domain/problem.ts'
import { foldMandateReference } from '../domain/share-purchases/share-purchase.ts'
import { parseUrl } from '../domain/text.ts'
import type { WireCooperativeDefinition } from './cooperative-definition.ts'
import type { WireFixtureFile } from './fixture-file.ts'

type WireOrganization = NonNullable<WireFixtureFile['organizations']>[number]
type WireInvestor = NonNullable<WireOrganization['investors']>[number]

/** A write of this size takes a fraction of a second, in which others wait for the store. */
const recordsInPart = 300
/** With their images. A body of this size is read in a few milliseconds. */
const cooperativeBytesInPart = 4 * 1024 * 1024

export type FixtureKind =
  | 'organizations'
  | 'clients'
  | 'webhooks'
  | 'cooperatives'
  | 'investors'
  | 'share_purchases'

/** A part of a fixture file that is applied in one write. */
export interface FixturePart {
  readonly file: WireFixtureFile
  /** A part also names the records to which its own records belong. These are not counted. */
  readonly counted: readonly FixtureKind[]
  /** The number of its own records. */
  readonly size: number
  /** The keys of the cooperatives of its orders, in NFC. */
  readonly cooperatives: ReadonlySet<string>
  /** A path of the part as a path of the whole file. */
  placeOf(path: string): string
}

/**
 * Divides a file into parts of a few hundred records, in the order in which they must be applied: cooperatives,
 * organizations, investors with all their orders, and then clients and webhooks, so that a partner has access only to
 * complete data and gets no events about past orders. A small file is one part.
 */
export function divideFixtures(file: WireFixtureFile): readonly FixturePart[] {
  const pieces = [...piecesOf(file)]
  const organizations = new Set(pieces.map(({ organization }) => organization))
  const isSmall =
    sum(pieces, ({ size }) => size) + organizations.size <= recordsInPart &&
    sum(pieces, ({ bytes }) => bytes) <= cooperativeBytesInPart
  if (isSmall) return [wholeFile(file, pieces)]
  return groupPieces(pieces).map((group) => joinPieces(file, group))
}

/** Divides a catalogue into parts of a few megabytes. */
export function divideCatalogue(
  cooperatives: readonly WireCooperativeDefinition[],
): readonly (readonly WireCooperativeDefinition[])[] {
  const pieces = [...piecesOf({ cooperatives: [...cooperatives] })]
  return groupPieces(pieces).map((group) => group.flatMap(({ index }) => cooperatives[index] ?? []))
}

type Stage = 'cooperatives' | 'organizations' | 'investors' | 'access'

/** What is never divided further. */
interface Piece {
  readonly stage: Stage
  /** The position of its organization in the file. */
  readonly organization: number | undefined
  /** Its own position in its list. */
  readonly index: number
  readonly size: number
  readonly bytes: number
}

function* piecesOf({ organizations, cooperatives }: WireFixtureFile): Generator<Piece> {
  for (const [index, cooperative] of (cooperatives ?? []).entries()) {
    const bytes = JSON.stringify(cooperative).length
    yield { stage: 'cooperatives', organization: undefined, index, size: 0, bytes }
  }
  const all = [...(organizations ?? []).entries()]
  const small = { bytes: 0, index: 0 }
  for (const [organization] of all)
    yield { stage: 'organizations', organization, size: 1, ...small }
  for (const [organization, { investors }] of all) {
    for (const [index, { share_purchases }] of (investors ?? []).entries()) {
      const size = 1 + (share_purchases?.length ?? 0)
      yield { stage: 'investors', organization, index, size, bytes: 0 }
    }
  }
  for (const [organization, { clients, webhooks }] of all) {
    const size = (clients?.length ?? 0) + (webhooks?.length ?? 0)
    if (size > 0) yield { stage: 'access', organization, size, ...small }
  }
}

/** Joins neighbours of the same stage. */
function groupPieces(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const groups: Piece[][] = []
  let [size, bytes] = [0, 0]
  for (const piece of pieces) {
    const last = groups.at(-1)
    size += piece.size
    bytes += piece.bytes
    const fits =
      last?.[0]?.stage === piece.stage && size <= recordsInPart && bytes <= cooperativeBytesInPart
    if (last && fits) last.push(piece)
    else {
      groups.push([piece])
      size = piece.size
      bytes = piece.bytes
    }
  }
  return groups
}

const countedIn: Readonly<Record<Stage, readonly FixtureKind[]>> = {
  cooperatives: ['cooperatives'],
  organizations: ['organizations'],
  investors: ['investors', 'share_purchases'],
  access: ['clients', 'webhooks'],
}

function wholeFile(file: WireFixtureFile, pieces: readonly Piece[]): FixturePart {
  return {
    file,
    counted: Object.values(countedIn).flat(),
    size: sum(pieces, sizeOf),
    cooperatives: new Set(),
    placeOf: (path) => path,
  }
}

function joinPieces(file: WireFixtureFile, group: readonly Piece[]): FixturePart {
  const stage = group[0]?.stage ?? 'organizations'
  const base = { counted: countedIn[stage], size: sum(group, sizeOf) }
  if (stage === 'cooperatives') {
    const first = group[0]?.index ?? 0
    const cooperatives = group.flatMap(({ index }) => file.cooperatives?.[index] ?? [])
    const placeOf = (path: string) => shiftIndex(path, 'cooperatives', (index) => first + index)
    return { ...base, file: { cooperatives }, cooperatives: new Set(), placeOf }
  }
  const positions = [...new Set(group.map(({ organization = 0 }) => organization))]
  const investors = new Map(
    positions.map((position) => [
      position,
      group.filter(({ organization }) => organization === position).map(({ index }) => index),
    ]),
  )
  const organizations = positions.flatMap((position) => {
    const whole = file.organizations?.[position]
    return whole ? [partOf(whole, stage, investors.get(position) ?? [])] : []
  })
  const ordered = organizations.flatMap((one) => one.investors ?? []).flatMap(ordersOf)
  return {
    ...base,
    file: { organizations },
    cooperatives: new Set(ordered.map(({ cooperative }) => cooperative.normalize('NFC'))),
    placeOf: (path) => {
      const [, number] = path.split('.')
      const position = positions[Number(number)] ?? 0
      const [first = 0] = investors.get(position) ?? []
      const located = shiftIndex(path, 'organizations', () => position)
      return stage === 'investors'
        ? shiftIndex(located, `organizations.${position}.investors`, (index) => first + index)
        : located
    },
  }
}

function partOf(
  { clients, webhooks, investors, ...own }: WireOrganization,
  stage: Stage,
  indexes: readonly number[],
): WireOrganization {
  if (stage === 'organizations') return own
  const { name, organization_id } = own
  // Other fields of the organization may have changed since its own part was applied.
  const identity = { name, organization_id }
  if (stage === 'access') return { ...identity, clients, webhooks }
  return { ...identity, investors: indexes.flatMap((index) => investors?.[index] ?? []) }
}

/** Changes the index that follows `list` in the path. */
export function shiftIndex(path: string, list: string, change: (index: number) => number): string {
  if (!path.startsWith(`${list}.`)) return path
  const [index = '', ...rest] = path.slice(list.length + 1).split('.')
  return [list, change(Number(index)), ...rest].join('.')
}

function sizeOf({ stage, size }: Piece): number {
  return stage === 'cooperatives' ? 1 : size
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

function ordersOf({ share_purchases }: WireInvestor) {
  return share_purchases ?? []
}

/** The definitions of these cooperatives, for checks of parts that are applied after them. */
export function withoutImages(
  cooperatives: WireFixtureFile['cooperatives'],
  keys?: ReadonlySet<string>,
): readonly WireCooperativeDefinition[] {
  const chosen = (cooperatives ?? []).filter(({ key }) => !keys || keys.has(key.normalize('NFC')))
  return chosen.map(({ hero_image: _, card_image: __, logo_image: ___, projects, ...own }) => ({
    ...own,
    projects: projects?.map(({ image: ____, ...project }) => project),
  }))
}

const twice = 'appears more than once'

/**
 * Finds records of different parts that contradict each other, which the check of a single part does not see. Returns
 * the first `most` errors.
 */
export function findRepeats({ organizations }: WireFixtureFile, most: number): FieldErrors {
  const errors: Record<string, string> = {}
  const seen = new Set<string>()
  const refuse = (path: string, fault: string) => {
    if (Object.keys(errors).length < most) errors[path] = fault
  }
  const claim = (identity: string, path: string) => {
    if (seen.has(identity)) refuse(path, twice)
    seen.add(identity)
  }
  const ibans = new Map<string, string>()
  for (const [number, { name, clients, webhooks, investors }] of (organizations ?? []).entries()) {
    const owner = foldName(name)
    const at = `organizations.${number}`
    for (const [index, { client_id, name }] of (clients ?? []).entries())
      claim(`client ${client_id ?? `${owner}/${name}`}`, `${at}.clients.${index}.client_id`)
    for (const [index, { url }] of (webhooks ?? []).entries())
      claim(`webhook ${owner}/${parseUrl(url)?.href ?? url}`, `${at}.webhooks.${index}.url`)
    for (const [index, investor] of (investors ?? []).entries()) {
      const place = `${at}.investors.${index}`
      const { partner_customer_ref: reference, investor_id, profile } = investor
      claim(`investor ${owner}/${reference}`, `${place}.partner_customer_ref`)
      if (investor_id) claim(`investor ${investor_id}`, `${place}.investor_id`)
      for (const [position, order] of ordersOf(investor).entries()) {
        const path = `${place}.share_purchases.${position}`
        const { share_purchase_id, sepa_mandate, total } = order
        if (share_purchase_id) claim(`order ${share_purchase_id}`, `${path}.share_purchase_id`)
        const iban = sepa_mandate?.debtor_iban ?? profile?.bank_account?.iban
        if (sepa_mandate?.reference == null || iban == null) continue
        const mandate = `${owner}/${foldMandateReference(sepa_mandate.reference)}`
        const electronic = toElectronicFormat(iban)
        const first = ibans.get(mandate)
        if (first === undefined) ibans.set(mandate, electronic)
        // An order with frozen terms is recorded as it was placed, whatever the rules are.
        else if (first !== electronic && total == null)
          refuse(`${path}.sepa_mandate.reference`, otherIban)
      }
    }
  }
  return errors
}

const otherIban = 'was already used with a different debtor IBAN'
