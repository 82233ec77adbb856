import { isBlank } from '../../domain/text.ts'
import type { InvestorMail } from '../../ports/mailer.ts'
import { type Language, languages, type Status, wordsOf } from './languages.ts'

/** What each language writes in its own way. */
type LocalValue = `${'greeting' | 'shares' | 'total'}.${Language}`

type SharedValue = 'order' | 'organization' | 'cooperative' | 'website' | 'reason' | 'sender'

/** The values that differ between e-mails of the same status; null if unknown. */
export type MailValues = Readonly<Record<SharedValue | LocalValue, string | null>>

/**
 * The texts of a status in all languages, with at most one value in each line, in braces. A line with an unknown value
 * is left out.
 */
export interface MailTemplate {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Contains no IBAN and no address, because an e-mail passes through many systems. */
export function templateOf(status: Status): MailTemplate {
  const subjects = languages.map((language) => {
    const { order, statuses } = wordsOf[language]
    return `${order} ${statuses[status][0]}`
  })
  const letters = languages.map((language) => ({ language, ...letterIn(language, status) }))
  const texts = letters.map(({ language, text }, index) =>
    index === 0 ? text : `-- ${wordsOf[language].name} --\n\n${text}`,
  )
  const parts = letters.map(({ language, html }, index) =>
    index === 0 ? html : `<hr>\n<div lang="${language}">\n${html}</div>\n`,
  )
  return {
    // The cooperative comes last, so that the status is read first, however long the name is.
    subject: `${subjects.join(' / ')}: {cooperative}`,
    text: texts.join('\n'),
    html: `<!doctype html>
<html lang="${languages[0]}">
<body>
${parts.join('')}</body>
</html>
`,
  }
}

function letterIn(language: Language, status: Status) {
  const { statuses, rows, contact, regards } = wordsOf[language]
  const [state, ...sentences] = statuses[status]
  const opening = [`{greeting.${language}}`, ...sentences]
  const table = [
    [rows.order, '{order}'],
    [rows.organization, '{organization}'],
    [rows.cooperative, '{cooperative}'],
    [rows.website, '{website}'],
    [rows.shares, `{shares.${language}}`],
    [rows.total, `{total.${language}}`],
    [rows.state, state],
    [rows.reason, '{reason}'],
  ] as const
  const width = Math.max(...table.map(([label]) => label.length)) + ': '.length
  const lines = table.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`)
  const cells = table.map(
    ([label, value]) => `<tr><th align="left">${label}</th><td>${value}</td></tr>\n`,
  )
  return {
    text: `${[...opening, lines.join('\n'), contact, regards].join('\n\n')}\n{sender}\n`,
    html: `${paragraphsOf(opening)}<table>\n${cells.join('')}</table>\n${paragraphsOf([contact, regards, '{sender}'])}`,
  }
}

function paragraphsOf(texts: readonly string[]): string {
  return texts.map((text) => `<p>${text}</p>\n`).join('')
}

export function mailValuesOf(mail: InvestorMail, sender: string | null): MailValues {
  const { shareCount, total, currency, reason, cooperativeWebsite } = mail
  const name = mail.investorName === null ? '' : onOneLine(mail.investorName)
  const local: Partial<Record<LocalValue, string>> = {}
  for (const [language, { count, amount }] of formats) {
    local[`greeting.${language}`] = wordsOf[language].greet(isBlank(name) ? null : name)
    local[`shares.${language}`] = count.format(shareCount)
    // Formats the decimal text, because a number could not represent every amount exactly.
    local[`total.${language}`] = `${amount.format(total as `${number}`)} ${currency}`
  }
  return {
    ...(local as Record<LocalValue, string>),
    order: mail.sharePurchaseId,
    organization: onOneLine(mail.organizationName),
    cooperative: onOneLine(mail.cooperativeName),
    website: cooperativeWebsite && onOneLine(cooperativeWebsite),
    reason: reason && onOneLine(reason),
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
    },
  ]),
)
