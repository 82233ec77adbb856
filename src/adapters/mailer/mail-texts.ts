import type { InvestorMail } from '../../ports/mailer.ts'

type Language = 'de' | 'en'

const states = {
  submitted: {
    de: ['eingegangen', 'Ihr Auftrag ist bei uns eingegangen und wird geprüft.'],
    en: ['received', 'We have received your order and are reviewing it.'],
  },
  approved: {
    de: ['angenommen', 'Ihr Auftrag ist angenommen. Der Betrag wird nun eingezogen.'],
    en: ['approved', 'Your order is approved. The payment is being collected.'],
  },
  settled: {
    de: ['abgeschlossen', 'Ihr Auftrag ist abgeschlossen. Die Anteile gehören Ihnen.'],
    en: ['settled', 'Your order is settled. The shares are yours.'],
  },
  rejected: {
    de: ['abgelehnt', 'Ihr Auftrag ist abgelehnt worden.'],
    en: ['rejected', 'Your order has been rejected.'],
  },
  cancelled: {
    de: ['storniert', 'Ihr Auftrag ist storniert worden.'],
    en: ['cancelled', 'Your order has been cancelled.'],
  },
} as const satisfies Record<InvestorMail['status'], Record<Language, readonly [string, string]>>

/** What differs between two mails of the same status. */
export interface MailValues {
  readonly name: string
  readonly sharesDe: string
  readonly sharesEn: string
  readonly totalDe: string
  readonly totalEn: string
}

/** The texts of a status, in German and English. A value stands in braces: `{name}`. */
export interface MailTemplate {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** No IBAN and no name of a person: a mail passes many hands. */
export function templateOf(status: InvestorMail['status']): MailTemplate {
  const { de, en } = states[status]
  const [stateDe, sentenceDe] = de
  const [stateEn, sentenceEn] = en
  return {
    subject: `{name}: Auftrag ${stateDe} / order ${stateEn}`,
    text: `${sentenceDe}

Genossenschaft: {name}
Anteile:        {sharesDe}
Gesamtbetrag:   {totalDe}
Stand:          ${stateDe}

-- English --

${sentenceEn}

Cooperative:    {name}
Shares:         {sharesEn}
Total:          {totalEn}
Status:         ${stateEn}
`,
    html: `<!doctype html>
<html lang="de">
<body>
<p>${sentenceDe}</p>
<table>
<tr><th align="left">Genossenschaft</th><td>{name}</td></tr>
<tr><th align="left">Anteile</th><td>{sharesDe}</td></tr>
<tr><th align="left">Gesamtbetrag</th><td>{totalDe}</td></tr>
<tr><th align="left">Stand</th><td>${stateDe}</td></tr>
</table>
<hr>
<div lang="en">
<p>${sentenceEn}</p>
<table>
<tr><th align="left">Cooperative</th><td>{name}</td></tr>
<tr><th align="left">Shares</th><td>{sharesEn}</td></tr>
<tr><th align="left">Total</th><td>{totalEn}</td></tr>
<tr><th align="left">Status</th><td>${stateEn}</td></tr>
</table>
</div>
</body>
</html>
`,
  }
}

export function mailValuesOf({
  cooperativeName: name,
  shareCount,
  ...price
}: InvestorMail): MailValues {
  return {
    name,
    sharesDe: formats.de.count.format(shareCount),
    sharesEn: formats.en.count.format(shareCount),
    totalDe: amountOf(price, 'de'),
    totalEn: amountOf(price, 'en'),
  }
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
  // The text itself and not a number made of it: no amount is too large to be exact.
  return `${formats[language].amount.format(total as `${number}`)} ${currency}`
}
