import type { H3Event } from 'h3'
import { maximumCounted } from '../../domain/page.ts'
import { platformTimeZone, type Timestamp } from '../../domain/timestamp.ts'
import {
  type Input,
  isOperationName,
  type ListName,
  type Row,
} from '../../operations/operations.ts'
import type { ServiceForOperator } from '../../operations/run-audited.ts'
import type { Logger } from '../../ports/logger.ts'
import { iconLink } from '../logo.ts'
import { logoMark } from '../look/look.ts'
import { type ReadParameter, readParameter } from '../query.ts'
import { type Files, foreign, Html, html, type Part, pathTo } from './html.ts'
import { renderKeys } from './keys.ts'
import type { SignedIn } from './session.ts'
import {
  isTextName,
  type Language,
  labelOf,
  locales,
  type Say,
  type TextName,
  tones,
} from './texts.ts'

/** A page for someone who is signed in. */
export interface Visit extends SignedIn {
  readonly event: H3Event
  /** Everything that a page reads or changes, as its operator. */
  readonly service: ServiceForOperator
  readonly settings: Settings
  readonly logger: Logger
  readonly files: Files
  readonly language: Language
  readonly say: Say
  readonly address: URL
  /** Where the form came from. An address to which a form is sent cannot be opened as a page. */
  readonly back?: string | undefined
}

/** The settings of the service that pages show or depend on. */
export interface Settings {
  readonly environment: 'staging' | 'production'
  /** Of the partner API. */
  readonly baseUrl: string
}

/** What a page has before somebody has signed in. */
export type Context = Omit<Visit, keyof SignedIn | 'service'>

export interface Page {
  readonly title: string
  /** The entry of the navigation to which the page belongs. */
  readonly section?: Section | undefined
  /** The commands that show or do the same as the page, without `coopshare`. */
  readonly commands?: string | readonly string[] | undefined
  readonly body: Html
  readonly status?: number | undefined
  /** Whether the page asks something before anything is done. */
  readonly isQuestion?: true
}

const sections = {
  today: '/',
  orders: '/orders',
  payments: '/payments',
  investors: '/investors',
  partners: '/partners',
  catalogue: '/catalogue',
  events: '/events',
  live: '/live',
  audit: '/audit',
  system: '/system',
} as const satisfies Partial<Record<TextName, string>>

export type Section = keyof typeof sections

/** At most `limit` rows, so a page never reads more than it shows. */
export async function rowsOf<Name extends ListName>(
  visit: Visit,
  name: Name,
  input: Input<Name>,
  limit: number,
): Promise<readonly Row<Name>[]> {
  const rows: Row<Name>[] = []
  for await (const batch of visit.service.list(name, { ...input, limit })) rows.push(...batch)
  return rows
}

export function renderPage(page: Page, visit: Visit | Context): string {
  const { say, language } = visit
  const signedIn = 'operator' in visit ? visit : undefined
  const { text } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · coopshare</title>
<link rel="stylesheet" href="/console.css">
${new Html(iconLink)}
<script src="/console.js" defer></script>
</head>
<body data-copied="${say('copied')}">
<a class="skip" href="#main">${say('skip')}</a>
<header>${signedIn ? renderHeader(signedIn, page) : html`<div class="bar">${renderBrand(visit)}${renderLanguage(say, language, '/')}</div>`}</header>
<main id="main" tabindex="-1">
${signedIn && renderLetterhead(signedIn)}
<h1>${page.title}</h1>
${signedIn && renderDone(signedIn)}
${page.body}
</main>
<footer>${renderCommands(page, visit)}${signedIn && html`${renderKeys(say)}<span>${say('timeZone', { zone: platformTimeZone })}</span>`}</footer>
</body>
</html>
`
  return writeTimes(text, language)
}

function renderCommands({ commands = [] }: Page, visit: Pick<Visit, 'say' | 'settings'>): Html {
  const lines = typeof commands === 'string' ? [commands] : commands
  if (lines.length === 0) return html``
  return html`<span class="commands">${visit.say('onCommandLine')} ${lines.map((each) => html`${commandLine(visit, each)} `)}</span>`
}

type Place = Pick<Visit, 'settings' | 'say'>

/** Renders commands, which are given without `coopshare`. Each command reads the output of the previous one. */
export function commandLine(visit: Place, ...commands: string[]): Html {
  return copyable(visit, writeCommands(visit, commands), 'copyCommand')
}

/** Renders a long command in a short form. Its button copies the whole command. */
export function shortCommandLine(visit: Place, whole: string, short: string): Html {
  const shown = writeCommands(visit, [short])
  return copyable(visit, writeCommands(visit, [whole]), 'copyCommand', shown)
}

function writeCommands({ settings }: Place, commands: readonly string[]): string {
  // A command means staging unless it says otherwise (D42).
  const flag = settings.environment === 'production' ? ' --environment production' : ''
  // Words after -- are not flags.
  return commands.map((each) => `coopshare ${each.replace(/ -- |$/, `${flag}$&`)}`).join(' | ')
}

/** A text with a button that copies it. Without a script, there is only the text. */
export function copyable(
  { say }: Pick<Visit, 'say'>,
  text: string,
  label: 'copy' | 'copyCommand' = 'copy',
  shown = text,
): Html {
  return html`<span class="copyable"><code>${shown}</code> <button type="button" class="copy" data-copy="${text}" aria-label="${say(label)}: ${shown}">${say(label)}</button></span>`
}

/** A button that copies a text which stands elsewhere on the page. */
export function copyButton({ say }: Pick<Visit, 'say'>, text: string): Html {
  return html`<button type="button" class="copy" data-copy="${text}">${say('copy')}</button>`
}

/** Reports that an operation is done, or that it is only proposed, on the page that follows it. */
function renderDone({ say, address }: Visit): Html {
  for (const outcome of ['done', 'onlyProposed'] as const) {
    const name = address.searchParams.get(outcome) ?? ''
    if (!isOperationName(name)) continue
    return html`<p class="note" role="status">${say(outcome, { what: labelOf(say, name) })}</p>`
  }
  return html``
}

function renderHeader(visit: Visit, { section }: Page): Html {
  const { say, language, operator, csrf, address, back } = visit
  const text = address.pathname === '/find' ? address.searchParams.get('text') : ''
  const { name, role } = operator
  const account = html`<div class="account"><span class="soft">${say('roleOf', { name, role: valueIn(visit, 'role', role) })}</span>
${renderLanguage(say, language, back ?? `${address.pathname}${address.search}`)}
<form method="post" action="/sign-out">${csrfField(csrf)}<button class="quiet">${say('signOut')}</button></form></div>`
  const pages = Object.entries(sections).map(
    ([key, path]) =>
      html`<li><a href="${path}"${section === key && html` aria-current="page"`}>${isTextName(key) && say(key)}</a></li>`,
  )
  return html`<div class="bar">${renderBrand(visit)}
<form role="search" action="/find"><label for="search" class="unseen">${say('search')}</label>
<div class="suggesting"><input id="search" type="search" name="text" value="${text}" required pattern=".*\\S.*" placeholder="${say('searchHint')}" aria-keyshortcuts="Control+K Meta+K /">
<div id="suggestions" role="listbox" aria-label="${say('suggestions')}" hidden></div>
<div id="suggestions-said" aria-live="polite" class="unseen" data-some="${say('suggestionsSome')}" data-none="${say('suggestionsNone')}"></div></div>
<button class="quiet">${say('search')}</button></form>
${fold(say('menu'), html`<div class="menu">${account}<nav aria-label="${say('pages')}"><ul>${pages}</ul></nav></div>`)}</div>`
}

/** What a narrow screen shows only after a click, and a wide screen always. */
function fold(label: string, content: Html): Html {
  return html`<details class="fold"><summary>${label}</summary></details>${content}`
}

/** The filters of a list. */
export function filterForm({ say }: Visit, path: string, fields: Html): Html {
  const form = html`<form class="row filter" action="${path}">${fields}
<button class="quiet">${say('show')}</button></form>`
  return fold(say('filters'), form)
}

/** The environment of the service: what is harmless in staging may not be in production. */
function renderBrand({ say, settings: { environment } }: Pick<Visit, 'say' | 'settings'>): Html {
  return html`<div class="brand-line"><a class="brand" href="/" aria-label="coopshare">${logoMark}<span class="name">coopshare</span></a> <span class="environment ${environment}">${say(`environment.${environment}`)}</span></div>`
}

/** The head of a printed page. */
function renderLetterhead({ say, service, settings: { environment } }: Visit): Html {
  return html`<div class="letterhead"><span class="brand">${logoMark}coopshare</span> <span>${say(`environment.${environment}`)}</span> <span>${say('asOf')} ${time(service.clock.now())}</span></div>`
}

function renderLanguage(say: Say, language: Language, back: string): Html {
  const other = language === 'de' ? 'en' : 'de'
  return html`<form method="post" action="/language"><input type="hidden" name="to" value="${other}"><input type="hidden" name="back" value="${back}"><button class="quiet" lang="${other}">${say('language')}</button></form>`
}

export function csrfField(csrf: string): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`
}

/** A column of a table: its heading and its cells. */
export interface Column<Shown> {
  /** A text of the console, or the name of a key of JSON in words. */
  readonly head: TextName | Html
  readonly cell: (row: Shown) => Part
  readonly isNumber?: boolean
  /** A name for the styles. */
  readonly className?: string
  /** The same list in the order of this column, and the order that it has now, if it is sorted by it. */
  readonly order?:
    | { readonly href: string; readonly now: 'ascending' | 'descending' | undefined }
    | undefined
}

/**
 * @param caption for screen readers: people see the heading above
 * @param whenEmpty what stands in place of the table
 */
export function table<Shown>(
  say: Say,
  caption: string,
  rows: readonly Shown[],
  columns: readonly Column<Shown>[],
  whenEmpty: Html = html`<p class="soft">${say('none')}</p>`,
): Html {
  if (rows.length === 0) return whenEmpty
  const shown = columns.map((column) => {
    const classes = [column.isNumber && 'number', column.className].filter(Boolean).join(' ')
    return {
      ...column,
      head: column.head instanceof Html ? column.head : say(column.head),
      kind: classes !== '' && html` class="${classes}"`,
    }
  })
  return html`<table>${caption !== '' && html`<caption>${caption}</caption>`}
<thead><tr>${shown.map(({ head, kind, order }) => html`<th scope="col"${kind}${order?.now && html` aria-sort="${order.now}"`}>${order ? html`<a href="${order.href}">${head}</a>` : head}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr>${shown.map(({ head, cell, kind }) => html`<td data-head="${head}"${kind}>${cell(row)}</td>`)}</tr>`,
  )}</tbody></table>`
}

type Emptiness = Extract<TextName, `empty.${string}`>

/** What an empty list will show, and the next step: a link, a command or a form below. */
export function emptyList({ say }: Pick<Visit, 'say'>, name: Emptiness, next?: Html): Html {
  return html`<div class="empty"><p>${say(name)}</p>${next && html`<p>${next}</p>`}</div>`
}

/** Parameters of an address that choose no rows. */
const notFilters = ['done', 'onlyProposed', 'sort', 'days']

/** The same for a list with filters, which may match nothing. */
export function emptyPage(visit: Visit, name: Emptiness, next?: Html): Html {
  const { say, address } = visit
  const isFiltered = [...address.searchParams].some(
    ([key, value]) => value !== '' && !notFilters.includes(key),
  )
  if (!isFiltered) return emptyList(visit, name, next)
  return html`<div class="empty"><p>${say('nothingMatches')}</p><p><a href="${address.pathname}">${say('withoutFilters')}</a></p></div>`
}

export function partnersLink({ say }: Pick<Visit, 'say'>): Html {
  return html`<a class="button" href="/partners">${say('setUpPartner')}</a>`
}

/** Names and values. Undefined parts are left out. */
export function facts(entries: readonly (readonly [name: string, value: Part])[]): Html {
  const given = entries.filter(([, value]) => value !== undefined)
  return html`<dl>${given.map(([name, value]) => html`<dt>${name}</dt><dd>${value ?? '–'}</dd>`)}</dl>`
}

/** A time, which `renderPage` writes in the language of the page. */
export function time(at: Timestamp | string | null | undefined): Html {
  return at ? html`<time datetime="${at}"></time>` : html`–`
}

const timeStyle = {
  ...({ dateStyle: 'medium', timeStyle: 'medium' } as const),
  timeZone: platformTimeZone,
}
const timeFormats = new Map<Language, Intl.DateTimeFormat>()

/** A time for people, in the time zone of the platform, in which the days of filters begin. */
export function timeIn(language: Language, at: string): string {
  // Creating a format takes milliseconds.
  const format = timeFormats.get(language) ?? new Intl.DateTimeFormat(locales[language], timeStyle)
  timeFormats.set(language, format)
  const instant = new Date(at)
  return Number.isNaN(instant.getTime()) ? at : format.format(instant)
}

function writeTimes(page: string, language: Language): string {
  return page.replace(
    /<time datetime="([^"]*)"><\/time>/g,
    (_, at: string) => `<time datetime="${at}" title="${at}">${timeIn(language, at)}</time>`,
  )
}

export function stateIn(visit: Pick<Visit, 'say'>, name: string): string {
  return valueIn(visit, 'state', name)
}

/** The word for a value of a kind, such as the role `viewer`; the value itself if there is none. */
export function valueIn({ say }: Pick<Visit, 'say'>, kind: string, value: string): string {
  const text = `${kind}.${value}`
  return isTextName(text) ? say(text) : value
}

/** The options for values of a kind. */
export function choicesOf(
  visit: Pick<Visit, 'say'>,
  kind: string,
  values: readonly string[],
): readonly (readonly [value: string, label: string])[] {
  return values.map((value) => [value, valueIn(visit, kind, value)] as const)
}

/** The type of an event in words, such as `Order settled`. */
export function eventTypeIn(visit: Pick<Visit, 'say'>, type: string): string {
  const [noun = '', state = ''] = type.split('.')
  return isTextName(noun) ? `${visit.say(noun)} ${stateIn(visit, state)}` : type
}

/** A state is never shown by its colour alone. */
export function state(visit: Pick<Visit, 'say'>, name: string): Html {
  return html`<span class="state ${tones[name]}">${stateIn(visit, name)}</span>`
}

/** A page stops counting at `maximumCounted`, so that it takes no longer in a larger store. */
export function counted(
  count: number,
  { language }: Pick<Visit, 'language'>,
  most = maximumCounted,
): string {
  const shown = new Intl.NumberFormat(language).format(count)
  return count < most ? shown : `${shown}+`
}

/** How long ago something was, in its largest unit. */
export function elapsed({ language, service }: Visit, since: string): string {
  const minutes = Math.max(0, Date.parse(service.clock.now()) - Date.parse(since)) / 60_000
  const [count, unit] =
    minutes < 60
      ? [minutes, 'minute']
      : minutes < 48 * 60
        ? [minutes / 60, 'hour']
        : [minutes / (24 * 60), 'day']
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.floor(count))
}

export function money(
  amount: string,
  currency: string,
  { language }: Pick<Visit, 'language'>,
): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency })
  // The amount stays a text, because sums may have more digits than a number can hold.
  return format.format(amount as Intl.StringNumericLiteral)
}

export function percentIn({ language }: Pick<Visit, 'language'>, percent: number): string {
  const style = { style: 'percent', maximumFractionDigits: 6 } as const
  return new Intl.NumberFormat(language, style).format(percent / 100)
}

const linkIn = (path: string) => (id: string, name?: string | null) =>
  html`<a href="${path}/${id}">${name ? foreign(name) : html`<code>${id}</code>`}</a>`

/** A link to a page, with a name or else the id. */
export const linkTo = {
  order: linkIn('/orders'),
  event: linkIn('/events'),
  partner: linkIn('/partners'),
  investor: linkIn('/investors'),
  cooperative: linkIn('/catalogue'),
  collection: linkIn('/payments'),
  statement: linkIn('/statements'),
}

const recordsOfKeys: Readonly<Record<string, keyof typeof linkTo>> = {
  share_purchase_id: 'order',
  event_id: 'event',
  organization_id: 'partner',
  investor_id: 'investor',
  cooperative_id: 'cooperative',
  collection_id: 'collection',
  statement_id: 'statement',
}

/** What makes a link of the value of a key of JSON; undefined if no page is about it. */
export function linkOf(key: string): ((id: string) => Html) | undefined {
  const record = Object.hasOwn(recordsOfKeys, key) ? recordsOfKeys[key] : undefined
  return record && linkTo[record]
}

/** The options of a select, with the chosen one. */
export function options(
  values: readonly (readonly [value: string, label: string])[],
  chosen: string | null | undefined,
): Html {
  return html`${values.map(
    ([value, label]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  )}`
}

/** Nobody reads a longer list, and each page would contain it. */
const mostChoices = 100

interface Filter {
  readonly name: string
  readonly label: TextName
  readonly values: readonly (readonly [value: string, label: string])[]
}

/** A parameter of a list: one of a few values, or a text that the operation accepts, such as an id or a name. */
export function filterField(visit: Visit, { name, label, values }: Filter): Html {
  const { say } = visit
  const chosen = chosenIn(visit, name)
  const control =
    values.length > mostChoices
      ? html`<input name="${name}" value="${chosen}" placeholder="${say('idOrName')}">`
      : html`<select name="${name}">${options([['', say('all')], ...values], chosen)}</select>`
  return html`<label>${say(label)}${control}</label>`
}

export async function partnerFilter(visit: Visit): Promise<Html> {
  const all = await visit.service.call('organization.list', {})
  const values = all.map(({ organization_id: id, name }) => [id, name] as const)
  return filterField(visit, { name: 'organization', label: 'organization', values })
}

export async function cooperativeFilter(visit: Visit): Promise<Html> {
  const all = await visit.service.call('cooperative.list', {})
  const values = all.map(({ id, name }) => [id, name] as const)
  return filterField(visit, { name: 'cooperative', label: 'cooperative', values })
}

export async function operatorFilter(visit: Visit): Promise<Html> {
  const all = await visit.service.call('operator.list', {})
  const values = ['local', ...all.map(({ name }) => name)].map((name) => [name, name] as const)
  return filterField(visit, { name: 'operator', label: 'operator', values })
}

/** Fields for the first and the last day of a list, in the time zone of the platform. */
export function dayFields(visit: Visit, names: readonly TextName[] = ['since', 'until']): Html {
  return html`${names.map(
    (name) =>
      html`<label>${visit.say(name)}<input type="date" name="${name}" value="${chosenIn(visit, name)}"></label>`,
  )}`
}

/** What a filter shows as chosen: as it stands in the address, because a form must show the mistake that it can correct. */
export function chosenIn({ address }: Pick<Visit, 'address'>, name: string): string | undefined {
  return address.searchParams.get(name) ?? undefined
}

/** Reads the parameters of the address. */
export function readerOf({ event }: Pick<Visit, 'event'>): ReadParameter {
  return (name) => readParameter(event, name)
}

/** A link to the same list with other parameters. */
export function samePage(
  { address }: Pick<Visit, 'address'>,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const reports = { done: undefined, onlyProposed: undefined, outcome: undefined }
  const given = { ...Object.fromEntries(address.searchParams), ...reports }
  return pathTo(address.pathname, { ...given, ...changes })
}

/** The number of rows on a page; a list below others is cut off here. */
export const rowLimit = 50

/** How many rows of a list are not shown. */
export function moreOf({ say }: Visit, rows: readonly unknown[]): Html {
  if (rows.length <= rowLimit) return html``
  return html`<p class="soft">${say('more', { count: rows.length - rowLimit })}</p>`
}

/** A part of a list that may be long: the rows after the one in the address, and links to other parts. */
export async function readPart<Name extends ListName>(
  visit: Visit,
  name: Name,
  filter: Input<Name>,
  idOf: (row: Row<Name>) => string,
) {
  const { say } = visit
  const after = readerOf(visit)('after')
  const rows = await rowsOf(visit, name, { ...filter, after }, rowLimit + 1)
  const shown = rows.slice(0, rowLimit)
  const last = rows.length > rowLimit ? shown.at(-1) : undefined
  const pages =
    last &&
    html`<p class="pages">${after !== undefined && html`<a href="${samePage(visit, { after: undefined })}">${say('first')}</a> `}<a rel="next" href="${samePage(visit, { after: idOf(last) })}">${say('next')}</a></p>`
  return { shown, pages }
}

/** A part of a list that is short enough to be read whole, and links to its other parts. */
export function pageOf<Shown>(visit: Visit, rows: readonly Shown[]) {
  const asked = Number(readerOf(visit)('page') ?? 1)
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const shown = rows.slice((page - 1) * rowLimit, page * rowLimit)
  const { say } = visit
  const pages = html`<p class="pages">${page > 1 && html`<a href="${samePage(visit, { page: undefined })}">${say('first')}</a>`}
${rows.length > page * rowLimit && html`<a rel="next" href="${samePage(visit, { page: `${page + 1}` })}">${say('next')}</a>`}</p>`
  return { shown, pages }
}
