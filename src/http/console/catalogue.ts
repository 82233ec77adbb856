import { HTTPResponse } from 'h3'
import { cooperativeImageKinds, type ImageKind } from '../../domain/cooperatives/image.ts'
import { Problem } from '../../domain/problem.ts'
import type { Input, Output } from '../../operations/operations.ts'
import { readImage } from '../../usecases/cooperatives/catalogue.ts'
import type { RenderedFixtureChange } from '../../wire/fixture-changes.ts'
import { button, command, type Form, mayRun, type Reply } from './actions.ts'
import { foreign, type Html, html, quoteWord } from './html.ts'
import {
  csrfField,
  facts,
  linkTo,
  money,
  type Page,
  pageOf,
  run,
  table,
  time,
  type Visit,
} from './page.ts'

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
    [say('city'), foreign([shown.postal_code, shown.city].filter(Boolean).join(' '))],
    [say('energy'), foreign([shown.energy_category, shown.energy_type].filter(Boolean).join(', '))],
    [say('address'), foreign(shown.website_url)],
    [say('details'), foreign(shown.description)],
    [say('changed'), time(shown.updated_at)],
  ])}
<div class="actions">${renderActions(visit, shown)}</div>
${shown.images.length > 0 && html`<h2>${say('pictures')}</h2><p>${shown.images.map((kind) => html`<img class="picture" src="/pictures/${shown.id}?kind=${kind}" alt="${kind}: ${shown.name}"> `)}</p>`}
<h2>${say('priceHistory')}</h2>${table(say, say('priceHistory'), prices.slice(0, mostPrices), [
    { head: 'time', cell: ({ at }) => time(at) },
    {
      head: 'previousPrice',
      cell: (row) => (row.old_price === null ? '–' : money(row.old_price, row.currency, visit)),
      isNumber: true,
    },
    { head: 'price', cell: (row) => money(row.new_price, row.currency, visit), isNumber: true },
  ])}
<h2>${say('projects')}</h2>${table(say, say('projects'), shown.projects, [
    { head: 'name', cell: ({ name }) => foreign(name) },
    { head: 'type', cell: ({ type }) => foreign(type) },
    { head: 'city', cell: ({ city }) => foreign(city) },
  ])}`
  const twin = command('cooperative', 'show', shown.key, '--json')
  return { title: shown.name, section: 'catalogue', twin, body }
}

function renderActions(visit: Visit, shown: Output<'cooperative.show'>): Html {
  const { say } = visit
  const { id: cooperative, key, published } = shown
  const part = { input: { cooperative }, back: `/catalogue/${cooperative}` }
  const toggle = published
    ? ({ operation: 'cooperative.unpublish', label: 'unpublish', tone: 'quiet' } as const)
    : ({ operation: 'cooperative.publish', label: 'publish' } as const)
  const fields = html`<label>${say('price')}<input name="input.share_price" inputmode="decimal" pattern="[0-9]+([.][0-9]{1,2})?" value="${shown.share_price}" required size="10"></label>`
  return html`
${button(visit, { ...part, ...toggle, command: command('cooperative', toggle.label, key) })}
${button(visit, { ...part, operation: 'cooperative.set_price', label: 'setPrice', fields, command: `${command('cooperative', 'set-price', key)} PRICE` })}`
}

const mostPrices = 50

function renderUpload({ say, csrf }: Visit): Html {
  return html`<h2>${say('import')}</h2><p class="soft">${say('importHint')}</p>
<form method="post" action="/catalogue" enctype="multipart/form-data" class="row">${csrfField(csrf)}
<label>${say('file')}<input type="file" name="file" required accept=".xlsx,.csv,.json,.ndjson,.yaml,.yml"></label>
<button>${say('compare')}</button><code>coopshare cooperative import FILE --dry-run</code></form>
<p class="soft">${say('template')} <code>coopshare cooperative export -o xlsx</code></p>`
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

function comparisonPage({ say, csrf }: Visit, file: string, { input, changes }: Comparison): Page {
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
<a href="/catalogue">${say('back')}</a> <code>coopshare cooperative import ${quoteWord(file)}</code></form>`
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
