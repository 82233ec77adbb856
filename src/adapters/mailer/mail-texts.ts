import { Eta } from 'eta'
import type { InvestorMail } from '../../ports/mailer.ts'

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
} as const satisfies Record<InvestorMail['status'], Record<'de' | 'en', readonly [string, string]>>

const plain = `<%= it.de.sentence %>


Genossenschaft: <%= it.name %>

Anteile:        <%= it.de.shares %>

Gesamtbetrag:   <%= it.de.total %>

Stand:          <%= it.de.state %>


-- English --

<%= it.en.sentence %>


Cooperative:    <%= it.name %>

Shares:         <%= it.en.shares %>

Total:          <%= it.en.total %>

Status:         <%= it.en.state %>

`

const html = `<!doctype html>
<html lang="de">
<body>
<p><%= it.de.sentence %></p>
<table>
<tr><th align="left">Genossenschaft</th><td><%= it.name %></td></tr>
<tr><th align="left">Anteile</th><td><%= it.de.shares %></td></tr>
<tr><th align="left">Gesamtbetrag</th><td><%= it.de.total %></td></tr>
<tr><th align="left">Stand</th><td><%= it.de.state %></td></tr>
</table>
<hr>
<div lang="en">
<p><%= it.en.sentence %></p>
<table>
<tr><th align="left">Cooperative</th><td><%= it.name %></td></tr>
<tr><th align="left">Shares</th><td><%= it.en.shares %></td></tr>
<tr><th align="left">Total</th><td><%= it.en.total %></td></tr>
<tr><th align="left">Status</th><td><%= it.en.state %></td></tr>
</table>
</div>
</body>
</html>
`

// A tag swallows the line break after it, so the plain text doubles those that it wants to keep.
const plainEta = new Eta({ autoEscape: false, autoTrim: [false, 'nl'] })
const htmlEta = new Eta({ autoEscape: true })

export interface MailTexts {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** What an investor reads of an order, in German and English. No IBAN and no name: a mail passes many hands. */
export function renderMailTexts(mail: InvestorMail): MailTexts {
  const { cooperativeName: name } = mail
  const data = { name, de: wordsOf(mail, 'de'), en: wordsOf(mail, 'en') }
  return {
    subject: `${name}: Auftrag ${data.de.state} / order ${data.en.state}`,
    text: plainEta.renderString(plain, data),
    html: htmlEta.renderString(html, data),
  }
}

function wordsOf({ status, shareCount, total, currency }: InvestorMail, language: 'de' | 'en') {
  const [state, sentence] = states[status][language]
  const numbers = new Intl.NumberFormat(language)
  const amounts = new Intl.NumberFormat(language, { minimumFractionDigits: 2 })
  // The text itself and not a number made of it: no amount is too large to be exact.
  const amount = amounts.format(total as `${number}`)
  return { state, sentence, shares: numbers.format(shareCount), total: `${amount} ${currency}` }
}
