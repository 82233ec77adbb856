import { isBlank } from '../../domain/text.ts'
import type { InvestorMail, MailKind } from '../../ports/mailer.ts'
import { type Language, languages, wordsOf } from './languages.ts'

/** What each language writes in its own way. */
type LocalValue = `${'greeting' | 'shares' | 'total' | 'dueDate'}.${Language}`

type SharedValue =
  | 'order'
  | 'organization'
  | 'cooperative'
  | 'website'
  | 'reason'
  | 'creditor'
  | 'creditorId'
  | 'mandate'
  | 'sender'

/** The values that differ between e-mails of the same kind; null if unknown, absent if the kind has none. */
export type MailValues = Readonly<Partial<Record<SharedValue | LocalValue, string | null>>>

/**
 * The texts of a kind in all languages, with at most one value in each line, in braces. A line with an unknown value
 * is left out.
 */
export interface MailTemplate {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Contains no IBAN and no address, because an e-mail passes through many systems. */
export function templateOf(kind: MailKind): MailTemplate {
  const letters = languages.map((language) => ({ language, ...letterIn(language, kind) }))
  const texts = letters.map(({ language, text }, index) =>
    index === 0 ? text : `-- ${wordsOf[language].name} --\n\n${text}`,
  )
  const parts = letters.map(({ language, html }, index) =>
    index === 0 ? html : `<hr>\n<div lang="${language}">\n${html}</div>\n`,
  )
  return {
    // The cooperative comes last, so that the status is read first, however long the name is.
    subject: `${letters.map(({ subject }) => subject).join(' / ')}: {cooperative}`,
    text: texts.join('\n'),
    html: `<!doctype html>
<html lang="${languages[0]}">
<body>
${parts.join('')}</body>
</html>
`,
  }
}

function letterIn(language: Language, kind: MailKind) {
  const { rows, contact, regards } = wordsOf[language]
  const { subject, sentences, facts } = contentIn(language, kind)
  const opening = [`{greeting.${language}}`, ...sentences]
  const table = [
    [rows.order, '{order}'],
    [rows.organization, '{organization}'],
    [rows.cooperative, '{cooperative}'],
    [rows.website, '{website}'],
    ...facts,
  ] as const
  const width = Math.max(...table.map(([label]) => label.length)) + ': '.length
  const lines = table.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`)
  const cells = table.map(
    ([label, value]) => `<tr><th align="left">${label}</th><td>${value}</td></tr>\n`,
  )
  return {
    subject,
    text: `${[...opening, lines.join('\n'), contact, regards].join('\n\n')}\n{sender}\n`,
    html: `${paragraphsOf(opening)}<table>\n${cells.join('')}</table>\n${paragraphsOf([contact, regards, '{sender}'])}`,
  }
}

function contentIn(language: Language, kind: MailKind) {
  const { order, statuses, announcement, rows } = wordsOf[language]
  const total = `{total.${language}}`
  if (kind === 'payment_announced') {
    const [subject, ...sentences] = announcement
    const facts = [
      [rows.creditor, '{creditor}'],
      [rows.creditorId, '{creditorId}'],
      [rows.mandate, '{mandate}'],
      [rows.amount, total],
      [rows.dueDate, `{dueDate.${language}}`],
    ] as const
    return { subject, sentences, facts }
  }
  const [state, ...sentences] = statuses[kind]
  const facts = [
    [rows.shares, `{shares.${language}}`],
    [rows.total, total],
    [rows.state, state],
    [rows.reason, '{reason}'],
  ] as const
  return { subject: `${order} ${state}`, sentences, facts }
}

function paragraphsOf(texts: readonly string[]): string {
  return texts.map((text) => `<p>${text}</p>\n`).join('')
}

export function mailValuesOf(mail: InvestorMail, sender: string | null): MailValues {
  const { currency, cooperativeWebsite } = mail
  const name = mail.investorName === null ? '' : onOneLine(mail.investorName)
  const local: Partial<Record<LocalValue, string>> = {}
  const isAnnouncement = mail.status === 'payment_announced'
  const total = isAnnouncement ? mail.amount : mail.total
  for (const [language, { count, amount, day }] of formats) {
    local[`greeting.${language}`] = wordsOf[language].greet(isBlank(name) ? null : name)
    if (isAnnouncement) local[`dueDate.${language}`] = day.format(new Date(mail.dueDate))
    else local[`shares.${language}`] = count.format(mail.shareCount)
    // Formats the decimal text, because a number could not represent every amount exactly.
    local[`total.${language}`] = `${amount.format(total as `${number}`)} ${currency}`
  }
  return {
    ...local,
    ...(isAnnouncement
      ? {
          creditor: onOneLine(mail.creditorName),
          creditorId: mail.creditorId,
          mandate: onOneLine(mail.mandateReference),
        }
      : { reason: mail.reason && onOneLine(mail.reason) }),
    order: mail.sharePurchaseId,
    organization: onOneLine(mail.organizationName),
    cooperative: onOneLine(mail.cooperativeName),
    website: cooperativeWebsite && onOneLine(cooperativeWebsite),
    sender,
  }
}

/** A line break, or a mark that reverses the direction of text, would let a value add lines. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

const formats = new Map(
  languages.map((language) => [
    language,
    {
      count: new Intl.NumberFormat(language),
      amount: new Intl.NumberFormat(language, { minimumFractionDigits: 2 }),
      day: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }),
    },
  ]),
)
