import { boolean, enums, integer, max, min, object, optional } from 'superstruct'
import { Problem } from '../domain/problem.ts'
import type { SharePurchase } from '../domain/share-purchases/share-purchase.ts'
import { type Delivery, displayStateOf } from '../domain/webhooks/delivery.ts'
import { eventStateOf } from '../domain/webhooks/event.ts'
import { type Erasure, eraseInvestor } from '../usecases/investors/erase-investor.ts'
import {
  type FoundPerson,
  findInvestors,
  resolveShortId,
} from '../usecases/investors/find-investors.ts'
import {
  exportInvestor,
  type HoldingOf,
  type InvestorExport,
  type InvestorFile,
  listPersons,
  type OrderHistory,
  type Person,
  readInvestorFile,
} from '../usecases/investors/read-investors.ts'
import type { Service } from '../usecases/service.ts'
import type { EventWithDeliveries } from '../usecases/webhooks/read-events.ts'
import { limit, optionalText, readRange, text, timestamp } from '../wire/fields.ts'
import { renderProfileSections } from '../wire/investors.ts'
import { listOperation, operation } from './operation.ts'

const one = object({ investor_id: text() })

/** Each found person comes with their orders, so a list would be long. */
const mostFound = 50

/** The keys by which `investor list` can sort; a minus reverses the order. */
export const investorSorts = ['created_at', '-created_at'] as const

/** `organization` is an id or an exact name. */
export const investorOperations = {
  find: operation({
    input: object({ text: text(300), limit: optional(max(min(integer(), 1), mostFound)) }),
    run: async (service, input) => {
      const { persons, more, isMoreCounted, isComplete } = await findInvestors(service, input)
      return {
        found: persons.map(renderFound),
        more,
        is_more_counted: isMoreCounted,
        is_complete: isComplete,
      }
    },
  }),
  'investor.list': listOperation({
    input: object({
      organization: optional(text()),
      since: optional(timestamp()),
      until: optional(timestamp()),
      sort: optional(enums(investorSorts)),
      erased: optional(boolean()),
      limit: optional(limit()),
      /** Cursor: id of the last investor of the previous page. */
      after: optional(text()),
    }),
    batches: async function* (service, { organization, since, until, sort, erased, ...page }) {
      if (erased && [organization, since, until, sort].some((one) => one !== undefined)) {
        throw new Problem(
          'VALIDATION_ERROR',
          '`erased` cannot be combined with organization, since, until or sort.',
        )
      }
      const selection = {
        organization,
        ...readRange({ since, until }),
        isOldestFirst: sort === 'created_at',
        onlyErased: erased,
        ...page,
      }
      for await (const persons of listPersons(service, selection)) yield persons.map(renderPerson)
    },
  }),
  'investor.show': operation({
    input: one,
    run: async (service, { investor_id }) =>
      renderFile(await readInvestorFile(service, await wholeId(service, investor_id))),
  }),
  'investor.export': operation({
    input: one,
    run: async (service, { investor_id }) =>
      renderExport(await exportInvestor(service, await wholeId(service, investor_id))),
  }),
  'investor.erase': operation({
    input: object({ investor_id: text(), reason: optionalText() }),
    run: async (service, { investor_id, reason }) => {
      const investorId = await wholeId(service, investor_id)
      return renderErasure(await eraseInvestor(service, { investorId, reason }))
    },
  }),
}

function wholeId(service: Service, investorId: string): Promise<string> {
  return resolveShortId(service, 'investor', investorId)
}

/** Contains personal data, like every answer here. */
function renderPerson({ investor, organizationName, ...more }: Person) {
  const { firstName = null, lastName = null, company = null } = investor.profile ?? {}
  const name = [firstName, lastName].filter((part) => part !== null).join(' ')
  return {
    investor_id: investor.investorId,
    organization_id: investor.organizationId,
    organization: organizationName,
    partner_customer_ref: more.partnerCustomerRef,
    name: name || null,
    company: company?.name ?? null,
    email: investor.email,
    created_at: investor.createdAt,
    updated_at: investor.updatedAt,
    erased_at: more.erasedAt,
    erased_because: more.erasedBecause,
    is_damaged: more.isDamaged,
  }
}

function renderFound({ person, matched, stories, orderCount }: FoundPerson) {
  return {
    ...renderPerson(person),
    matched,
    share_purchases: stories.map(renderStory),
    more_share_purchases: orderCount - stories.length,
  }
}

function renderFile({ person, stories, orderCount, holdings }: InvestorFile) {
  return {
    ...renderPerson(person),
    phone: person.investor.profile?.phone ?? null,
    holdings: holdings.map(renderHoldingOf),
    share_purchases: stories.map(renderStory),
    more_share_purchases: orderCount - stories.length,
  }
}

function renderHoldingOf({ holding, cooperativeName }: HoldingOf) {
  return {
    cooperative_id: holding.cooperativeId,
    cooperative: cooperativeName,
    shares: holding.shares,
    pending_shares: holding.pendingShares,
    first_acquired_at: holding.firstAcquiredAt,
  }
}

/** Each change of status with its event; null if the event was removed because of its age. */
function renderStory(story: OrderHistory) {
  const { sharePurchase } = story
  const events = new Map(story.events.map((one) => [one.event.type as string, one]))
  return {
    ...renderOrder(story),
    history: sharePurchase.transitions.map(({ to, at }) => {
      const event = events.get(`share_purchase.${to}`)
      return { status: to, at, event: event ? renderEventStory(event) : null }
    }),
  }
}

function renderOrder({ sharePurchase, cooperativeName }: OrderHistory) {
  return {
    share_purchase_id: sharePurchase.sharePurchaseId,
    status: sharePurchase.status,
    cooperative_id: sharePurchase.cooperativeId,
    cooperative: cooperativeName,
    share_count: sharePurchase.shareCount,
    total: sharePurchase.total,
    total_currency: sharePurchase.currency,
    mandate_reference: sharePurchase.sepaMandate.reference,
    debtor_iban_masked: sharePurchase.sepaMandate.debtorIbanMasked || null,
    reason: sharePurchase.reason,
    created_at: sharePurchase.createdAt,
    updated_at: sharePurchase.updatedAt,
  }
}

function renderEventStory({ event, deliveries }: EventWithDeliveries) {
  return {
    event_id: event.eventId,
    type: event.type,
    state: eventStateOf(event),
    deliveries: deliveries.map(renderDelivery),
  }
}

function renderDelivery(delivery: Delivery) {
  const { target, attempts } = delivery
  return {
    delivery_id: delivery.deliveryId,
    kind: target.kind,
    webhook_endpoint_id: target.kind === 'webhook' ? target.webhookEndpointId : null,
    state: displayStateOf(delivery),
    attempts: attempts.length,
    last_attempt_at: attempts.at(-1)?.at ?? null,
    dead_because: delivery.deadBecause,
  }
}

function renderExport({ person, stories, holdings, exportedAt, debtorIbans }: InvestorExport) {
  const { profile } = person.investor
  return {
    exported_at: exportedAt,
    investor: {
      ...renderPerson(person),
      profile: profile && renderProfileSections(profile, renderAccount),
    },
    holdings: holdings.map(renderHoldingOf),
    share_purchases: stories.map((story) => ({
      ...renderStory(story),
      ...renderTerms(story.sharePurchase),
      debtor_iban: debtorIbans.get(story.sharePurchase.sharePurchaseId) || null,
      events: story.events.map(({ event }) => ({
        event_id: event.eventId,
        created_at: event.createdAt,
        body: event.body,
      })),
    })),
  }
}

interface Account {
  readonly iban: string
  readonly bic: string | null
  readonly institution: string | null
  readonly accountHolder: string | null
}

function renderAccount({ iban, bic, institution, accountHolder }: Account) {
  return { iban, bic, institution, account_holder: accountHolder }
}

function renderTerms({ consents, sepaMandate, ...order }: SharePurchase) {
  return {
    applicant_type: order.applicantType,
    price_per_share: order.pricePerShare,
    entry_fee: order.entryFee,
    mandate_signed_at: sepaMandate.signedAt,
    terms_consent_given_at: consents.terms.givenAt,
    privacy_consent_given_at: consents.privacy.givenAt,
    statute_consent_given_at: consents.statute.givenAt,
  }
}

export const removedParts = [
  'name',
  'contact',
  'birth_date',
  'tax_id',
  'bank_account',
  'partner_customer_ref',
  'consents',
] as const

function renderErasure(erasure: Erasure) {
  return {
    investor_id: erasure.investorId,
    organization_id: erasure.organizationId,
    erased_at: erasure.erasedAt,
    reason: erasure.reason,
    was_erased_before: !erasure.isNew,
    removed: [...removedParts],
    removed_mail_files: erasure.mailFiles,
    is_compacted: erasure.isCompacted,
    kept: [
      {
        what: 'share_purchases' as const,
        count: erasure.orderCount,
        why: 'Accounting and tax law require the amounts, dates, ids and mandate references of payments to be kept (in Germany section 257 of the HGB and section 147 of the AO).',
      },
      {
        what: 'holdings' as const,
        count: erasure.holdingCount,
        why: 'The list of members of a cooperative counts the shares (in Germany section 30 of the GenG).',
      },
    ],
  }
}
