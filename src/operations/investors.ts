import { boolean, enums, object, optional } from 'superstruct'
import type { Cooperative } from '../domain/cooperatives/cooperative.ts'
import { type BankAccount, type Profile, personName } from '../domain/investors/profile.ts'
import type { Organization } from '../domain/organizations/organization.ts'
import { collectionStates, type Debtor } from '../domain/payments/debit-collection.ts'
import {
  type Attempt,
  attemptStates,
  type Payment,
  paymentStates,
  paymentWays,
} from '../domain/payments/payment.ts'
import { Problem } from '../domain/problem.ts'
import {
  applicantTypes,
  type SharePurchaseStatus,
  sharePurchaseStatuses,
} from '../domain/share-purchases/share-purchase.ts'
import {
  type Delivery,
  deliveryKinds,
  displayStateOf,
  displayStates,
} from '../domain/webhooks/delivery.ts'
import {
  type Event,
  eventStateOf,
  eventStates,
  eventTypes,
  sharePurchaseIdOf,
} from '../domain/webhooks/event.ts'
import type { FoundClient, FoundCollection } from '../usecases/find-records.ts'
import { type Erasure, eraseInvestor } from '../usecases/investors/erase-investor.ts'
import {
  type Found,
  type FoundPerson,
  find,
  matchKinds,
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
import { integerWithin } from '../wire/bounds.ts'
import * as given from '../wire/fields.ts'
import { type ProfileField, renderProfileSections } from '../wire/investors.ts'
import * as schemas from '../wire/json-schema.ts'
import {
  amount,
  bool,
  count,
  date,
  dateOrNull,
  type Field,
  field,
  fieldsOf,
  id,
  idOrNull,
  instant,
  instantOrNull,
  listOf,
  nested,
  nestedOrNull,
  oneOf,
  oneOfOrNull,
  text,
  textOrNull,
  valuesOf,
  view,
} from '../wire/view.ts'
import { listOperation, operation } from './operation.ts'

/** Contains personal data, like every answer here. */
const person = view<Person>()('Person', {
  investor_id: id('Investor id.', (it) => it.investor.investorId),
  organization_id: id("Id of the partner's organization.", (it) => it.investor.organizationId),
  organization: text('Name of the partner.', (it) => it.organizationName),
  partner_customer_ref: textOrNull(
    'The partner’s reference for the investor; null after the person was erased.',
    (it) => it.partnerCustomerRef,
  ),
  name: textOrNull(
    'First and last name.',
    ({ investor: { profile } }) => profile && personName(profile),
  ),
  company: textOrNull('Name of the company.', (it) => it.investor.profile?.company?.name ?? null),
  email: textOrNull('E-mail address.', (it) => it.investor.email),
  created_at: instant('Time of registration.', (it) => it.investor.createdAt),
  updated_at: instant('Time of the last change.', (it) => it.investor.updatedAt),
  erased_at: instantOrNull('Time of the erasure.', (it) => it.erasedAt),
  erased_because: textOrNull('Reason for the erasure.', (it) => it.erasedBecause),
  is_damaged: bool(
    'True if the personal data is damaged and therefore null here.',
    (it) => it.isDamaged,
  ),
})

const position = view<HoldingOf>()('Position', {
  cooperative_id: id('Id of the cooperative.', (it) => it.holding.cooperativeId),
  cooperative: text('Cooperative name.', (it) => it.cooperativeName),
  shares: count('Number of settled shares.', (it) => it.holding.shares),
  pending_shares: count('Number of shares in open orders.', (it) => it.holding.pendingShares),
  first_acquired_at: instantOrNull(
    'Time when the first order was settled.',
    (it) => it.holding.firstAcquiredAt,
  ),
})

const deliveryOfStep = view<Delivery>()('Delivery of a step', {
  delivery_id: id('Id of the delivery.', (it) => it.deliveryId),
  kind: oneOf(deliveryKinds, 'Webhook, or e-mail to the investor.', (it) => it.target.kind),
  webhook_endpoint_id: idOrNull('Webhook endpoint id.', ({ target }) =>
    target.kind === 'webhook' ? target.webhookEndpointId : null,
  ),
  state: oneOf(displayStates, 'Delivery state.', (it) => displayStateOf(it)),
  attempts: count('Number of attempts so far.', (it) => it.attempts.length),
  last_attempt_at: instantOrNull(
    'Time of the last attempt.',
    (it) => it.attempts.at(-1)?.at ?? null,
  ),
  dead_because: textOrNull('Why the delivery is dead.', (it) => it.deadBecause),
})

const eventOfStep = view<EventWithDeliveries>()('Event of a step', {
  event_id: id('Event id.', (it) => it.event.eventId),
  type: oneOf(eventTypes, 'Event type.', (it) => it.event.type),
  state: oneOf(eventStates, 'State of all webhook deliveries of the event.', (it) =>
    eventStateOf(it.event),
  ),
  deliveries: listOf(
    deliveryOfStep,
    'Webhooks and the e-mail to the investor.',
    (it) => it.deliveries,
  ),
})

interface Step {
  readonly status: SharePurchaseStatus
  readonly at: string
  readonly event: EventWithDeliveries | null
}
const step = view<Step>()('Step of an order', {
  status: oneOf(sharePurchaseStatuses, 'New status.', (it) => it.status),
  at: instant('Time of the change.', (it) => it.at),
  event: nestedOrNull(
    eventOfStep,
    'Event of the transition; null if the event was removed.',
    (it) => it.event,
  ),
})

/** Each change of status with its event; null if the event was removed because of its age. */
function stepsOf({ sharePurchase, events }: OrderHistory): readonly Step[] {
  const byType = new Map(events.map((each) => [each.event.type as string, each]))
  return sharePurchase.transitions.map(({ to, at }) => ({
    status: to,
    at,
    event: byType.get(`share_purchase.${to}`) ?? null,
  }))
}

const order = view<OrderHistory>()('Order with story', {
  share_purchase_id: id('Share purchase id.', (it) => it.sharePurchase.sharePurchaseId),
  status: oneOf(
    sharePurchaseStatuses,
    'Status of the share purchase.',
    (it) => it.sharePurchase.status,
  ),
  cooperative_id: id('Id of the cooperative.', (it) => it.sharePurchase.cooperativeId),
  cooperative: text('Cooperative name.', (it) => it.cooperativeName),
  share_count: count('Number of shares.', (it) => it.sharePurchase.shareCount),
  total: amount('Amount to pay.', (it) => it.sharePurchase.total),
  total_currency: text('Currency, ISO 4217.', (it) => it.sharePurchase.currency),
  mandate_reference: text(
    'SEPA mandate reference.',
    (it) => it.sharePurchase.sepaMandate.reference,
  ),
  debtor_iban_masked: textOrNull(
    'Masked IBAN; null after the person was erased.',
    (it) => it.sharePurchase.sepaMandate.debtorIbanMasked || null,
  ),
  reason: textOrNull('Reason for the rejection.', (it) => it.sharePurchase.reason),
  created_at: instant('Time when the order was placed.', (it) => it.sharePurchase.createdAt),
  updated_at: instant('Time of the last change.', (it) => it.sharePurchase.updatedAt),
  history: listOf(step, 'Status changes, oldest first.', stepsOf),
})

interface WithOrders {
  readonly stories: readonly OrderHistory[]
  readonly orderCount: number
}
const orderFields = {
  share_purchases: listOf(order, 'Orders, each with its history.', (it: WithOrders) => it.stories),
  more_share_purchases: count(
    'Number of further orders that the list leaves out.',
    (it: WithOrders) => it.orderCount - it.stories.length,
  ),
}

const foundPerson = view<FoundPerson>()('Found person', {
  ...fieldsOf(person, (it: FoundPerson) => it.person),
  matched: valuesOf(
    schemas.oneOf(matchKinds, ''),
    'Which value of the person or their orders matches the text.',
    (it) => it.matched,
  ),
  ...orderFields,
})

const foundOrganization = view<Organization>()('Found partner', {
  organization_id: id('Organization id.', (it) => it.organizationId),
  name: text('Name of the partner.', (it) => it.name),
  disabled: bool('Whether the partner is disabled.', (it) => it.disabled),
})

const foundClient = view<FoundClient>()('Found client', {
  client_id: id('Client id.', (it) => it.client.clientId),
  name: textOrNull('Name of the client.', (it) => it.client.name),
  organization_id: id("Id of the partner's organization.", (it) => it.client.organizationId),
  organization: text('Name of the partner.', (it) => it.organizationName),
})

const foundCooperative = view<Cooperative>()('Found cooperative', {
  cooperative_id: id('Id of the cooperative.', (it) => it.id),
  key: text('Cooperative key.', (it) => it.key),
  name: text('Cooperative name.', (it) => it.name),
  city: textOrNull('City where the cooperative is.', (it) => it.city),
})

const foundCollection = view<FoundCollection>()('Found collection', {
  collection_id: id('Id of the collection.', (it) => it.collection.collectionId),
  cooperative: text('Cooperative name.', (it) => it.cooperativeName),
  state: oneOf(collectionStates, 'State of the collection.', (it) => it.collection.state),
  due_date: date('Due date.', (it: FoundCollection) => it.collection.dueDate),
})

const foundEvent = view<Event>()('Found event', {
  event_id: id('Event id.', (it) => it.eventId),
  type: oneOf(eventTypes, 'Event type.', (it) => it.type),
  share_purchase_id: id('Share purchase id.', sharePurchaseIdOf),
  created_at: instant('Time of the event.', (it) => it.createdAt),
})

const found = view<Found>()('Found', {
  found: listOf(
    foundPerson,
    'Persons who match. Persons with a whole word that you typed come first, then the newest.',
    (it) => it.persons,
  ),
  more: count('Number of further persons that the list leaves out.', (it) => it.more),
  is_more_counted: bool(
    'Whether `more` is the exact number; if false, there are more matches.',
    (it) => it.isMoreCounted,
  ),
  organizations: listOf(foundOrganization, 'Partners who match.', (it) => it.organizations),
  clients: listOf(foundClient, 'Clients that match.', (it) => it.clients),
  cooperatives: listOf(foundCooperative, 'Cooperatives that match.', (it) => it.cooperatives),
  collections: listOf(
    foundCollection,
    'The collection that has this id, or whose file has it.',
    (it) => it.collections,
  ),
  events: listOf(foundEvent, 'Events whose id matches.', (it) => it.events),
  more_records: count(
    'Number of further partners, clients, cooperatives and events that these lists leave out.',
    (it) => it.moreRecords,
  ),
})

const investor = view<InvestorFile>()('Investor', {
  ...fieldsOf(person, (it: InvestorFile) => it.person),
  phone: textOrNull('Phone number.', (it) => it.person.investor.profile?.phone ?? null),
  holdings: listOf(position, 'Shares by cooperative.', (it) => it.holdings),
  ...orderFields,
})

function renderAccount({ iban, bic, institution, accountHolder }: BankAccount) {
  return { iban, bic, institution, account_holder: accountHolder }
}

type Sections = ReturnType<typeof sectionsOf>
function sectionsOf(profile: Profile) {
  return renderProfileSections(profile, renderAccount)
}

const section = (description: string) => ({ type: 'object', description })
const sectionOrNull = (description: string) => schemas.orNull(section(description))

const profile = view<Sections>()('Exported profile', {
  first_name: textOrNull('First name.', (it) => it.first_name),
  last_name: textOrNull('Last name.', (it) => it.last_name),
  birth_date: textOrNull('Date of birth.', (it) => it.birth_date),
  tax_id: textOrNull('Tax number.', (it) => it.tax_id),
  phone: textOrNull('Phone number.', (it) => it.phone),
  address: field(sectionOrNull('Postal address.'), (it: Sections) => it.address),
  bank_account: field(
    sectionOrNull('Bank account, with the whole IBAN.'),
    (it: Sections) => it.bank_account,
  ),
  company: field(sectionOrNull("Investor's company."), (it: Sections) => it.company),
  consents: field(section('Consents, each with its time.'), (it: Sections) => it.consents),
} satisfies Record<ProfileField, Field<Sections, unknown>>)

const exportedPerson = view<Person>()('Exported person', {
  ...person.fields,
  profile: nestedOrNull(
    profile,
    'The profile as the partner sent it.',
    (it) => it.investor.profile && sectionsOf(it.investor.profile),
  ),
})

const exportedEvent = view<Event>()('Exported event', {
  event_id: id('Event id.', (it) => it.eventId),
  type: oneOf(
    eventTypes,
    'Event type. `payment.announced` goes to the investor only.',
    (it) => it.type,
  ),
  created_at: instant('Time of the event.', (it) => it.createdAt),
  body: text('The exact text that is signed and sent.', (it) => it.body),
})

type ExportedAttempt = Attempt & { readonly debtor: Debtor | undefined }
const exportedAttempt = view<ExportedAttempt>()('Exported payment attempt', {
  end_to_end_id: text('End-to-end reference of the direct debit.', (it) => it.endToEndId),
  due_date: date('Due date.', (it: ExportedAttempt) => it.dueDate),
  state: oneOf(attemptStates, 'State of the direct debit.', (it) => it.state),
  return_code: textOrNull('Code of the bank for the return.', (it) => it.returnCode),
  debtor_name: textOrNull('Payer.', (it) => it.debtor?.name ?? null),
  debtor_iban: textOrNull('IBAN that was debited.', (it) => it.debtor?.iban ?? null),
  debtor_address: textOrNull('Address, if the bank got one.', (it) =>
    it.debtor?.address ? Object.values(it.debtor.address).join(', ') : null,
  ),
})

interface ExportedPayment {
  readonly payment: Payment
  readonly attempts: readonly ExportedAttempt[]
}
const exportedPayment = view<ExportedPayment>()('Exported payment', {
  state: oneOf(paymentStates, 'State of the payment.', (it) => it.payment.state),
  amount: amount('Amount to pay.', (it) => it.payment.amount),
  amount_currency: text('Currency, ISO 4217.', (it) => it.payment.currency),
  paid_at: dateOrNull('Day on which the money came.', (it: ExportedPayment) => it.payment.paidOn),
  paid_by: oneOfOrNull(paymentWays, 'How the money came.', (it) => it.payment.paidBy),
  transfer_reference: textOrNull(
    'Reference of the transfer.',
    (it) => it.payment.transferReference,
  ),
  returned_at: dateOrNull(
    'Day on which the money went back.',
    (it: ExportedPayment) => it.payment.returnedOn,
  ),
  return_code: textOrNull('Code of the bank for the return.', (it) => it.payment.returnCode),
  charges: amount('Charges of banks for returns.', (it) => it.payment.charges),
  attempts: listOf(exportedAttempt, 'Direct debits, oldest first.', (it) => it.attempts),
})

interface ExportedOrder extends OrderHistory {
  readonly debtorIban: string | null
  readonly exportedPayment: ExportedPayment | null
}
const exportedOrder = view<ExportedOrder>()('Exported order', {
  ...order.fields,
  applicant_type: oneOf(
    applicantTypes,
    'Who buys the shares.',
    (it) => it.sharePurchase.applicantType,
  ),
  price_per_share: amount(
    'Share price when the order was placed.',
    (it) => it.sharePurchase.pricePerShare,
  ),
  entry_fee: amount('Entry fee for this order.', (it) => it.sharePurchase.entryFee),
  mandate_signed_at: instant(
    'Time when the mandate was signed.',
    (it) => it.sharePurchase.sepaMandate.signedAt,
  ),
  terms_consent_given_at: instantOrNull(
    'Time of consent to the terms.',
    (it) => it.sharePurchase.consents.terms.givenAt,
  ),
  privacy_consent_given_at: instantOrNull(
    'Time of consent to the privacy policy.',
    (it) => it.sharePurchase.consents.privacy.givenAt,
  ),
  statute_consent_given_at: instantOrNull(
    'Time of consent to the statute.',
    (it) => it.sharePurchase.consents.statute.givenAt,
  ),
  debtor_iban: textOrNull(
    'IBAN of the paying account; null after the person was erased.',
    (it) => it.debtorIban,
  ),
  payment: nestedOrNull(
    exportedPayment,
    'The payment; null if no payments are collected for the cooperative.',
    (it) => it.exportedPayment,
  ),
  events: listOf(
    exportedEvent,
    'Events of the order, which the partner and the investor got.',
    (it) => it.events.map((each) => each.event),
  ),
})

const exported = view<InvestorExport>()('Exported investor', {
  exported_at: instant('Time of the export.', (it) => it.exportedAt),
  investor: nested(exportedPerson, 'The person.', (it) => it.person),
  holdings: listOf(position, 'Shares by cooperative.', (it) => it.holdings),
  share_purchases: listOf(
    exportedOrder,
    'All orders, newest first.',
    ({ stories, debtorIbans, debtors }) =>
      stories.map((story) => ({
        ...story,
        debtorIban: debtorIbans.get(story.sharePurchase.sharePurchaseId) || null,
        exportedPayment: withDebtors(story.payment, debtors),
      })),
  ),
})

function withDebtors(
  payment: Payment | undefined,
  debtors: InvestorExport['debtors'],
): ExportedPayment | null {
  if (!payment) return null
  const attempts = payment.attempts.map((attempt) => ({
    ...attempt,
    debtor: debtors.get(attempt.endToEndId),
  }))
  return { payment, attempts }
}

const removedParts = [
  'name',
  'contact',
  'birth_date',
  'tax_id',
  'bank_account',
  'partner_customer_ref',
  'consents',
] as const

interface KeptRecords {
  readonly what: 'share_purchases' | 'holdings'
  readonly count: number
  readonly why: string
}
const keptRecords = view<KeptRecords>()('Kept records', {
  what: oneOf(['share_purchases', 'holdings'], 'Record kind.', (it) => it.what),
  count: count('Number of the records.', (it) => it.count),
  why: text('Reason why the records are kept.', (it) => it.why),
})

export const erased = view<Erasure>()('Erased investor', {
  investor_id: id('Investor id.', (it) => it.investorId),
  organization_id: id("Id of the partner's organization.", (it) => it.organizationId),
  erased_at: instant('Time of the erasure.', (it) => it.erasedAt),
  reason: textOrNull('Reason for the erasure.', (it) => it.reason),
  was_erased_before: bool('Whether the person had been erased before.', (it) => !it.isNew),
  removed: valuesOf(schemas.oneOf(removedParts, ''), 'What was removed.', () => removedParts),
  removed_mail_files: count(
    'Number of e-mails that were removed from the mail directory.',
    (it) => it.mailFiles,
  ),
  is_compacted: bool(
    'Whether the store files were rewritten without the person.',
    (it) => it.isCompacted,
  ),
  kept: listOf(keptRecords, 'Records that stay, and the reasons.', (it): readonly KeptRecords[] => [
    {
      what: 'share_purchases',
      count: it.orderCount,
      why: 'Accounting and tax law require the amounts, dates, ids and mandate references of payments to be kept (in Germany section 257 of the HGB and section 147 of the AO).',
    },
    {
      what: 'holdings',
      count: it.holdingCount,
      why: 'The list of members of a cooperative counts the shares (in Germany section 30 of the GenG).',
    },
  ]),
})

const one = object({ investor_id: given.text() })
const personalData = 'The answer contains personal data.'
const needsInvestor = { role: 'viewer', problems: ['INVESTOR_NOT_FOUND'] } as const

/** Each found person comes with their orders, so a list would be long. */
const mostFound = 50

/** The keys by which `investor list` can sort; a minus reverses the order. */
export const investorSorts = ['created_at', '-created_at'] as const

/** `organization` is an id or an exact name. */
export const investorOperations = {
  find: operation({
    role: 'viewer',
    summary: 'Find persons, orders, partners, clients, cooperatives and events.',
    note: 'The answer contains personal data. You can find persons and their orders by name, e-mail address, IBAN, reference or id. Each word may be the beginning of a word in a name; for persons, it needs three letters or more. The first 6 characters of an id are enough. Addresses and references must match in full.',
    input: object({
      text: given.text(300),
      limit: optional(integerWithin({ min: 1, max: mostFound })),
    }),
    answer: found,
    run: find,
  }),
  'investor.list': listOperation({
    role: 'viewer',
    summary: 'List investors, newest first.',
    note: personalData,
    problems: ['ORGANIZATION_NOT_FOUND'],
    input: object({
      organization: optional(given.text()),
      since: optional(given.timestamp()),
      until: optional(given.timestamp()),
      sort: optional(enums(investorSorts)),
      erased: optional(boolean()),
      limit: optional(given.limit()),
      /** Cursor: id of the last investor of the previous page. */
      after: optional(given.text()),
    }),
    row: person,
    batches: (service, { organization, since, until, sort, erased: onlyErased, ...page }) => {
      if (onlyErased && [organization, since, until, sort].some((each) => each !== undefined)) {
        throw new Problem(
          'VALIDATION_ERROR',
          '`erased` cannot be combined with organization, since, until or sort.',
        )
      }
      return listPersons(service, {
        organization,
        ...given.readRange({ since, until }),
        isOldestFirst: sort === 'created_at',
        onlyErased,
        ...page,
      })
    },
  }),
  'investor.show': operation({
    ...needsInvestor,
    summary: 'Show an investor with holdings and the newest orders.',
    note: personalData,
    input: one,
    answer: investor,
    run: async (service, { investor_id }) =>
      readInvestorFile(service, await wholeId(service, investor_id)),
  }),
  'investor.export': operation({
    role: 'operator',
    summary: 'Export everything that the store has about a person.',
    note: 'The answer contains personal data, bank accounts included.',
    problems: ['INVESTOR_NOT_FOUND', 'STORE_DAMAGED'],
    input: one,
    answer: exported,
    run: async (service, { investor_id }) =>
      exportInvestor(service, await wholeId(service, investor_id)),
  }),
  'investor.erase': operation({
    role: 'administrator',
    summary: 'Erase an investor’s personal data, but keep orders and holdings.',
    note: 'You cannot undo this. From then on, partners get a 404, as for an unknown investor.',
    problems: ['INVESTOR_NOT_FOUND', 'INVESTOR_HAS_OPEN_ORDERS', 'INVESTOR_IS_MEMBER'],
    input: object({
      investor_id: given.text(),
      reason: given.optionalText(),
      although_member: optional(boolean()),
    }),
    answer: erased,
    run: async (service, { investor_id, reason, although_member: althoughMember }) => {
      const investorId = await wholeId(service, investor_id)
      return eraseInvestor(service, { investorId, reason, althoughMember })
    },
  }),
}

function wholeId(service: Service, investorId: string): Promise<string> {
  return resolveShortId(service, 'investor', investorId)
}
