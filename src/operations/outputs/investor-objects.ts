import { sharePurchaseStatuses } from '../../domain/share-purchases/share-purchase.ts'
import { deliveryKinds, displayStates } from '../../domain/webhooks/delivery.ts'
import { eventStates, eventTypes } from '../../domain/webhooks/event.ts'
import { matchKinds } from '../../usecases/investors/find-investors.ts'
import {
  amount,
  bool,
  count,
  id,
  instant,
  type JsonSchema,
  list,
  oneOf,
  orNull,
  record,
  refer,
  text,
} from '../../wire/json-schema.ts'
import { removedParts } from '../investors.ts'
import type { Output, Row } from '../operations.ts'

type Found = Output<'find'>
type FoundPerson = Found['found'][number]
type Investor = Output<'investor.show'>
type Order = Investor['share_purchases'][number]
type Step = Order['history'][number]
type StepEvent = NonNullable<Step['event']>
type Exported = Output<'investor.export'>
type ExportedOrder = Exported['share_purchases'][number]
type Profile = NonNullable<Exported['investor']['profile']>
type Erased = Output<'investor.erase'>

const person = {
  investor_id: id('Id of the investor.'),
  organization_id: id('Organization of the partner.'),
  organization: text('Name of the partner.'),
  partner_customer_ref: orNull(
    text('The partner’s reference for the investor; null once the person is erased.'),
  ),
  name: orNull(text('First and last name.')),
  company: orNull(text('Name of the company.')),
  email: orNull(text('E-mail address.')),
  created_at: instant('Time of registration.'),
  updated_at: instant('Time of the last change.'),
  erased_at: orNull(instant('Time at which the person was erased.')),
  erased_because: orNull(text('Reason for the erasure.')),
  is_damaged: bool('True if the personal data is damaged and therefore null here.'),
}

const orders = {
  share_purchases: list(refer('Order with story'), 'Orders, each with its history.'),
  more_share_purchases: count('Number of orders that are not in the list.'),
}

const order = {
  share_purchase_id: id('Id of the share purchase.'),
  status: oneOf(sharePurchaseStatuses, 'Status of the share purchase.'),
  cooperative_id: id('Id of the cooperative.'),
  cooperative: text('Name of the cooperative.'),
  share_count: count('Number of shares.'),
  total: amount('Amount to pay.'),
  total_currency: text('Currency, ISO 4217.'),
  mandate_reference: text('Reference of the SEPA mandate.'),
  debtor_iban_masked: orNull(text('Masked IBAN; null once the person is erased.')),
  reason: orNull(text('Reason for the rejection.')),
  created_at: instant('Time at which the order was placed.'),
  updated_at: instant('Time of the last change.'),
  history: list(refer('Step of an order'), 'Status changes, oldest first.'),
}

const givenAt = (what: string) => orNull(instant(`Time of the consent to ${what}.`))

export const investorObjects: Readonly<Record<string, JsonSchema>> = {
  'Found persons': record<Found>({
    found: list(refer('Found person'), 'Persons who match, newest first.'),
    more: count('Number of matches that are not in the list.'),
    is_more_counted: bool('False if there are more matches than `more` says.'),
    is_complete: bool('False while the service is still indexing records of an earlier release.'),
  }),
  'Found person': record<FoundPerson>({
    ...person,
    matched: list(
      oneOf(matchKinds, ''),
      'Which value of the person or their orders matches the text.',
    ),
    ...orders,
  }),
  Person: record<Row<'investor.list'>>(person),
  Investor: record<Investor>({
    ...person,
    phone: orNull(text('Phone number.')),
    holdings: list(refer('Position'), 'Shares by cooperative.'),
    ...orders,
  }),
  Position: record<Investor['holdings'][number]>({
    cooperative_id: id('Id of the cooperative.'),
    cooperative: text('Name of the cooperative.'),
    shares: count('Number of settled shares.'),
    pending_shares: count('Number of shares in open orders.'),
    first_acquired_at: orNull(instant('Time at which an order was first settled.')),
  }),
  'Order with story': record<Order>(order),
  'Step of an order': record<Step>({
    status: oneOf(sharePurchaseStatuses, 'New status.'),
    at: instant('Time of the change.'),
    event: orNull(refer('Event of a step', 'Event of the step; null if the event was removed.')),
  }),
  'Event of a step': record<StepEvent>({
    event_id: id('Id of the event.'),
    type: oneOf(eventTypes, 'Type of the event.'),
    state: oneOf(eventStates, 'State of the deliveries to webhook endpoints.'),
    deliveries: list(refer('Delivery of a step'), 'Webhooks and the e-mail to the investor.'),
  }),
  'Delivery of a step': record<StepEvent['deliveries'][number]>({
    delivery_id: id('Id of the delivery.'),
    kind: oneOf(deliveryKinds, 'Webhook, or e-mail to the investor.'),
    webhook_endpoint_id: orNull(id('Id of the webhook endpoint.')),
    state: oneOf(displayStates, 'State of the delivery.'),
    attempts: count('Number of attempts so far.'),
    last_attempt_at: orNull(instant('Time of the last attempt.')),
    dead_because: orNull(text('Why the delivery is dead.')),
  }),
  'Exported investor': record<Exported>({
    exported_at: instant('Time at which the data was exported.'),
    investor: refer('Exported person', 'The person.'),
    holdings: list(refer('Position'), 'Shares by cooperative.'),
    share_purchases: list(refer('Exported order'), 'All orders, newest first.'),
  }),
  'Exported person': record<Exported['investor']>({
    ...person,
    profile: orNull(refer('Exported profile', 'The profile as the partner sent it.')),
  }),
  'Exported profile': record<Profile>({
    first_name: orNull(text('First name.')),
    last_name: orNull(text('Last name.')),
    birth_date: orNull(text('Date of birth.')),
    tax_id: orNull(text('Tax number.')),
    phone: orNull(text('Phone number.')),
    address: orNull({ type: 'object', description: 'Postal address.' }),
    bank_account: orNull({ type: 'object', description: 'Bank account, with the whole IBAN.' }),
    company: orNull({ type: 'object', description: 'Company of the investor.' }),
    consents: { type: 'object', description: 'Consents, with their times.' },
  }),
  'Exported order': record<ExportedOrder>({
    ...order,
    applicant_type: oneOf(['private', 'company'], 'Who buys the shares.'),
    price_per_share: amount('Price of a share when the order was placed.'),
    entry_fee: amount('Entry fee of the order.'),
    mandate_signed_at: instant('Time at which the mandate was signed.'),
    terms_consent_given_at: givenAt('the terms'),
    privacy_consent_given_at: givenAt('the privacy policy'),
    statute_consent_given_at: givenAt('the statute'),
    debtor_iban: orNull(text('IBAN of the paying account; null once the person is erased.')),
    events: list(refer('Exported event'), 'Events that were sent to the partner.'),
  }),
  'Exported event': record<ExportedOrder['events'][number]>({
    event_id: id('Id of the event.'),
    created_at: instant('Time of the event.'),
    body: text('The exact text that is signed and sent.'),
  }),
  'Erased investor': record<Erased>({
    investor_id: id('Id of the investor.'),
    organization_id: id('Organization of the partner.'),
    erased_at: instant('Time at which the person was erased.'),
    reason: orNull(text('Reason for the erasure.')),
    was_erased_before: bool('Whether the person had been erased before.'),
    removed: list(oneOf(removedParts, ''), 'What was removed.'),
    removed_mail_files: count('Number of e-mails that were removed from the mail directory.'),
    is_compacted: bool('Whether the files of the store were rewritten without the person.'),
    kept: list(refer('Kept records'), 'Records that stay, and the reasons.'),
  }),
  'Kept records': record<Erased['kept'][number]>({
    what: oneOf(['share_purchases', 'holdings'], 'Kind of the records.'),
    count: count('Number of the records.'),
    why: text('Reason why the records are kept.'),
  }),
}
