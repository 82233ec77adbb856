// What banks have sent, and the entries that somebody has to assign.
import { LRUCache } from 'lru-cache'
import { Problem } from '../../domain/problem.ts'
import type { Output } from '../../operations/operations.ts'
import { ifWritable } from '../../operations/run-audited.ts'
import { decodeXml } from '../../wire/decode-xml.ts'
import { button, command, type Form, mayRun, type Reply, type SentForms } from './actions.ts'
import { foreign, type Html, html } from './html.ts'
import { numberOf } from './order-rows.ts'
import {
  type Column,
  commandLine,
  csrfField,
  facts,
  linkTo,
  money,
  type Page,
  readerOf,
  readPart,
  rowLimit,
  samePage,
  state,
  table,
  time,
  type Visit,
} from './page.ts'
import { reasonOfBank } from './payment.ts'
import { day, namesOf, renderNext, renderPlaces } from './payments.ts'

/** The text of a file that was previewed, until it is imported. It is too long to be sent back with a form. */
export class PreviewedStatements {
  readonly #kept = new LRUCache<string, { readonly name: string; readonly text: string }>({
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ text }) => text.length + 1,
    ttl: 3600 * 1000,
  })

  keep({ csrf, service }: Visit, file: { readonly name: string; readonly text: string }): string {
    const id = service.random.traceId()
    this.#kept.set(`${csrf} ${id}`, file)
    return id
  }

  /** @returns the file, which is then forgotten; undefined if it is not kept, or was previewed on another instance */
  take({ csrf }: Visit, id: string) {
    const key = `${csrf} ${id}`
    const file = this.#kept.get(key)
    this.#kept.delete(key)
    return file
  }
}

type Entry = Awaited<ReturnType<Visit['service']['reads']['unmatched']>>[number]

const mostUnmatched = 20

export async function listStatements(visit: Visit): Promise<Page> {
  const { say, service } = visit
  const maySee = mayRun(visit, 'statement.show')
  const [{ shown, pages }, unmatched] = await Promise.all([
    readPart(visit, 'statement.list', {}, ({ statement_id: id }) => id),
    maySee ? service.reads.unmatched(mostUnmatched + 1) : [],
  ])
  if (unmatched.length > 0) await noteLook(visit)
  const list = table(say, say('statements'), shown, [
    {
      head: 'file',
      cell: (row) => html`<a href="/statements/${row.statement_id}">${foreign(row.file)}</a>`,
    },
    { head: 'period', cell: (row) => html`${day(row.from, visit)} – ${day(row.to, visit)}` },
    { head: 'entries', cell: (row) => numberOf(visit, row.entries), isNumber: true },
    ...countColumns<(typeof shown)[number]>(visit),
    {
      head: 'imported',
      cell: (row) => html`${time(row.imported_at)}, ${foreign(row.imported_by)}`,
    },
  ])
  const body = html`${renderPlaces(visit, '/statements')}
${maySee && renderUnmatched(visit, unmatched)}
<h2>${say('statements')}</h2>
${shown.length === 0 && readerOf(visit)('after') === undefined ? html`<p class="soft">${say('noStatements')}</p>` : list}${pages}
${mayRun(visit, 'statement.import') && renderUpload(visit)}`
  const commands = 'statement list --json'
  return { title: say('statements'), section: 'payments', commands, body }
}

/** Entries contain names of people who may be nobody's investors, so the audit says who has looked at them. */
async function noteLook({ service }: Visit): Promise<void> {
  await ifWritable(() => service.note('statement.show'))
}

interface Counts {
  readonly booked: number
  readonly returned: number
  readonly repeated: number
  readonly unmatched: number
  readonly ignored: number
}

function countColumns<Shown extends Counts>(visit: Visit): readonly Column<Shown>[] {
  return (['booked', 'returned', 'repeated', 'unmatched', 'ignored'] as const).map((head) => ({
    head,
    cell: (row: Shown) => numberOf(visit, row[head]),
    isNumber: true,
  }))
}

function renderUpload(visit: Visit): Html {
  const { say, csrf } = visit
  return html`<h2>${say('statement.import')}</h2><p class="soft">${say('statementHint')}</p>
<form method="post" action="/statements" enctype="multipart/form-data" class="row">${csrfField(csrf)}
<label>${say('file')}<input type="file" name="file" required accept=".xml,.camt,.c53,.c54,.c52"></label>
<button>${say('previewStatement')}</button> ${commandLine(visit, 'statement import FILE --dry-run')}</form>`
}

function renderUnmatched(visit: Visit, entries: readonly Entry[]): Html {
  const { say } = visit
  const shown = entries.slice(0, mostUnmatched)
  return html`<h2 id="assign">${say('unmatchedEntries')}</h2>
${shown.length === 0 ? html`<p class="good">${say('nothingToAssign')}</p>` : html`<p class="soft">${say('assignHint')}</p>${renderAssignable(visit, shown)}`}
${entries.length > mostUnmatched && html`<p class="soft">${say('someOf', { count: mostUnmatched, total: `${mostUnmatched}+` })}</p>`}`
}

function renderAssignable(visit: Visit, entries: readonly Entry[]): Html {
  const { say } = visit
  return table(say, say('unmatchedEntries'), entries, [
    {
      head: 'booked_on',
      cell: (row) =>
        html`<a href="/statements/${row.statement_id}">${day(row.booked_on, visit)}</a>`,
    },
    { head: 'kind', cell: (row) => say(`kind.${row.kind}`) },
    { head: 'amount', cell: (row) => amountOf(visit, row), isNumber: true },
    { head: 'purpose', cell: textOf },
    { head: 'actions', cell: (row) => renderAssign(visit, row, '/statements') },
  ])
}

/** Money without any reference of an order is ignored, but a person may know what it is for. */
function mayAssign({ outcome, kind, is_credit }: Pick<Entry, 'outcome' | 'kind' | 'is_credit'>) {
  return outcome === 'unmatched' || (outcome === 'ignored' && kind === 'other' && is_credit)
}

/** The order whose id is in the purpose is filled in. */
function renderAssign(
  visit: Visit,
  { entry_id, named_share_purchase_id: named }: Pick<Entry, 'entry_id' | 'named_share_purchase_id'>,
  back: string,
): Html {
  return button(visit, {
    operation: 'statement.assign',
    input: { entry_id },
    fields: html`<label>${visit.say('orderId')}<input name="input.share_purchase_id" required size="20" value="${named ?? ''}"></label>`,
    words: [entry_id, named ?? 'ORDER'],
    tone: 'quiet',
    back,
  })
}

/** Who has paid or got the money, and what they wrote. */
function textOf({ counterparty, purpose }: Pick<Entry, 'counterparty' | 'purpose'>): Html {
  const isBoth = counterparty !== null && purpose !== null
  return html`${counterparty !== null && foreign(counterparty)}${isBoth && html`<br>`}${purpose !== null && foreign(purpose)}`
}

/** Money that left the account has a minus. */
function amountOf(
  visit: Visit,
  { amount, amount_currency, is_credit }: Pick<Entry, 'amount' | 'amount_currency' | 'is_credit'>,
): string {
  return money(is_credit ? amount : `-${amount}`, amount_currency, visit)
}

export async function showStatement(visit: Visit, id: string): Promise<Page> {
  const { say, service } = visit
  const after = readerOf(visit)('after')
  const maySee = mayRun(visit, 'statement.show')
  const limit = maySee ? rowLimit + 1 : 1
  const { rows, ...shown } = await service.reads.statement(id, { after, limit })
  const entries = rows.slice(0, rowLimit)
  const last = rows.length > rowLimit ? entries.at(-1) : undefined
  if (maySee) await noteLook(visit)
  const orders = await namesOf(visit, entries)
  const assigning: Column<(typeof entries)[number]> = {
    head: 'actions',
    cell: (row) => mayAssign(row) && renderAssign(visit, row, `/statements/${shown.statement_id}`),
  }
  const list = table(say, say('entries'), entries, [
    { head: 'booked_on', cell: (row) => day(row.booked_on, visit) },
    { head: 'kind', cell: (row) => say(`kind.${row.kind}`) },
    { head: 'state', cell: (row) => row.outcome && state(visit, row.outcome) },
    { head: 'amount', cell: (row) => amountOf(visit, row), isNumber: true },
    {
      head: 'charges',
      cell: (row) =>
        row.charges === '0.00' ? '–' : money(row.charges, row.amount_currency, visit),
      isNumber: true,
    },
    {
      head: 'share_purchase',
      cell: ({ share_purchase_id: order, collection_id: collection, matched_by: by }) =>
        html`${order !== null ? linkTo.order(order, orders.get(order)?.investor) : collection !== null && html`<a href="/payments/${collection}">${say('collection')}</a>`}${by !== null && html`<br><span class="soft">${say('matched_by')}: ${say(`matchedBy.${by}`)}</span>`}`,
    },
    { head: 'reason', cell: (row) => row.return_code && reasonOfBank(visit, row.return_code) },
    { head: 'purpose', cell: textOf },
    ...(entries.some(mayAssign) ? [assigning] : []),
  ])
  const body = html`<p class="back"><a href="/statements">${say('statements')}</a></p>
${facts([
  [say('file'), foreign(shown.file)],
  [say('format'), html`<code>${shown.format}</code>`],
  [
    say('account'),
    shown.account_iban === null ? undefined : html`<code>${shown.account_iban}</code>`,
  ],
  [say('period'), html`${day(shown.from, visit)} – ${day(shown.to, visit)}`],
  [say('entries'), numberOf(visit, shown.entries)],
  ...countFacts(visit, shown),
  [say('imported'), html`${time(shown.imported_at)}, ${foreign(shown.imported_by)}`],
])}
<h2>${say('entries')}</h2>
${maySee ? list : html`<p class="soft">${say('viewersSeeNoEntries')}</p>`}
${shown.booked + shown.returned > 0 && renderNext(visit)}
${last && html`<p class="pages"><a href="${samePage(visit, { after: undefined })}">${say('first')}</a> <a rel="next" href="${samePage(visit, { after: last.entry_id })}">${say('next')}</a></p>`}`
  const commands = command('statement', 'show', shown.statement_id, '--json')
  return { title: say('statement'), section: 'payments', commands, body }
}

function countFacts(visit: Visit, counts: Counts): readonly (readonly [string, string])[] {
  return countColumns<Counts>(visit).map(({ head, cell }) => [
    visit.say(head as keyof Counts),
    cell(counts) as string,
  ])
}

/** First shows what a file would do, then imports exactly this file. */
export async function importStatement(
  visit: Visit,
  form: Form,
  { sent, previewed }: { readonly sent: SentForms; readonly previewed: PreviewedStatements },
): Promise<Reply> {
  const { service, say } = visit
  visit.event.context.operation = 'statement.import'
  await service.requireRole('statement.import', {})
  const kept = form.get('previewed')
  if (kept !== null) {
    return sent.once(visit, form, async () => {
      const file = previewed.take(visit, kept)
      if (!file) throw new Problem('VALIDATION_ERROR', say('statementGone'))
      const imported = await service.call('statement.import', file)
      const [only] = imported.length === 1 ? imported : []
      return { goTo: `/statements${only ? `/${only.statement_id}` : ''}?done=statement.import` }
    })
  }
  const { file } = form
  if (!file || file.size === 0) throw new Problem('VALIDATION_ERROR', say('chooseFile'))
  const text = decodeXml(Buffer.from(await file.arrayBuffer()), file.name)
  const read = { name: file.name, text }
  const found = await service.call('statement.import', { ...read, dry_run: true })
  return previewPage(visit, file.name, found, previewed.keep(visit, read))
}

function previewPage(
  visit: Visit,
  name: string,
  found: Output<'statement.import'>,
  kept: string,
): Page {
  const { say, csrf, service } = visit
  const body = html`<p class="note" role="status">${say('dryRunHint')}</p>
${table(say, say('statements'), found.slice(0, rowLimit), [
  { head: 'format', cell: (row) => html`<code>${row.format}</code>` },
  { head: 'account', cell: (row) => html`<code>${row.account_iban ?? '–'}</code>` },
  { head: 'period', cell: (row) => html`${day(row.from, visit)} – ${day(row.to, visit)}` },
  { head: 'entries', cell: (row) => numberOf(visit, row.entries), isNumber: true },
  ...countColumns<(typeof found)[number]>(visit),
])}
<form method="post" action="/statements" class="row">${csrfField(csrf)}<input type="hidden" name="once" value="${service.random.traceId()}">
<input type="hidden" name="previewed" value="${kept}"><button>${say('statement.import')}</button> <a href="/statements">${say('back')}</a>
${commandLine(visit, command('statement', 'import', name))}</form>`
  return {
    title: `${say('previewStatement')}: ${name}`,
    section: 'payments',
    body,
    isQuestion: true,
  }
}
