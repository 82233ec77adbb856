// The payment of an order, and the report on all payments.
import { currency } from '../../domain/money.ts'
import { forbidsRetry } from '../../domain/payments/payment.ts'
import type { Output } from '../../operations/operations.ts'
import { button, command } from './actions.ts'
import { flagsOf, type Html, html } from './html.ts'
import { numberOf } from './order-rows.ts'
import {
  chosenIn,
  facts,
  filterForm,
  money,
  type Page,
  readerOf,
  state,
  table,
  type Visit,
} from './page.ts'
import { cooperativeLink, day, renderPlaces } from './payments.ts'
import { isTextName } from './texts.ts'

type Order = Output<'purchase.show'>

/** Why a bank returned a payment, in words; only the code if it is an unusual one. */
export function reasonOfBank({ say }: Pick<Visit, 'say'>, code: string): Html {
  const [meaning, instead] = [`return.${code}`, `instead.${code}`]
  return html`<code>${code}</code> ${isTextName(meaning) && say(meaning)} ${isTextName(instead) && html`<span class="soft">${say(instead)}</span>`}`
}

/** The payment with its attempts, and what an operator can do about it. Empty if the order has none. */
export function renderPayment(visit: Visit, order: Order): Html {
  const { say } = visit
  const { payment, share_purchase_id, status } = order
  if (!payment) return html``
  const { charges, amount_currency: euro, attempts, state: now } = payment
  const part = { input: { share_purchase_id }, words: [share_purchase_id] }
  const isOpen = now === 'due' || now === 'returned'
  const mayRetry =
    now === 'returned' &&
    (status === 'approved' || status === 'settled') &&
    forbidsRetry(payment.return_code) === undefined
  const transfer = html`<label>${say('paid_on')}<input type="date" name="input.paid_on" required></label>
<label>${say('reference')}<input name="input.reference" maxlength="140"></label>`
  return html`<h2>${say('payment')}</h2>
${facts([
  [say('state'), state(visit, now)],
  [say('amount'), money(payment.amount, euro, visit)],
  [say('due_date'), payment.due_date === null ? undefined : day(payment.due_date, visit)],
  [
    say('paid_at'),
    payment.paid_at === null
      ? undefined
      : html`${day(payment.paid_at, visit)} ${payment.paid_by && say(`paidBy.${payment.paid_by}`)}`,
  ],
  [say('returned_at'), payment.returned_at === null ? undefined : day(payment.returned_at, visit)],
  [
    say('return_code'),
    payment.return_code === null ? undefined : reasonOfBank(visit, payment.return_code),
  ],
  [say('charges'), charges === '0.00' ? undefined : money(charges, euro, visit)],
])}
${
  attempts.length > 0 &&
  html`<h3>${say('attemptsToCollect')}</h3><ol class="story">${attempts.map(
    (attempt) =>
      html`<li><a href="/payments/${attempt.collection_id}">${say('due_date')}: ${day(attempt.due_date, visit)}</a> ${state(visit, attempt.state)} ${attempt.return_code !== null && html`<code>${attempt.return_code}</code>`}</li>`,
  )}</ol>`
}
${
  isOpen &&
  status !== 'rejected' &&
  html`<div class="actions">${mayRetry && button(visit, { ...part, operation: 'payment.retry' })}
${button(visit, { ...part, operation: 'payment.record', fields: transfer, words: [share_purchase_id, '--paid-on', 'DATE'], tone: 'quiet' })}</div>`
}`
}

/** The sums of each creditor. The report reads all statements, so it is made only when somebody asks for it. */
export async function showReport(visit: Visit): Promise<Page> {
  const { say, service } = visit
  const read = readerOf(visit)
  const period = { since: read('since'), until: read('until') }
  const isAsked = read('show') === 'yes'
  const report = isAsked ? await service.call('payment.report', period) : undefined
  const days = [
    ['since', 'sinceDay'],
    ['until', 'untilDay'],
  ] as const
  const fields = days.map(
    ([name, label]) =>
      html`<label>${say(label)}<input type="date" name="${name}" value="${chosenIn(visit, name)}"></label>`,
  )
  const body = html`${renderPlaces(visit, '/payment-report')}
<p class="soft">${say('reportHint')}</p>
${filterForm(visit, '/payment-report', html`<input type="hidden" name="show" value="yes">${fields}`)}
${report && renderReport(visit, report, await service.reads.cooperativeNames())}`
  const commands = command('payment', 'report', ...flagsOf(period), '--json')
  return { title: say('paymentReport'), section: 'payments', commands, body }
}

type Report = Output<'payment.report'>

function renderReport(
  visit: Visit,
  { creditors }: Report,
  names: Parameters<typeof cooperativeLink>[0],
): Html {
  const { say } = visit
  if (creditors.length === 0) return html`<p class="soft">${say('noCreditor')}</p>`
  const amounts = ['due', 'collecting', 'paid', 'returned', 'charges', 'recorded'] as const
  const isExplained = creditors.every(({ unexplained }) => unexplained.length === 0)
  const list = table(say, say('paymentReport'), creditors, [
    { head: 'cooperative', cell: (row) => cooperativeLink(names, row.cooperative_key) },
    ...amounts.map((head) => ({
      head,
      cell: (row: Report['creditors'][number]) => money(row[head], currency, visit),
      isNumber: true,
    })),
    {
      head: 'unexplained',
      cell: ({ unexplained }) =>
        unexplained.length === 0
          ? '–'
          : html`<a class="bad" href="/statements#assign">${numberOf(visit, unexplained.length)}</a>`,
      isNumber: true,
    },
  ])
  return html`${list}${isExplained && html`<p class="good">${say('reportBalances')}</p>`}`
}
