import type { Row } from '../../operations/operations.ts'
import { button, command } from './actions.ts'
import { foreign, type Html, html } from './html.ts'
import {
  linkTo,
  operatorFilter,
  type Page,
  rowsOf,
  samePage,
  state,
  table,
  time,
  type Visit,
} from './page.ts'

type Entry = Row<'audit.list'>

const pageSize = 50

/** Who has done what. */
export async function showAudit(visit: Visit): Promise<Page> {
  const { say, address } = visit
  const read = (name: string) => address.searchParams.get(name) || undefined
  const filter = { order: read('order'), operator: read('operator') }
  const [entries, operator] = await Promise.all([
    rowsOf(visit, 'audit.list', { ...filter, after: read('after'), limit: pageSize + 1 }),
    operatorFilter(visit),
  ])
  const last = entries[pageSize - 1]
  const body = html`<form class="row" action="/audit">
${operator}
<label>${say('order')}<input name="order" value="${filter.order}" size="36"></label>
<button class="quiet">${say('show')}</button></form>
${renderEntries(visit, entries.slice(0, pageSize))}
${entries.length > pageSize && html`<p class="pages"><a href="${samePage(visit, { after: undefined })}">${say('first')}</a> <a rel="next" href="${samePage(visit, { after: last?.entry_id })}">${say('next')}</a></p>`}
${button(visit, { operation: 'audit.verify', label: 'verify', command: 'audit verify', back: '/audit' })}`
  const flags = (['order', 'operator'] as const).flatMap((name) =>
    filter[name] === undefined ? [] : [`--${name}`, filter[name]],
  )
  const twin = command('audit', 'list', ...flags, '--json')
  return { title: say('audit'), section: 'audit', twin, body }
}

export function renderEntries(visit: Visit, entries: readonly Entry[]): Html {
  const { say } = visit
  return table(say, say('audit'), entries, [
    { head: 'time', cell: ({ at }) => time(at) },
    {
      head: 'operator',
      cell: ({ actor }) => foreign(`${actor.name} (${actor.role ?? actor.kind})`),
    },
    { head: 'operation', cell: ({ operation, via }) => html`<code>${operation}</code> ${via}` },
    { head: 'subjects', cell: ({ subjects }) => renderSubjects(subjects) },
    { head: 'changes', cell: ({ changes }) => changes.map(renderChange) },
    { head: 'outcome', cell: ({ outcome, code }) => html`${state(visit, outcome)} ${code}` },
  ])
}

function renderSubjects(subjects: Readonly<Record<string, string>>): Html {
  const { share_purchase_id: order, ...others } = subjects
  return html`${order && linkTo.order(order)} ${Object.entries(others).map(([name, id]) => html`<span class="soft">${name}</span> <code>${id}</code> `)}`
}

function renderChange({ record, before, after }: Entry['changes'][number]): Html {
  const names = Object.keys({ ...before, ...after })
  const shown = names.map((name) => {
    const [old, now] = [before?.[name], after?.[name]]
    return html`${name}: ${old !== undefined && html`<del>${foreign(textOf(old))}</del> `}${now !== undefined && html`<ins>${foreign(textOf(now))}</ins>`} `
  })
  return html`<div>${record} ${shown}</div>`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
