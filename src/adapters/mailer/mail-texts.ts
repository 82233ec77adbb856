import { isBlank } from '../../domain/text.ts'
import type { InvestorMail } from '../../ports/mailer.ts'

type Language = 'de' | 'en'

type Status = InvestorMail['status']

/** The word for a status, and the first sentences of its e-mail. */
type StatusTexts = readonly [word: string, ...sentences: string[]]

/**
 * The words of a language. A value is in braces, such as `{organization}`. A line with an unknown
 * value is left out. The texts make no promises about decisions of others: we approve and settle orders,
 * but the cooperative admits members and keeps their list.
 */
interface Words {
  readonly statuses: Readonly<Record<Status, StatusTexts>>
  readonly rows: Readonly<Record<Row, string>>
  readonly contact: string
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

// cspell:disable
const german: Words = {
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
  rows: {
    order: 'Auftragsnummer',
    organization: 'Erteilt über',
    cooperative: 'Genossenschaft',
    website: 'Website',
    shares: 'Anteile',
    total: 'Gesamtbetrag',
    state: 'Stand',
    reason: 'Begründung',
  },
  contact:
    'Wenn Sie Fragen haben, wenden Sie sich bitte an {organization} und nennen Sie dabei die Auftragsnummer.',
  regards: 'Mit freundlichen Grüßen',
}
// cspell:enable

const english: Words = {
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
  rows: {
    order: 'Order number',
    organization: 'Placed through',
    cooperative: 'Cooperative',
    website: 'Website',
    shares: 'Shares',
    total: 'Total',
    state: 'Status',
    reason: 'Reason',
  },
  contact: 'If you have any questions, please write to {organization} and quote the order number.',
  regards: 'Kind regards',
}

/** The values that differ between e-mails of the same status; null if unknown. */
export interface MailValues {
  readonly greetingDe: string
  readonly greetingEn: string
  readonly order: string
  readonly organization: string
  readonly cooperative: string
  readonly website: string | null
  readonly sharesDe: string
  readonly sharesEn: string
  readonly totalDe: string
  readonly totalEn: string
  readonly reason: string | null
  readonly sender: string | null
}

/** The texts of a status in German and English, with at most one value in each line. */
export interface MailTemplate {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Contains no IBAN and no address, because an e-mail passes through many systems. */
export function templateOf(status: Status): MailTemplate {
  const [de, en] = [letterOf(german, 'De', status), letterOf(english, 'En', status)]
  return {
    // The cooperative comes last, so that the status is read first, however long the name is.
    subject: `Auftrag ${german.statuses[status][0]} / order ${english.statuses[status][0]}: {cooperative}`,
    text: `${textOf(de)}\n-- English --\n\n${textOf(en)}`,
    html: `<!doctype html>
<html lang="de">
<body>
${htmlOf(de)}<hr>
<div lang="en">
${htmlOf(en)}</div>
</body>
</html>
`,
  }
}

interface Letter {
  readonly opening: readonly string[]
  readonly rows: readonly (readonly [label: string, value: string])[]
  readonly closing: readonly string[]
}

function letterOf(
  { statuses, rows, contact, regards }: Words,
  ending: string,
  status: Status,
): Letter {
  const [state, ...sentences] = statuses[status]
  return {
    opening: [`{greeting${ending}}`, ...sentences],
    rows: [
      [rows.order, '{order}'],
      [rows.organization, '{organization}'],
      [rows.cooperative, '{cooperative}'],
      [rows.website, '{website}'],
      [rows.shares, `{shares${ending}}`],
      [rows.total, `{total${ending}}`],
      [rows.state, state],
      [rows.reason, '{reason}'],
    ],
    closing: [contact, regards, '{sender}'],
  }
}

function textOf({ opening, rows, closing: [contact, regards, sender] }: Letter): string {
  const table = rows.map(([label, value]) => `${`${label}:`.padEnd(16)}${value}`)
  return `${opening.join('\n\n')}\n\n${table.join('\n')}\n\n${contact}\n\n${regards}\n${sender}\n`
}

function htmlOf({ opening, rows, closing }: Letter): string {
  const table = rows.map(
    ([label, value]) => `<tr><th align="left">${label}</th><td>${value}</td></tr>\n`,
  )
  return `${paragraphsOf(opening)}<table>\n${table.join('')}</table>\n${paragraphsOf(closing)}`
}

function paragraphsOf(texts: readonly string[]): string {
  return texts.map((text) => `<p>${text}</p>\n`).join('')
}

export function mailValuesOf(mail: InvestorMail, sender: string | null): MailValues {
  const { shareCount, investorName, reason, cooperativeWebsite, ...price } = mail
  const name = investorName === null ? null : onOneLine(investorName)
  return {
    greetingDe: name === null || isBlank(name) ? 'Guten Tag,' : `Guten Tag ${name},`,
    greetingEn: name === null || isBlank(name) ? 'Dear investor,' : `Dear ${name},`,
    order: mail.sharePurchaseId,
    organization: onOneLine(mail.organizationName),
    cooperative: onOneLine(mail.cooperativeName),
    website: cooperativeWebsite && onOneLine(cooperativeWebsite),
    sharesDe: formats.de.count.format(shareCount),
    sharesEn: formats.en.count.format(shareCount),
    totalDe: amountOf(price, 'de'),
    totalEn: amountOf(price, 'en'),
    reason: reason && onOneLine(reason),
    sender,
  }
}

/** A line break, or a mark that reverses the direction of text, would let a value add lines. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

const formats = { de: formatsOf('de'), en: formatsOf('en') }

function formatsOf(language: Language) {
  return {
    count: new Intl.NumberFormat(language),
    amount: new Intl.NumberFormat(language, { minimumFractionDigits: 2 }),
  }
}

function amountOf(
  { total, currency }: Pick<InvestorMail, 'total' | 'currency'>,
  language: Language,
): string {
  // Formats the decimal text, because a number could not represent every amount exactly.
  return `${formats[language].amount.format(total as `${number}`)} ${currency}`
}
