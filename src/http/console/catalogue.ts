import { HTTPResponse } from 'h3'
import {
  affiliations,
  type Coordinates,
  dividendTypes,
  energyCategories,
  unlikelyChange,
} from '../../domain/cooperatives/cooperative.ts'
import { cooperativeImageKinds, type ImageKind } from '../../domain/cooperatives/image.ts'
import { currency as euro } from '../../domain/money.ts'
import { Problem } from '../../domain/problem.ts'
import type { Input, Output } from '../../operations/operations.ts'
import type { RenderedFixtureChange } from '../../wire/fixture-changes.ts'
import { imageContentSecurityPolicy } from '../images.ts'
import {
  type Action,
  button,
  command,
  type Form,
  mayRun,
  parseSent,
  type Reply,
} from './actions.ts'
import { renderCreditor } from './creditor.ts'
import { download, foreign, type Html, html } from './html.ts'
import {
  choicesOf,
  commandLine,
  csrfField,
  emptyList,
  emptyPage,
  facts,
  linkTo,
  money,
  moreOf,
  options,
  type Page,
  pageOf,
  percentIn,
  readerOf,
  rowLimit,
  state,
  table,
  time,
  type Visit,
  valueIn,
} from './page.ts'
import { isTextName, type Say, type TextName } from './texts.ts'

type Cooperative = Output<'cooperative.show'>

export async function listCatalogue(visit: Visit): Promise<Page> {
  const { say } = visit
  const { shown, pages } = pageOf(visit, await visit.service.call('cooperative.list', {}))
  const body = html`${table(
    say,
    say('catalogue'),
    shown,
    [
      { head: 'name', cell: (row) => linkTo.cooperative(row.id, row.name) },
      { head: 'key', cell: (row) => html`<code>${row.key}</code>` },
      { head: 'state', cell: (row) => visibility(visit, row.published) },
      { head: 'city', cell: (row) => foreign(row.city) },
      { head: 'energy_category', cell: (row) => energyIn(visit, row.energy_category) },
      {
        head: 'share_price',
        cell: (row) => money(row.share_price, row.share_price_currency, visit),
        isNumber: true,
      },
      { head: 'changed', cell: (row) => time(row.updated_at) },
    ],
    emptyPage(visit, 'empty.catalogue', commandLine(visit, 'cooperative import FILE')),
  )}${pages}
${mayRun(visit, 'cooperative.create') && renderNew(visit)}
${mayRun(visit, 'cooperative.import') && renderUpload(visit)}`
  const commands = 'cooperative list --json'
  return { title: say('catalogue'), section: 'catalogue', commands, body }
}

function visibility(visit: Visit, isPublished: boolean): Html {
  return state(visit, isPublished ? 'published' : 'hidden')
}

export async function showCooperative(visit: Visit, cooperative: string): Promise<Page> {
  const { say } = visit
  const [shown, prices] = await Promise.all([
    visit.service.call('cooperative.show', { cooperative }),
    visit.service.call('cooperative.price_history', { cooperative }),
  ])
  const { dividend_rate_percent: rate } = shown
  const body = html`${facts([
    [say('key'), html`<code>${shown.key}</code>`],
    [say('id'), html`<code>${shown.id}</code>`],
    [say('state'), visibility(visit, shown.published)],
    [say('share_price'), money(shown.share_price, shown.share_price_currency, visit)],
    [say('share_value'), money(shown.share_value, shown.share_value_currency, visit)],
    [say('entry_fee'), money(shown.entry_fee, shown.entry_fee_currency, visit)],
    [say('minimum_shares'), shown.minimum_shares],
    [
      say('dividend_type'),
      [
        valueIn(visit, 'dividend', shown.dividend_type),
        ...(rate === null ? [] : [percentIn(visit, rate)]),
      ].join(', '),
    ],
    [say('city'), foreign([shown.postal_code, shown.city].filter(Boolean).join(' '))],
    [
      say('energy_category'),
      html`${energyIn(visit, shown.energy_category)}${shown.energy_type && html`, ${foreign(shown.energy_type)}`}`,
    ],
    [say('website_url'), foreign(shown.website_url)],
    [say('description'), foreign(shown.description)],
    [say('changed'), time(shown.updated_at)],
  ])}
<div class="actions">${renderActions(visit, shown)}</div>
${mayRun(visit, 'cooperative.update') && renderUpdate(visit, shown)}
${renderCreditor(visit, shown)}
${renderPictures(visit, shown)}
<h2>${say('priceHistory')}</h2>${table(say, say('priceHistory'), prices.slice(0, rowLimit), [
    { head: 'time', cell: ({ at }) => time(at) },
    {
      head: 'previousPrice',
      cell: (row) => (row.old_price === null ? '–' : money(row.old_price, row.currency, visit)),
      isNumber: true,
    },
    {
      head: 'share_price',
      cell: (row) => money(row.new_price, row.currency, visit),
      isNumber: true,
    },
  ])}${moreOf(visit, prices)}
<h2>${say('projects')}</h2>${table(
    say,
    say('projects'),
    shown.projects.slice(0, rowLimit),
    [
      { head: 'name', cell: ({ name }) => foreign(name) },
      { head: 'type', cell: ({ type }) => foreign(type) },
      { head: 'city', cell: ({ city }) => foreign(city) },
    ],
    emptyList(visit, 'empty.projects'),
  )}${moreOf(visit, shown.projects)}`
  const commands = ['show', 'price-history'].map((verb) =>
    command('cooperative', verb, shown.key, '--json'),
  )
  return { title: shown.name, section: 'catalogue', commands, body }
}

function energyIn(visit: Visit, category: string | null): string {
  return category === null ? '–' : valueIn(visit, 'energy', category)
}

function renderPictures(visit: Visit, { id, name, images }: Cooperative): Html {
  const { say, csrf } = visit
  const pictures = images.map(
    (kind) =>
      html`<figure><img class="picture" src="/pictures/${id}?kind=${kind}" alt="${valueIn(visit, 'image', kind)}: ${name}"><figcaption>${valueIn(visit, 'image', kind)}</figcaption></figure>`,
  )
  const kinds = choicesOf(visit, 'image', cooperativeImageKinds)
  return html`<h2>${say('pictures')}</h2>
${images.length > 0 ? html`<div class="pictures">${pictures}</div>` : html`<p class="soft">${say('noPictures')}</p>`}
${
  mayRun(visit, 'cooperative.import') &&
  html`<form method="post" action="/pictures" enctype="multipart/form-data" class="row">${csrfField(csrf)}
<input type="hidden" name="back" value="/catalogue/${id}"><input type="hidden" name="cooperative" value="${id}">
<label>${say('kind')}<select name="kind">${options(kinds, 'hero')}</select></label>
<label>${say('file')}<input type="file" name="file" required accept=".png,.jpg,.jpeg,.webp,.svg"></label>
<button class="quiet">${say('upload')}</button>${commandLine(visit, 'cooperative import FILE')}</form>`
}`
}

function renderActions(visit: Visit, shown: Cooperative): Html {
  const { say } = visit
  const { id: cooperative, key, published } = shown
  const part = { input: { cooperative }, words: [key] }
  const toggle: Action = published
    ? { ...part, operation: 'cooperative.unpublish', tone: 'quiet' }
    : { ...part, operation: 'cooperative.publish' }
  const price = html`<label>${say('share_price')}<input name="input.share_price" ${amountOnly} value="${shown.share_price}" required size="10"></label>`
  return html`
${button(visit, toggle)}
${button(visit, { ...part, operation: 'cooperative.set_price', words: [key, 'PRICE'], fields: price })}`
}

/** A field of `cooperative create` and `cooperative update`. */
interface Field {
  readonly name: keyof Input<'cooperative.create'> & TextName
  readonly choices?: readonly string[]
  /** What the choices are, which names their words. */
  readonly kind?: string
  readonly isLong?: boolean
  readonly isRequired?: boolean
  /** Whether an empty text removes the value. */
  readonly mayBeEmpty?: boolean
}

const fields: readonly Field[] = [
  { name: 'name', isRequired: true },
  { name: 'energy_category', kind: 'energy', choices: energyCategories, isRequired: true },
  { name: 'energy_type', mayBeEmpty: true },
  { name: 'postal_code', mayBeEmpty: true },
  { name: 'city', mayBeEmpty: true },
  { name: 'coordinates', mayBeEmpty: true },
  { name: 'website_url', mayBeEmpty: true },
  { name: 'share_value' },
  { name: 'entry_fee' },
  { name: 'minimum_shares' },
  { name: 'dividend_type', kind: 'dividend', choices: dividendTypes },
  { name: 'dividend_rate_percent', mayBeEmpty: true },
  { name: 'affiliation', kind: 'affiliation', choices: affiliations },
  { name: 'bafa_funded', choices: ['false', 'true'] },
  { name: 'description', isLong: true, mayBeEmpty: true },
]

/** @param shown the cooperative that the form changes */
function renderField(say: Say, field: Field, shown?: Cooperative): Html {
  const { name, choices, kind = 'answer', isLong, isRequired, mayBeEmpty } = field
  const before = shown && textOf(shown[name as keyof Cooperative])
  const key = `input.${name}`
  const required = (isRequired || (shown && !mayBeEmpty)) && html` required`
  const control = choices
    ? html`<select name="${key}"${required}>${options(
        [...(shown ? [] : [['', ''] as const]), ...choicesOf({ say }, kind, choices)],
        before,
      )}</select>`
    : isLong
      ? html`<textarea name="${key}" rows="4" cols="60">
${before}</textarea>`
      : html`<input name="${key}" value="${before}"${required}>`
  return html`<label>${say(name)}${control}</label>${shown && html`<input type="hidden" name="was.${name}" value="${before}">`}`
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  const { latitude, longitude } = value as Coordinates
  return `${latitude}, ${longitude}`
}

function renderNew(visit: Visit): Html {
  const { say } = visit
  const usage = 'KEY --name NAME --energy-category CATEGORY --share-price PRICE --city CITY …'
  const form = button(visit, {
    operation: 'cooperative.create',
    label: 'create',
    fields: html`<label>${say('key')}<input name="input.key" required maxlength="100"></label>
<label>${say('share_price')}<input name="input.share_price" ${amountOnly} required size="10"></label>
${fields.map((field) => renderField(say, field))}`,
    words: usage.split(' '),
  })
  return html`<details><summary>${say('cooperative.create')}</summary><p class="soft">${say('newCooperativeHint')}</p>
${form}</details>`
}

function renderUpdate(visit: Visit, shown: Cooperative): Html {
  const { say } = visit
  const form = button(visit, {
    operation: 'cooperative.update',
    label: 'save',
    input: { cooperative: shown.id },
    fields: html`${fields.map((field) => renderField(say, field, shown))}`,
    words: [shown.key, '--city', 'CITY', '…'],
  })
  return html`<details><summary>${say('cooperative.update')}</summary>${form}</details>`
}

const amountOnly = html`inputmode="decimal" pattern="[0-9]+([.,][0-9]{1,2})?"`

function renderUpload(visit: Visit): Html {
  const { say, csrf } = visit
  return html`<h2>${say('import')}</h2><p class="soft">${say('importHint')}</p>
<form method="post" action="/catalogue" enctype="multipart/form-data" class="row">${csrfField(csrf)}
<label>${say('file')}<input type="file" name="file" required accept=".xlsx,.csv,.json,.ndjson,.yaml,.yml"></label>
<button>${say('compare')}</button>${commandLine(visit, 'cooperative import FILE --dry-run')}</form>
<p class="soft">${say('template')}</p>
<p><a class="button quiet" href="/catalogue.xlsx" download>${say('workbook')}</a> ${commandLine(visit, 'cooperative export -o xlsx')}</p>`
}

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The catalogue as a workbook; if the catalogue is empty, the workbook has only the names of the columns. */
export async function exportCatalogue(visit: Visit): Promise<HTTPResponse> {
  const definitions: object[] = []
  for await (const some of visit.service.list('cooperative.export', { images: false })) {
    definitions.push(...some)
  }
  const workbook = Buffer.from(await visit.files.writeCatalogue(definitions))
  return download('catalogue.xlsx', xlsxType, workbook)
}

/** First shows each change of a file, then imports exactly these changes. */
export async function importCatalogue(visit: Visit, form: Form): Promise<Reply> {
  const confirmed = form.get('definitions')
  if (confirmed !== null) {
    visit.event.context.operation = 'cooperative.import'
    const input = parseSent(confirmed) as Input<'cooperative.import'>
    await visit.service.call('cooperative.import', input)
    return { goTo: '/catalogue?done=cooperative.import' }
  }
  const { file } = form
  if (!file) throw new Problem('VALIDATION_ERROR', 'Choose a file.')
  const read = await visit.files.readCatalogue(file.name, Buffer.from(await file.arrayBuffer()))
  const dryRun = { ...read.input, dry_run: true }
  const compared = await visit.service.call('cooperative.import', dryRun).catch((error) => {
    throw read.explain(error)
  })
  return comparisonPage(visit, file.name, read.input, compared)
}

function comparisonPage(
  visit: Visit,
  file: string,
  input: Input<'cooperative.import'>,
  compared: Output<'cooperative.import'>,
): Page {
  const { say, csrf } = visit
  const { cooperatives, created, updated, unchanged, changes = [] } = compared
  const names = new Map(cooperatives.map(({ key, name }) => [key, name]))
  const changed = changes.flatMap(({ name: key, outcome, fields }) =>
    outcome === 'updated' ? fields.map((field) => ({ key, field })) : [],
  )
  const alarms = changed.filter(({ field }) => alarmOf(field) !== undefined)
  const definitions = new Map(input.cooperatives.map((each) => [each.key, each]))
  const added = cooperatives
    .filter(({ outcome }) => outcome === 'created')
    .map((row) => ({ ...row, definition: definitions.get(row.key) }))
  const amount = (value: string | number | null | undefined) =>
    value ? money(String(value), euro, visit) : '–'
  const body = html`${facts([
    [say('newOnes'), created],
    [say('changedOnes'), updated],
    [say('unchangedOnes'), unchanged],
  ])}
${alarms.length > 0 && html`<p class="note bad" role="status">${say('alarms', { count: alarms.length })}</p>`}
${
  added.length > 0 &&
  html`<h2>${say('newOnes')}</h2>${table(say, say('newOnes'), added, [
    { head: 'name', cell: ({ name }) => foreign(name) },
    { head: 'key', cell: ({ key }) => html`<code>${key}</code>` },
    { head: 'state', cell: (row) => visibility(visit, row.published) },
    { head: 'city', cell: ({ city }) => foreign(city) },
    { head: 'energy_category', cell: (row) => energyIn(visit, row.energy_category) },
    { head: 'share_price', cell: (row) => amount(row.share_price), isNumber: true },
    { head: 'entry_fee', cell: (row) => amount(row.definition?.entry_fee), isNumber: true },
    { head: 'minimum_shares', cell: (row) => row.definition?.minimum_shares ?? 1, isNumber: true },
  ])}`
}
${
  changed.length > 0 &&
  html`<h2>${say('changedOnes')}</h2>${table(say, say('changedOnes'), changed, [
    { head: 'name', cell: ({ key }) => html`${foreign(names.get(key))} <code>${key}</code>` },
    { head: 'field', cell: ({ field }) => labelOfField(say, field.field) },
    {
      head: 'before',
      cell: ({ field }) => 'before' in field && shownValue(visit, field, 'before'),
    },
    {
      head: 'after',
      cell: ({ field }) =>
        'after' in field
          ? html`${shownValue(visit, field, 'after')} <strong class="bad">${alarmOf(field)}</strong>`
          : say('changed'),
    },
  ])}`
}
${
  changes.length > 0
    ? html`<form method="post" action="/catalogue" class="row">${csrfField(csrf)}
<input type="hidden" name="definitions" value="${JSON.stringify(input)}"><button${alarms.length > 0 && html` class="danger"`}>${say('import')}</button>
<a href="/catalogue">${say('back')}</a> ${commandLine(visit, command('cooperative', 'import', file))}</form>`
    : html`<p>${say('nothingChanges')}</p><p><a href="/catalogue">${say('back')}</a></p>`
}`
  return { title: `${say('import')}: ${file}`, section: 'catalogue', body }
}

type ChangedField = RenderedFixtureChange['fields'][number]
type Shown = Extract<ChangedField, { readonly before: unknown }>

/** What a person should look at twice: a price that changes by more than half, and a cooperative that disappears. */
function alarmOf(field: ChangedField): string | undefined {
  if (!('before' in field)) return undefined
  const { field: name, before, after } = field
  if (name === 'share_price') return unlikelyChange(String(before), String(after))
  return name === 'published' && after === false ? '!' : undefined
}

function shownValue(visit: Visit, field: Shown, side: 'before' | 'after'): Html | string {
  const value = field[side]
  if (field.field === 'published') return visit.say(value ? 'published' : 'hidden')
  if (typeof value === 'boolean') return visit.say(value ? 'yes' : 'no')
  const isAmount = /^(share_price|share_value|entry_fee)$/.test(field.field)
  if (isAmount && typeof value === 'string') return money(value, euro, visit)
  return foreign(value === null ? null : String(value))
}

function labelOfField(say: Say, name: string): Html | string {
  if (name === 'published') return say('state')
  return isTextName(name) ? say(name) : html`<code>${name}</code>`
}

/** Replaces one image with another. All other fields keep their values. */
export async function uploadPicture(visit: Visit, form: Form): Promise<Reply> {
  const { file } = form
  const kind = cooperativeImageKinds.find((known) => known === form.get('kind'))
  if (!file || file.size === 0 || !kind) throw new Problem('VALIDATION_ERROR', 'Choose a file.')
  const shown = await visit.service.call('cooperative.show', {
    cooperative: form.get('cooperative') ?? '',
  })
  const { key, name, energy_category, share_price } = shown
  const image = {
    content_type: file.type,
    base64: Buffer.from(await file.arrayBuffer()).toString('base64'),
  }
  const definition = { key, name, energy_category, share_price, [`${kind}_image`]: image }
  visit.event.context.operation = 'cooperative.import'
  await visit.service.call('cooperative.import', { cooperatives: [definition], keep_absent: true })
  return { goTo: `/catalogue/${shown.id}?done=cooperative.update` }
}

/** Unpublished cooperatives have images, too. */
export async function showPicture(visit: Visit, ownerId: string) {
  const kinds: readonly ImageKind[] = [...cooperativeImageKinds, 'project']
  const kind = kinds.find((known) => known === readerOf(visit)('kind')) ?? 'hero'
  const { contentType, base64 } = await visit.service.reads.image({ ownerId, kind })
  return new HTTPResponse(Buffer.from(base64, 'base64'), {
    headers: { 'content-type': contentType, 'content-security-policy': imageContentSecurityPolicy },
  })
}
