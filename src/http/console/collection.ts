// A collection: its direct debits, its file, and in staging the answer of the bank.
import type { HTTPResponse } from 'h3'
import { returnReasons } from '../../domain/payments/payment.ts'
import { Problem } from '../../domain/problem.ts'
import { streamOf } from '../render-error.ts'
import { button, command, type Form, isProduction, mayRun, type Reply } from './actions.ts'
import { download, foreign, type Html, html } from './html.ts'
import { numberOf } from './order-rows.ts'
import {
  commandLine,
  csrfField,
  facts,
  linkTo,
  money,
  options,
  type Page,
  readerOf,
  rowLimit,
  samePage,
  state,
  table,
  time,
  type Visit,
} from './page.ts'
import { cooperativeLink, day, namesOf, renderNext, renderPlaces } from './payments.ts'
import { isTextName } from './texts.ts'

type Collection = Awaited<ReturnType<Visit['service']['reads']['collection']>>

export async function showCollection(visit: Visit, id: string): Promise<Page> {
  const { say, service } = visit
  const after = readerOf(visit)('after')
  const shown = await service.reads.collection(id, { after, limit: rowLimit + 1 })
  const debits = shown.debits.slice(0, rowLimit)
  const last = shown.debits.length > rowLimit ? debits.at(-1) : undefined
  const [orders, names] = await Promise.all([
    namesOf(visit, debits),
    service.reads.cooperativeNames(),
  ])
  const { total_currency: currency, announced } = shown
  const toTell = shown.count - announced
  const isSimulable = canSimulate(visit, shown)
  const list = table(say, say('directDebits'), debits, [
    {
      head: 'investor',
      cell: ({ share_purchase_id: order }) => linkTo.order(order, orders.get(order)?.investor),
    },
    {
      head: 'organization',
      cell: ({ share_purchase_id: order }) => foreign(orders.get(order)?.organization),
    },
    { head: 'state', cell: (debit) => state(visit, debit.state) },
    { head: 'amount', cell: (debit) => money(debit.amount, currency, visit), isNumber: true },
    {
      head: 'announcement',
      cell: (debit) => say(debit.is_announced ? 'toldByMail' : 'toldByPartner'),
    },
    {
      head: 'endToEndId',
      cell: (debit) => html`<code class="id">${debit.end_to_end_id}</code>`,
    },
    ...(isSimulable
      ? [
          {
            head: 'answerOfBank',
            cell: (debit: (typeof debits)[number]) => renderAnswer(visit, debit.share_purchase_id),
          } as const,
        ]
      : []),
  ])
  const body = html`<p class="back"><a href="/payments">${say('backToPayments')}</a></p>
${renderPlaces(visit)}
${facts([
  [say('state'), state(visit, shown.state)],
  [say('cooperative'), cooperativeLink(names, shown.cooperative_key)],
  [say('creditor'), foreign(shown.creditor)],
  [say('due_date'), day(shown.due_date, visit)],
  [say('directDebits'), numberOf(visit, shown.count)],
  [say('sum'), money(shown.total, currency, visit)],
  [say('refusedByBank'), shown.refused > 0 ? numberOf(visit, shown.refused) : undefined],
  [say('toldByMail'), numberOf(visit, announced)],
  [say('toldByPartner'), numberOf(visit, toTell)],
  [say('message_id'), html`<code>${shown.message_id}</code>`],
  [say('created'), html`${time(shown.created_at)}, ${foreign(shown.created_by)}`],
  [say('confirmed_by'), shown.confirmed_by === null ? undefined : foreign(shown.confirmed_by)],
  [say('exported'), shown.exported_at === null ? undefined : time(shown.exported_at)],
  [
    say('file_digest'),
    shown.file_digest === null ? undefined : html`<code class="id">${shown.file_digest}</code>`,
  ],
  [say('booked_on'), shown.booked_on === null ? undefined : day(shown.booked_on, visit)],
])}
${!shown.is_complete && html`<p class="note">${say('incomplete')}</p>`}
${shown.needs_confirmation && html`<p class="note">${say('waitsForSecond', { name: shown.created_by })}</p>`}
${renderActions(visit, shown)}
${shown.state === 'booked' && renderNext(visit)}
<h2>${say('directDebits')}</h2>
${toTell > 0 && shown.state !== 'cancelled' && html`<p class="soft">${say('partnerTells')} (${numberOf(visit, toTell)}) ${commandLine(visit, command('collection', 'show', shown.collection_id, '--json'))}</p>`}
${isSimulable ? renderSimulation(visit, shown, list) : list}
${last && html`<p class="pages"><a href="${samePage(visit, { after: undefined })}">${say('first')}</a> <a rel="next" href="${samePage(visit, { after: last.end_to_end_id })}">${say('next')}</a></p>`}`
  const commands = command('collection', 'show', shown.collection_id, '--json')
  return {
    title: `${say('collection')}: ${names.get(shown.cooperative_key)?.name ?? shown.cooperative_key}`,
    section: 'payments',
    commands,
    body,
  }
}

function renderActions(visit: Visit, shown: Collection): Html {
  const { say, csrf, operator } = visit
  const { collection_id, state: now, created_by: creator } = shown
  const part = { input: { collection_id }, words: [collection_id] }
  const isExportable = shown.is_complete && now !== 'cancelled' && !shown.needs_confirmation
  const confirm = shown.needs_confirmation && shown.is_complete && operator.name !== creator
  const cancel =
    now === 'exported'
      ? { input: { collection_id, not_taken: true }, words: [collection_id, '--yes'] }
      : part
  return html`<div class="actions">
${confirm && button(visit, { ...part, operation: 'collection.confirm' })}
${
  isExportable &&
  mayRun(visit, 'collection.export') &&
  html`<form method="post" action="/payments/${collection_id}/file" class="row">${csrfField(csrf)}<input type="hidden" name="back" value="/payments/${collection_id}">
<button>${say('collection.export')}</button> ${commandLine(visit, command('collection', 'export', collection_id, '--to', 'FILE'))}</form><p class="soft">${say('fileHint')}</p>`
}
${(now === 'created' || now === 'exported') && button(visit, { ...cancel, operation: 'collection.cancel', tone: 'danger' })}</div>`
}

/** The file for the bank. A form, because it contains personal data and the first download is recorded. */
export async function downloadFile(visit: Visit, collection_id: string): Promise<HTTPResponse> {
  visit.event.context.operation = 'collection.export'
  const parts = bytesOf(visit.service.list('collection.export', { collection_id }))
  const stream = await streamOf(parts, visit)
  return download(`${collection_id.replaceAll('-', '')}.xml`, 'application/xml', stream)
}

async function* bytesOf(
  batches: AsyncIterable<readonly { readonly text: string }[]>,
): AsyncGenerator<Buffer> {
  for await (const rows of batches) for (const { text } of rows) yield Buffer.from(text)
}

/** The bank is simulated in staging, for a collection whose file was made and whose money has not come. */
function canSimulate(visit: Visit, { state: now, is_complete }: Collection): boolean {
  const isPossible = is_complete && (now === 'exported' || now === 'booked')
  return isPossible && !isProduction(visit.settings) && mayRun(visit, 'statement.simulate')
}

function renderAnswer({ say }: Visit, order: string): Html {
  const codes = Object.keys(returnReasons).map((code) => {
    const meaning = `return.${code}`
    return [code, isTextName(meaning) ? `${code}: ${say(meaning)}` : code] as const
  })
  return html`<select name="return.${order}" aria-label="${say('answerOfBank')}">${options([['', say('paid')], ...codes], '')}</select>`
}

function renderSimulation(visit: Visit, { collection_id: id }: Collection, list: Html): Html {
  const { say, csrf } = visit
  return html`<form method="post" action="/payments/${id}/bank">${csrfField(csrf)}<input type="hidden" name="back" value="/payments/${id}">
${list}
<h2>${say('simulate')}</h2><p class="soft">${say('simulateHint')}</p>
<div class="row"><label>${say('chargesEach')}<input name="charges" value="3.00" inputmode="decimal" pattern="[0-9]+([.,][0-9]{1,2})?" size="8"></label>
${mayRun(visit, 'statement.import') && html`<button name="do" value="import">${say('importStatement')}</button>`}
<button name="do" value="download" class="quiet">${say('downloadStatement')}</button>
${commandLine(visit, command('statement', 'simulate', id, '--return', 'ORDER=CODE'))}</div></form>`
}

/** The statement that a bank would send: a file, or imported as one. */
export async function answerAsBank(
  visit: Visit,
  collection_id: string,
  form: Form,
): Promise<Reply | HTTPResponse> {
  const { service } = visit
  visit.event.context.operation = 'statement.simulate'
  const returns = [...form].flatMap(([name, code]) =>
    name.startsWith('return.') && code !== ''
      ? [{ share_purchase_id: name.slice('return.'.length), code }]
      : [],
  )
  const charges = (form.get('charges') || '0').replace(',', '.')
  const { file } = await service.call('statement.simulate', { collection_id, returns, charges })
  const name = `camt053-${collection_id.slice(0, 8)}.xml`
  if (form.get('do') === 'download') return download(name, 'application/xml', file)
  if (form.get('do') !== 'import')
    throw new Problem('MALFORMED_REQUEST_BODY', 'The form was changed. Begin again.')
  visit.event.context.operation = 'statement.import'
  const [imported] = await service.call('statement.import', { name, text: file })
  return { goTo: `/statements/${imported?.statement_id}?done=statement.import` }
}
