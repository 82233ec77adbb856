import type { Holding } from '../../domain/holdings/holding.ts'
import type { PersonalData, StoredInvestor } from '../../domain/investors/investor.ts'
import { referenceOfErased } from '../../domain/investors/investor.ts'
import { Problem } from '../../domain/problem.ts'
import {
  isOpen,
  nameOrders,
  type SharePurchase,
} from '../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { deriveDeliveryId } from '../../domain/webhooks/delivery.ts'
import { deriveEventId } from '../../domain/webhooks/event.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import { announcingMailOf } from '../payments/announcement.ts'
import type { Service } from '../service.ts'
import { termsOfOrder } from '../share-purchases/place-share-purchase.ts'
import { requireAnyInvestor } from './read-investors.ts'
import { readSearchTerms, type SearchTerms } from './search-terms.ts'

export interface EraseInvestor {
  readonly investorId: string
  /** The reason, for people. The reason must not name the person. */
  readonly reason?: string | null | undefined
  /** Erase even a person who holds shares. Needs a reason. */
  readonly althoughMember?: boolean | undefined
}

export interface Erasure {
  readonly investorId: string
  readonly organizationId: string
  readonly erasedAt: Timestamp
  readonly reason: string | null
  /** False if the person had been erased before. */
  readonly isNew: boolean
  readonly orderCount: number
  readonly holdingCount: number
  /** E-mails in the mail directory that were removed. */
  readonly mailFiles: number
  /** Whether the files of the store were rewritten without the person; a database does that automatically. */
  readonly isCompacted: boolean
}

/**
 * Removes a person with all identifying data, and keeps the data that the books refer to. Safe to call repeatedly:
 * another call finishes an erasure whose compaction failed.
 */
export async function eraseInvestor(service: Service, input: EraseInvestor): Promise<Erasure> {
  const { store, mailer, storeAdmin, vault } = service
  const { orders, payments, ...erasure } = await store.write(
    subjects.investor(input.investorId),
    (records) => eraseIn(records, service, input),
  )
  vault.forget()
  // Events may have been removed because of their age, but the ids of their e-mails are derived from the facts.
  const mails = orders.flatMap(({ sharePurchaseId, transitions }) =>
    transitions.map(({ to }) =>
      deriveDeliveryId(deriveEventId(sharePurchaseId, to), { kind: 'mail' }),
    ),
  )
  const announcements = payments.flatMap(({ attempts }) =>
    attempts.map(({ endToEndId }) => announcingMailOf(endToEndId)),
  )
  const mailFiles = await mailer.removeFiles([...mails, ...announcements])
  const isCompacted = storeAdmin.stats() !== null
  if (isCompacted) {
    // The journal contains the former records, with their key.
    await storeAdmin.compact().catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new Problem(
        'SERVICE_UNAVAILABLE',
        `The person is erased, but the journal still has their former records, because it could not be compacted: ${reason} Then erase the person again, which compacts the journal.`,
        { cause },
      )
    })
  }
  return { ...erasure, orderCount: orders.length, mailFiles, isCompacted }
}

async function eraseIn(records: Records, service: Service, input: EraseInvestor) {
  const { investorId, reason } = input
  const stored = await requireAnyInvestor(records, investorId)
  const { organizationId } = stored
  // Looks for a holding of each cooperative, even where there is none: every new order changes one of
  // them, so no order can be placed while the person is being erased.
  const found = await Promise.all(
    (await records.cooperatives.list()).map(({ id }) =>
      records.holdings.find(organizationId, stored.investorId, id),
    ),
  )
  const holdings = found.filter((holding) => holding !== undefined)
  const orders = await records.sharePurchases.listByInvestors(organizationId, [stored.investorId])
  const open = orders.filter(isOpen)
  if (open.length > 0) {
    throw new Problem(
      'INVESTOR_HAS_OPEN_ORDERS',
      `Share purchases of this investor are open: ${nameOrders(open)}. Settle, reject or cancel them first, because without the person they could neither be settled nor rejected.`,
    )
  }
  const searchTerms = await readSearchTerms(records, service)
  requireImpersonal(searchTerms, stored, reason ?? '')
  const erasedAt = stored.erasedAt ?? service.clock.now()
  const because = reason ?? stored.erasedBecause ?? null
  const isNew = stored.erasedAt === undefined
  const shares = holdings.filter((holding) => holding.shares > 0)
  const isMember = isNew && shares.length > 0
  if (isMember) await requireAlthoughMember(records, shares, input)
  if (isNew || because !== (stored.erasedBecause ?? null)) {
    const erased = withoutPerson(service, stored, { erasedAt, because })
    await records.investors.put(isMember ? { ...erased, erasedAlthoughMember: true } : erased)
  }
  if (isNew) {
    for (const order of orders) {
      await records.sharePurchases.put(withoutPayer(service, searchTerms, order))
    }
  }
  for (const { sharePurchaseId } of orders) await eraseFromBank(records, sharePurchaseId)
  const whose = { investorId: stored.investorId, organizationId }
  const holdingCount = holdings.length
  const payments = await Promise.all(
    orders.map(({ sharePurchaseId }) => records.payments.get(sharePurchaseId)),
  )
  const opened = payments.filter((payment) => payment !== undefined)
  return { ...whose, erasedAt, reason: because, isNew, orders, payments: opened, holdingCount }
}

/**
 * After the erasure, nothing is left with which a reason could be compared. Shorter words than `Eva` are in too many
 * reasons.
 */
function requireImpersonal(
  searchTerms: SearchTerms,
  { searchTerms: known }: StoredInvestor,
  reason: string,
): void {
  const words = reason.match(/[^\s,;:()<>"]{2,}[^\s,;:()<>".]/g) ?? []
  const kinds = ['name', 'email', 'iban', 'partner_customer_ref'] as const
  const terms = words.flatMap((word) =>
    kinds.flatMap((kind) => searchTerms.ofText(kind, word).flat()),
  )
  if (!terms.some((term) => known.includes(term))) return
  const what =
    'contains a name, an address or a number of the person, which would stay in the store. Leave it out'
  throw new Problem('VALIDATION_ERROR', `The reason ${what}.`, { errors: { reason: what } })
}

/** The list of members has the name and address of everyone who holds shares (section 30 of the GenG). */
async function requireAlthoughMember(
  { cooperatives }: ReadableRecords,
  held: readonly Holding[],
  { althoughMember, reason }: EraseInvestor,
): Promise<void> {
  if (althoughMember && reason) return
  if (althoughMember) {
    const errors = { reason: 'is needed to erase a person who holds shares' }
    throw new Problem('VALIDATION_ERROR', 'Say why you erase a member.', { errors })
  }
  const names = held.map(async ({ cooperativeId, shares }) => {
    const cooperative = await cooperatives.get(cooperativeId)
    return `${cooperative?.key ?? cooperativeId} (${shares})`
  })
  throw new Problem(
    'INVESTOR_IS_MEMBER',
    `This person holds shares: ${(await Promise.all(names)).join(', ')}. Each cooperative must keep the name and address of its members in its list of members (in Germany section 30 of the GenG). If it keeps this list elsewhere, erase the person with \`coopshare investor erase --although-member --reason TEXT\`.`,
  )
}

function withoutPerson(
  { vault }: Service,
  { investorId, organizationId, createdAt, erasedAlthoughMember }: StoredInvestor,
  { erasedAt, because }: { readonly erasedAt: Timestamp; readonly because: string | null },
): StoredInvestor {
  return {
    investorId,
    organizationId,
    partnerCustomerRef: referenceOfErased(investorId),
    encryptedPersonalData: vault.encrypt(
      JSON.stringify({ email: null, profile: null } satisfies PersonalData),
    ),
    searchTerms: [],
    createdAt,
    updatedAt: erasedAt,
    erasedAt,
    ...(because !== null && { erasedBecause: because }),
    ...(erasedAlthoughMember && { erasedAlthoughMember }),
  }
}

/** Banks name the payer, and operators may do so in a reference. */
async function eraseFromBank(
  { payments, statementEntries }: Records,
  sharePurchaseId: string,
): Promise<void> {
  const [payment, entries] = await Promise.all([
    payments.get(sharePurchaseId),
    statementEntries.listByOrder(sharePurchaseId),
  ])
  if (payment && payment.transferReference !== null)
    await payments.put({ ...payment, transferReference: null })
  for (const entry of entries) {
    if (entry.encryptedText !== null) await statementEntries.put({ ...entry, encryptedText: null })
  }
}

/** The reference of the mandate stays, because banks name it when they return a direct debit. */
function withoutPayer(
  { vault }: Service,
  searchTerms: SearchTerms,
  order: SharePurchase,
): SharePurchase {
  const { sepaMandate, sharePurchaseId } = order
  const { reference } = sepaMandate
  return {
    ...order,
    searchTerms: termsOfOrder(searchTerms, { reference }, sharePurchaseId),
    sepaMandate: { ...sepaMandate, encryptedDebtorIban: vault.encrypt(''), debtorIbanMasked: '' },
  }
}
