import { platformTimeZone } from '../../domain/timestamp.ts'
import type { Output } from '../../operations/operations.ts'
import { renderPublicPage } from '../look/look.ts'
import { foreign, type Html, html, type Part } from './html.ts'
import { isTextName, type Language, locales, type Say, sayIn, type TextName } from './texts.ts'

type Exported = Output<'investor.export'>
type Order = Exported['share_purchases'][number]
type Delivery = NonNullable<Order['history'][number]['event']>['deliveries'][number]
type Consents = NonNullable<Exported['investor']['profile']>['consents']

/**
 * A page for the person, who knows nothing of this program: it can be opened and printed without a network, and asks no
 * other server for anything.
 */
export function renderInvestorPage(exported: Exported, language: Language): string {
  const { exported_at, investor, holdings, share_purchases } = exported
  const { profile, erased_at, erased_because, is_damaged: _, ...fields } = investor
  const { address, bank_account, company, consents, ...details } = profile ?? {}
  const erased = erased_at === null ? {} : { erased_at, erased_because }
  const sayIt = sayIn(language)
  const say = (word: Word) => sayWord(sayIt, word)
  const page: PageStyle = { language, say }
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
  const head = html`<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">`
  const body = html`<h1>${say('title')}</h1>
<p>${say('intro')} ${renderTime(exported_at, page)}</p>
${section(say('person'), facts({ ...fields, ...erased, ...details }, page))}
${address && section(say('address'), facts(address, page))}
${bank_account && section(say('bank_account'), facts(bank_account, page))}
${company && section(say('company'), facts(company, page))}
${consents && section(say('consents'), facts(timesOf(consents), page))}
${
  holdings.length > 0 &&
  section(
    say('holdings'),
    holdings.map(({ cooperative_id: _, ...holding }) => facts(holding, page)),
  )
}
${share_purchases.map((order) => renderOrderOn(order, page))}`
  return renderPublicPage({ language, title: say('title'), head, body })
}

interface PageStyle {
  readonly language: Language
  readonly say: (word: Word) => string
}

function section(title: string, content: Part): Html {
  return html`<section><h2>${title}</h2>${content}</section>`
}

type Fact = string | number | null
/** A name for which there is no word does not compile. */
type Facts<Fields> = { readonly [Name in keyof Fields]: Name extends Word ? Fact : never }

function facts<Fields extends Facts<Fields>>(fields: Fields, page: PageStyle): Html {
  const rows = Object.entries(fields) as [Word, Fact][]
  return html`<dl>${rows.map(([name, value]) => html`<dt>${page.say(name)}</dt><dd>${renderFact(name, value, page)}</dd>`)}</dl>`
}

const times = /_at$|^(terms|privacy|data_sharing|representation_authorization)$/

const days = /^(birth_date|due_date)$/
/** Their values have words of their own. */
const known = /^(status|applicant_type|state|paid_by)$/

function renderFact(name: Word, value: Fact, page: PageStyle): Part {
  if (typeof value !== 'string') return value ?? foreign(null)
  if (times.test(name) || days.test(name)) return renderTime(value, page)
  const isKnown = known.test(name) && isWord(value)
  return isKnown ? page.say(value) : foreign(value)
}

/** Renders a time in the time zone of the platform, with the name of the zone. A date without a time has no zone. */
function renderTime(at: string, { language }: PageStyle): Html {
  const style = at.includes('T')
    ? ({ dateStyle: 'long', timeStyle: 'long', timeZone: platformTimeZone } as const)
    : ({ dateStyle: 'long', timeZone: 'UTC' } as const)
  const format = new Intl.DateTimeFormat(locales[language], style)
  return html`<time datetime="${at}">${format.format(new Date(at))}</time>`
}

function timesOf(consents: Consents) {
  const times = Object.entries(consents).map(([name, { given_at }]) => [name, given_at])
  return Object.fromEntries(times) as Record<keyof Consents, string | null>
}

function renderOrderOn(order: Order, page: PageStyle): Html {
  const { say } = page
  const { history, events, payment, cooperative_id: _, total_currency: currency, ...fields } = order
  const format = new Intl.NumberFormat(locales[page.language], { style: 'currency', currency })
  const money = (amount: string) => format.format(amount as Intl.StringNumericLiteral)
  const amounts = {
    price_per_share: money(fields.price_per_share),
    entry_fee: money(fields.entry_fee),
    total: money(fields.total),
  }
  const steps = history.map(
    ({ status, at, event }) =>
      html`<tr><td>${renderTime(at, page)}</td><td>${say(status)}</td><td>${renderDeliveries(event?.deliveries ?? [], page)}</td></tr>`,
  )
  const sent = events.map(
    ({ type, created_at, body }) =>
      html`<h3>${say(type === 'payment.announced' ? 'announced' : 'sent')}, ${renderTime(created_at, page)}</h3><pre>${body}</pre>`,
  )
  return section(
    `${say('share_purchase')} ${order.share_purchase_id}`,
    html`${facts({ ...fields, ...amounts }, page)}
<table><thead><tr><th>${say('at')}</th><th>${say('status')}</th><th>${say('deliveries')}</th></tr></thead><tbody>${steps}</tbody></table>
${payment && renderPayment(payment, page, money)}
${sent}`,
  )
}

function renderPayment(
  payment: NonNullable<Order['payment']>,
  page: PageStyle,
  money: (amount: string) => string,
): Html {
  const { attempts, amount_currency: _, ...fields } = payment
  const amounts = { amount: money(fields.amount), charges: money(fields.charges) }
  return html`<h3>${page.say('payment')}</h3>${facts({ ...fields, ...amounts }, page)}${attempts.map(
    (attempt) => html`<h3>${page.say('direct_debit')}</h3>${facts(attempt, page)}`,
  )}`
}

function renderDeliveries(deliveries: readonly Delivery[], { say }: PageStyle): string {
  return deliveries
    .map(({ kind, state, attempts }) => `${say(kind)}: ${say(state)} (${attempts})`)
    .join(', ')
}

type Suffix<Prefix extends string> = {
  [Name in TextName]: Name extends `${Prefix}.${infer Rest}` ? Rest : never
}[TextName]
type Word = Suffix<'copy'> | Suffix<'state'> | TextName

const isWord = (text: string): text is Word =>
  [`copy.${text}`, `state.${text}`, text].some(isTextName)

/** A word of the copy. If it has none of its own, it is a state or a word of the console. */
function sayWord(say: Say, word: Word): string {
  const [name] = [`copy.${word}`, `state.${word}`, word].filter(isTextName)
  return name === undefined ? word : say(name)
}
