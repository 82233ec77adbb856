import type { StatusMail } from '../../ports/mailer.ts'

export type Status = StatusMail['status']

/**
 * The words of a language. They make no promises about decisions of others: we approve and settle orders, but the
 * cooperative admits members and keeps their list.
 */
interface Words {
  /** What the language calls itself. */
  readonly name: string
  /** The word for an order, in the subject. */
  readonly order: string
  /** @param name null if unknown */
  readonly greet: (name: string | null) => string
  /** The word for a status, and the first sentences of its e-mail. */
  readonly statuses: Readonly<Record<Status, readonly [word: string, ...sentences: string[]]>>
  /** The subject of an announcement, and the first sentences of its e-mail. */
  readonly announcement: readonly [subject: string, ...sentences: string[]]
  readonly rows: Readonly<Record<Row, string>>
  readonly contact: `${string}{organization}${string}`
  readonly regards: string
}

type Row =
  | 'order'
  | 'organization'
  | 'cooperative'
  | 'website'
  | 'shares'
  | 'total'
  | 'state'
  | 'reason'
  | 'creditor'
  | 'creditorId'
  | 'mandate'
  | 'amount'
  | 'dueDate'

// cspell:disable
const german: Words = {
  name: 'Deutsch',
  order: 'Auftrag',
  greet: (name) => (name === null ? 'Guten Tag,' : `Guten Tag ${name},`),
  statuses: {
    submitted: ['eingegangen', 'Ihr Auftrag ist bei uns eingegangen und wird geprüft.'],
    approved: [
      'freigegeben',
      'Ihr Auftrag ist geprüft und freigegeben. Der Betrag wird nun eingezogen.',
      'Die Freigabe ersetzt nicht die Zulassung durch die Genossenschaft; darüber entscheidet die Genossenschaft selbst.',
    ],
    settled: [
      'ausgeführt',
      'Ihr Auftrag ist ausgeführt.',
      'Über die Zulassung entscheidet die Genossenschaft; sie führt auch die Mitgliederliste.',
    ],
    rejected: ['abgelehnt', 'Ihr Auftrag ist abgelehnt worden und wird nicht ausgeführt.'],
    cancelled: ['storniert', 'Ihr Auftrag ist storniert worden und wird nicht ausgeführt.'],
  },
  announcement: [
    'Lastschrift angekündigt',
    'Der Betrag für Ihren Auftrag wird per SEPA-Lastschrift von dem Konto eingezogen, für das Sie das Mandat erteilt haben.',
    'Bitte sorgen Sie dafür, dass das Konto am Tag der Fälligkeit gedeckt ist.',
  ],
  rows: {
    order: 'Auftragsnummer',
    organization: 'Erteilt über',
    cooperative: 'Genossenschaft',
    website: 'Website',
    shares: 'Anteile',
    total: 'Gesamtbetrag',
    state: 'Stand',
    reason: 'Begründung',
    creditor: 'Gläubiger',
    creditorId: 'Gläubiger-ID',
    mandate: 'Mandatsreferenz',
    amount: 'Betrag',
    dueDate: 'Fällig am',
  },
  contact:
    'Wenn Sie Fragen haben, wenden Sie sich bitte an {organization} und nennen Sie dabei die Auftragsnummer.',
  regards: 'Mit freundlichen Grüßen',
}
// cspell:enable

const english: Words = {
  name: 'English',
  order: 'order',
  greet: (name) => (name === null ? 'Dear investor,' : `Dear ${name},`),
  statuses: {
    submitted: ['received', 'We have received your order and are reviewing it.'],
    approved: [
      'approved',
      'We have reviewed and approved your order. The payment is now being collected.',
      'Our approval does not replace admission by the cooperative, which makes that decision itself.',
    ],
    settled: [
      'carried out',
      'Your order has been carried out.',
      'The cooperative decides on admission, and keeps the list of members.',
    ],
    rejected: ['rejected', 'Your order has been rejected and will not be carried out.'],
    cancelled: ['cancelled', 'Your order has been cancelled and will not be carried out.'],
  },
  announcement: [
    'direct debit announced',
    'The amount of your order will be collected by SEPA direct debit from the account for which you have given the mandate.',
    'Please make sure that there is enough money in the account on the due date.',
  ],
  rows: {
    order: 'Order number',
    organization: 'Placed through',
    cooperative: 'Cooperative',
    website: 'Website',
    shares: 'Shares',
    total: 'Total',
    state: 'Status',
    reason: 'Reason',
    creditor: 'Creditor',
    creditorId: 'Creditor identifier',
    mandate: 'Mandate reference',
    amount: 'Amount',
    dueDate: 'Due on',
  },
  contact: 'If you have any questions, please write to {organization} and quote the order number.',
  regards: 'Kind regards',
}

/** In the order in which they stand in an e-mail. `Intl` and HTML know the keys. */
export const wordsOf = { de: german, en: english } as const satisfies Readonly<
  Record<string, Words>
>

export type Language = keyof typeof wordsOf

export const languages = Object.keys(wordsOf) as readonly Language[]
