import { HTTPResponse } from 'h3'
import {
  affiliations,
  type Coordinates,
  dividendTypes,
  energyCategories,
} from '../../domain/cooperatives/cooperative.ts'
import { cooperativeImageKinds, type ImageKind } from '../../domain/cooperatives/image.ts'
import { Problem } from '../../domain/problem.ts'
import type { Input, Output } from '../../operations/operations.ts'
import { readImage } from '../../usecases/cooperatives/catalogue.ts'
import type { RenderedFixtureChange } from '../../wire/fixture-changes.ts'
import { button, command, type Form, mayRun, type Reply } from './actions.ts'
import { foreign, type Html, html } from './html.ts'
import {
  commandLine,
  csrfField,
  facts,
  linkTo,
  money,
  moreOf,
  mostShown,
  options,
  type Page,
  pageOf,
  run,
  table,
  time,
  type Visit,
} from './page.ts'
import type { Say, TextName } from './texts.ts'

type Cooperative = Output<'cooperative.show'>

export async function listCatalogue(visit: Visit): Promise<Page> {
  const { say } = visit
  const { shown, pages } = pageOf(visit, await run(visit, 'cooperative.list', {}))
  const body = html`${table(say, say('catalogue'), shown, [
    { head: 'name', cell: (row) => linkTo.cooperative(row.id, row.name) },
    { head: 'key', cell: (row) => html`<code>${row.key}</code>` },
    { head: 'state', cell: (row) => say(row.published ? 'published' : 'hidden') },
    { head: 'city', cell: (row) => foreign(row.city) },
    { head: 'energy', cell: (row) => row.energy_category },
    {
      head: 'price',
      cell: (row) => money(row.share_price, row.share_price_currency, visit),
      isNumber: true,
    },
    { head: 'changed', cell: (row) => time(row.updated_at) },
  ])}${pages}
${mayRun(visit, 'cooperative.create') && renderNew(visit)}
${mayRun(visit, 'cooperative.import') && renderUpload(visit)}`
  return { title: say('catalogue'), section: 'catalogue', twin: 'cooperative list --json', body }
}

export async function showCooperative(visit: Visit, cooperative: string): Promise<Page> {
  const { say } = visit
  const [shown, prices] = await Promise.all([
    run(visit, 'cooperative.show', { cooperative }),
    run(visit, 'cooperative.price_history', { cooperative }),
  ])
  const body = html`${facts([
    [say('key'), html`<code>${shown.key}</code>`],
    [say('id'), html`<code>${shown.id}</code>`],
    [say('state'), say(shown.published ? 'published' : 'hidden')],
    [say('price'), money(shown.share_price, shown.share_price_currency, visit)],
    [say('shareValue'), money(shown.share_value, shown.share_value_currency, visit)],
    [say('entryFee'), money(shown.entry_fee, shown.entry_fee_currency, visit)],
    [say('minimumShares'), shown.minimum_shares],
    [say('dividendType'), foreign(dividendOf(shown))],
    [say('city'), foreign([shown.postal_code, shown.city].filter(Boolean).join(' '))],
    [say('energy'), foreign([shown.energy_category, shown.energy_type].filter(Boolean).join(', '))],
    [say('address'), foreign(shown.website_url)],
    [say('details'), foreign(shown.description)],
    [say('changed'), time(shown.updated_at)],
  ])}
<div class="actions">${renderActions(visit, shown)}</div>
${mayRun(visit, 'cooperative.update') && renderUpdate(visit, shown)}
${shown.images.length > 0 && html`<h2>${say('pictures')}</h2><p>${shown.images.map((kind) => html`<img class="picture" src="/pictures/${shown.id}?kind=${kind}" alt="${kind}: ${shown.name}"> `)}</p>`}
<h2>${say('priceHistory')}</h2>${table(say, say('priceHistory'), prices.slice(0, mostShown), [
    { head: 'time', cell: ({ at }) => time(at) },
    {
      head: 'previousPrice',
      cell: (row) => (row.old_price === null ? '–' : money(row.old_price, row.currency, visit)),
      isNumber: true,
    },
    { head: 'price', cell: (row) => money(row.new_price, row.currency, visit), isNumber: true },
  ])}${moreOf(visit, prices)}
<h2>${say('projects')}</h2>${table(say, say('projects'), shown.projects.slice(0, mostShown), [
    { head: 'name', cell: ({ name }) => foreign(name) },
    { head: 'type', cell: ({ type }) => foreign(type) },
    { head: 'city', cell: ({ city }) => foreign(city) },
  ])}${moreOf(visit, shown.projects)}`
  const twin = ['show', 'price-history'].map((verb) =>
    command('cooperative', verb, shown.key, '--json'),
  )
  return { title: shown.name, section: 'catalogue', twin, body }
}

function renderActions(visit: Visit, shown: Cooperative): Html {
  const { say } = visit
  const { id: cooperative, key, published } = shown
  const part = { input: { cooperative }, back: `/catalogue/${cooperative}` }
  const toggle = published
    ? ({ operation: 'cooperative.unpublish', label: 'unpublish', tone: 'quiet' } as const)
    : ({ operation: 'cooperative.publish', label: 'publish' } as const)
  const price = html`<label>${say('price')}<input name="input.share_price" ${amountOnly} value="${shown.share_price}" required size="10"></label>`
  return html`
${button(visit, { ...part, ...toggle, command: command('cooperative', toggle.label, key) })}
${button(visit, { ...part, operation: 'cooperative.set_price', label: 'setPrice', fields: price, command: `${command('cooperative', 'set-price', key)} PRICE` })}`
}

function dividendOf({ dividend_type: type, dividend_rate_percent: rate }: Cooperative): string {
  return rate === null ? type : `${type}, ${rate} %`
}

/** A field of `cooperative create` and `cooperative update`. */
interface Field {
  readonly name: keyof Input<'cooperative.create'>
  readonly label: TextName
  /** How the text of the form becomes a value. */
  readonly kind?: 'number' | 'boolean' | 'coordinates'
  readonly choices?: readonly string[]
  readonly isLong?: boolean
  readonly isRequired?: boolean
  /** Without a text, the cooperative has no value. */
  readonly mayBeEmpty?: boolean
}

const fields: readonly Field[] = [
  { name: 'name', label: 'name', isRequired: true },
  { name: 'energy_category', label: 'energy', choices: energyCategories, isRequired: true },
  { name: 'energy_type', label: 'energyType', mayBeEmpty: true },
  { name: 'postal_code', label: 'postalCode', mayBeEmpty: true },
  { name: 'city', label: 'city', mayBeEmpty: true },
  { name: 'coordinates', label: 'coordinates', kind: 'coordinates', mayBeEmpty: true },
  { name: 'website_url', label: 'website', mayBeEmpty: true },
  { name: 'share_value', label: 'shareValue' },
  { name: 'entry_fee', label: 'entryFee' },
  { name: 'minimum_shares', label: 'minimumShares', kind: 'number' },
  { name: 'dividend_type', label: 'dividendType', choices: dividendTypes },
  { name: 'dividend_rate_percent', label: 'dividendRate', kind: 'number', mayBeEmpty: true },
  { name: 'affiliation', label: 'affiliation', choices: affiliations },
  { name: 'bafa_funded', label: 'bafaFunded', kind: 'boolean', choices: ['false', 'true'] },
  { name: 'description', label: 'details', isLong: true, mayBeEmpty: true },
]

/** @param shown the cooperative that the form changes */
function renderField(say: Say, field: Field, shown?: Cooperative): Html {
  const { name, label, kind, choices, isLong, isRequired, mayBeEmpty } = field
  const before = shown && textOf(shown[name as keyof Cooperative])
  const key = `input.${name}${kind ? `:${kind}` : ''}${shown && mayBeEmpty ? '?' : ''}`
  const required = isRequired && html` required`
  const control = choices
    ? html`<select name="${key}"${required}>${options(
        [...(shown ? [] : ['']), ...choices].map((choice) => [choice, choice] as const),
        before,
      )}</select>`
    : isLong
      ? html`<textarea name="${key}" rows="4" cols="60">
${before}</textarea>`
      : html`<input name="${key}" value="${before}"${required}>`
  return html`<label>${say(label)}${control}</label>${shown && html`<input type="hidden" name="was.${name}" value="${before}">`}`
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  const { latitude, longitude } = value as Coordinates
  return `${latitude}, ${longitude}`
}

function renderNew(visit: Visit): Html {
  const { say } = visit
  const form = button(visit, {
    operation: 'cooperative.create',
    label: 'create',
    fields: html`<label>${say('key')}<input name="input.key" required maxlength="100"></label>
<label>${say('price')}<input name="input.share_price" ${amountOnly} required size="10"></label>
${fields.map((field) => renderField(say, field))}`,
    command:
      'cooperative create KEY --name NAME --energy-category CATEGORY --share-price PRICE --city CITY …',
    back: '/catalogue',
  })
  return html`<h2>${say('newCooperative')}</h2><p class="soft">${say('newCooperativeHint')}</p>
<details><summary>${say('newCooperative')}</summary>${form}</details>`
}

function renderUpdate(visit: Visit, shown: Cooperative): Html {
  const { say } = visit
  const form = button(visit, {
    operation: 'cooperative.update',
    label: 'save',
    input: { cooperative: shown.id },
    fields: html`${fields.map((field) => renderField(say, field, shown))}`,
    command: `${command('cooperative', 'update', shown.key)} --city CITY …`,
    back: `/catalogue/${shown.id}`,
  })
  return html`<details><summary>${say('change')}</summary>${form}</details>`
}

const amountOnly = html`inputmode="decimal" pattern="[0-9]+([.][0-9]{1,2})?"`

function renderUpload(visit: Visit): Html {
  const { say, csrf } = visit
  return html`<h2>${say('import')}</h2><p class="soft">${say('importHint')}</p>
<form method="post" action="/catalogue" enctype="multipart/form-data" class="row">${csrfField(csrf)}
<label>${say('file')}<input type="file" name="file" required accept=".xlsx,.csv,.json,.ndjson,.yaml,.yml"></label>
<button>${say('compare')}</button>${commandLine(visit, 'cooperative import FILE --dry-run')}</form>
<p class="soft">${say('template')} ${commandLine(visit, 'cooperative export -o xlsx')}</p>`
}

/** First shows each change of a file, then imports what was shown. */
export async function importCatalogue(visit: Visit, form: Form): Promise<Reply> {
  const confirmed = form.get('definitions')
  if (confirmed !== null) {
    visit.event.context.operation = 'cooperative.import'
    await run(visit, 'cooperative.import', JSON.parse(confirmed))
    return { goTo: '/catalogue?done=cooperative.import' }
  }
  const { file, readCatalogue } = form
  if (!file || !readCatalogue) throw new Problem('VALIDATION_ERROR', 'Choose a file.')
  const read = await readCatalogue(file.name, Buffer.from(await file.arrayBuffer()))
  const dryRun = { ...read.input, dry_run: true }
  const compared = await run(visit, 'cooperative.import', dryRun).catch((error) => {
    throw read.explain(error)
  })
  return comparisonPage(visit, file.name, { input: read.input, changes: compared.changes ?? [] })
}

interface Comparison {
  readonly input: Input<'cooperative.import'>
  readonly changes: readonly RenderedFixtureChange[]
}

function comparisonPage(visit: Visit, file: string, { input, changes }: Comparison): Page {
  const { say, csrf } = visit
  const shownOf = (value: unknown) => foreign(value === null ? null : JSON.stringify(value))
  const body = html`${changes.map(
    ({ name, outcome, fields }) => html`<h2>${foreign(name)}: ${outcome}</h2>
${
  fields.length > 0 &&
  table(say, say('changes'), fields, [
    { head: 'name', cell: ({ field }) => field },
    { head: 'before', cell: (field) => 'before' in field && shownOf(field.before) },
    { head: 'after', cell: (field) => 'after' in field && shownOf(field.after) },
  ])
}`,
  )}${changes.length === 0 && html`<p>${say('none')}</p>`}
${
  changes.length > 0 &&
  html`<form method="post" action="/catalogue" class="row">${csrfField(csrf)}
<input type="hidden" name="definitions" value="${JSON.stringify(input)}"><button>${say('import')}</button>
<a href="/catalogue">${say('back')}</a> ${commandLine(visit, command('cooperative', 'import', file))}</form>`
}`
  return { title: `${say('import')}: ${file}`, section: 'catalogue', body }
}

/** Unpublished ones, too, which the partner API does not show. An SVG that is opened directly could run scripts. */
export async function showPicture({ service, address }: Visit, ownerId: string) {
  const kinds: readonly ImageKind[] = [...cooperativeImageKinds, 'project']
  const kind = kinds.find((known) => known === address.searchParams.get('kind')) ?? 'hero'
  const { contentType, base64 } = await readImage(service, { ownerId, kind })
  return new HTTPResponse(Buffer.from(base64, 'base64'), {
    headers: {
      'content-type': contentType,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  })
}
