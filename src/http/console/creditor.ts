// For whom the payments of a cooperative are collected.
import { defaultLeadDays, defaultNoticeDays } from '../../domain/payments/creditor.ts'
import type { Output } from '../../operations/operations.ts'
import { button, mayRun } from './actions.ts'
import { foreign, type Html, html } from './html.ts'
import { facts, type Visit } from './page.ts'

export function renderCreditor(
  visit: Visit,
  { id: cooperative, key, creditor }: Output<'cooperative.show'>,
): Html {
  const { say } = visit
  const known = creditor
    ? facts([
        [say('creditor_name'), foreign(creditor.name)],
        [say('creditor_id'), html`<code>${creditor.creditor_id}</code>`],
        [say('iban'), html`<code>${creditor.iban}</code>`],
        [say('bic'), foreign(creditor.bic)],
        [say('notice_days'), creditor.notice_days],
        [say('lead_days'), creditor.lead_days],
      ])
    : html`<p class="soft">${say('hasNoCreditor')}</p>`
  const link =
    creditor && html`<p><a href="/payments?cooperative=${cooperative}">${say('payments')}</a></p>`
  return html`<h2>${say('creditor')}</h2>${known}${link}
${
  mayRun(visit, 'cooperative.set_creditor') &&
  html`<details><summary>${say('cooperative.set_creditor')}</summary><p class="soft">${say('creditorHint')}</p>${button(
    visit,
    {
      operation: 'cooperative.set_creditor',
      label: 'save',
      input: { cooperative },
      fields: html`<label>${say('creditor_name')}<input name="input.name" required value="${creditor?.name}"></label>
<label>${say('creditor_id')}<input name="input.creditor_id" required size="20" value="${creditor?.creditor_id}"></label>
<label>${say('iban')}<input name="input.iban" required size="28" value="${creditor?.iban}"></label>
<label>${say('notice_days')}<input type="number" name="input.notice_days" min="1" max="90" required value="${creditor?.notice_days ?? defaultNoticeDays}"></label>
<label>${say('lead_days')}<input type="number" name="input.lead_days" min="1" max="30" required value="${creditor?.lead_days ?? defaultLeadDays}"></label>`,
      words: [key, '--name', 'NAME', '--creditor-id', 'ID', '--iban', 'IBAN'],
    },
  )}</details>`
}`
}
