import type { HTTPResponse } from 'h3'
import { actorKinds } from '../../domain/audit/audit-entry.ts'
import { startOfDay } from '../../domain/timestamp.ts'
import { streamOf } from '../render-error.ts'
import { button, command, mayRun } from './actions.ts'
import { type Entry, readKnown, sentenceOf } from './audit-sentence.ts'
import { download, flagsOf, foreign, type Html, html, readChoice } from './html.ts'
import { showList } from './list-address.ts'
import {
  chosenIn,
  commandLine,
  csrfField,
  dayFields,
  emptyPage,
  facts,
  filterField,
  filterForm,
  linkOf,
  operatorFilter,
  type Page,
  readerOf,
  readPart,
  state,
  stateIn,
  table,
  time,
  type Visit,
  valueIn,
} from './page.ts'
import { isTextName, type Say } from './texts.ts'

/** Who has done what. */
export function showAudit(visit: Visit): Promise<Page> {
  return showList(visit, {
    title: visit.say('audit'),
    section: 'audit',
    path: '/audit',
    show: () => showEntries(visit),
    renderFilter: () => renderFilter(visit),
  })
}

async function renderFilter(visit: Visit): Promise<Html> {
  const { say } = visit
  return filterForm(
    visit,
    '/audit',
    html`${filterField(visit, { name: 'actor', label: 'who', values: actorKinds.map((kind) => [kind, say(actors[kind])] as const) })}
${await operatorFilter(visit)}
<label>${say('share_purchase')}<input name="order" value="${chosenIn(visit, 'order')}" size="36"></label>
${filterField(visit, { name: 'refused', label: 'outcome', values: [['true', stateIn(visit, 'refused')]] })}
${dayFields(visit)}`,
  )
}

async function showEntries(visit: Visit): Promise<Page> {
  const { say } = visit
  const read = readerOf(visit)
  const day = (name: string) => startOfDay(read(name) ?? '') || undefined
  const filter = {
    actor: readChoice(read, 'actor', actorKinds),
    operator: read('operator'),
    order: read('order'),
    since: day('since'),
    until: day('until'),
  }
  const refused = read('refused') === 'true'
  const [{ shown, pages }, form] = await Promise.all([
    readPart(visit, 'audit.list', { ...filter, refused }, (entry) => entry.entry_id),
    renderFilter(visit),
  ])
  // The export is a form, because it has an entry in the audit: a link on another page must not cause one.
  const exportForm = html`<form method="post" action="/audit.ndjson" class="row">${csrfField(visit.csrf)}<input type="hidden" name="back" value="/audit">
<button class="quiet">${say('exportAll')}</button> ${commandLine(visit, 'audit export')}</form>`
  const body = html`${form}
${await renderEntries(visit, shown)}
${pages}
<div class="actions">${button(visit, { operation: 'audit.verify' })}
${mayRun(visit, 'audit.export') && exportForm}</div>`
  const flags = [...flagsOf(filter), ...(refused ? ['--refused'] : [])]
  const commands = command('audit', 'list', ...flags, '--json')
  return { title: say('audit'), section: 'audit', commands, body }
}

const actors = { operator: 'operators', client: 'partners', system: 'thisService' } as const

/** The whole audit, one entry per line. */
export async function exportAudit(visit: Visit): Promise<HTTPResponse> {
  visit.event.context.operation = 'audit.export'
  const lines = inLines(visit.service.list('audit.export', {}))
  return download('audit.ndjson', 'application/x-ndjson', await streamOf(lines, visit))
}

async function* inLines(batches: AsyncIterable<readonly object[]>): AsyncGenerator<Buffer> {
  for await (const rows of batches) {
    yield Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
}

/** Entries as sentences, with the ids behind them. */
export async function renderEntries(visit: Visit, entries: readonly Entry[]): Promise<Html> {
  const { say } = visit
  const known = await readKnown(visit, entries)
  return table(
    say,
    say('audit'),
    entries,
    [
      { head: 'time', cell: ({ at }) => time(at) },
      {
        head: 'what',
        cell: (entry) =>
          html`${sentenceOf(visit, entry, known)}<details><summary>${say('entryDetails')}</summary>${renderDetails(visit, entry)}</details>`,
      },
      { head: 'outcome', cell: ({ outcome }) => state(visit, outcome) },
    ],
    emptyPage(visit, 'empty.audit'),
  )
}

function renderDetails(visit: Visit, entry: Entry): Html {
  const { say } = visit
  const { actor, operation, via, subjects, changes, code, request_id: request, entry_id } = entry
  return facts([
    [
      say('who'),
      foreign(
        [
          actor.name,
          actor.organization,
          actor.role === null
            ? valueIn(visit, 'actor', actor.kind)
            : valueIn(visit, 'role', actor.role),
        ]
          .filter(Boolean)
          .join(', '),
      ),
    ],
    [say('operation'), html`<code>${operation}</code>`],
    [say('way'), say(`via.${via}`)],
    [say('subjects'), Object.keys(subjects).length > 0 ? renderSubjects(say, subjects) : undefined],
    [
      say('changes'),
      changes.length > 0 ? changes.map((change) => renderChange(visit, change)) : undefined,
    ],
    [say('code'), code === null ? undefined : html`<code>${code}</code>`],
    [say('requestId'), request === null ? undefined : html`<code>${request}</code>`],
    [say('id'), html`<code>${entry_id}</code>`],
  ])
}

function renderSubjects(say: Say, subjects: Readonly<Record<string, string>>): Html {
  const shown = Object.entries(subjects).map(([name, id]) => {
    const link = linkOf(name)
    return html`<span class="soft">${nameIn(say, name)}</span> ${link ? link(id) : html`<code>${id}</code>`} `
  })
  return html`${shown}`
}

/** The name of a record or a field in words. */
function nameIn(say: Say, name: string): Html | string {
  const plain = name.replace(/_(?:id|at)$/, '')
  return isTextName(plain) ? say(plain) : html`<code>${name}</code>`
}

function renderChange(visit: Visit, { record, before, after }: Entry['changes'][number]): Html {
  const { say } = visit
  const names = Object.keys({ ...before, ...after }).filter((name) => name !== 'updated_at')
  const shown = names.map((name) => {
    const [old, now] = [before?.[name], after?.[name]]
    // A new record has no value yet in many fields.
    if (isNothing(old) && isNothing(now)) return ''
    const show = (value: unknown) =>
      name === 'status' ? html`${stateIn(visit, String(value))}` : textOf(value)
    return html`<div><span class="soft">${nameIn(say, name)}</span> ${!isNothing(old) && html`<del>${show(old)}</del> `}${!isNothing(now) && html`<ins>${show(now)}</ins>`}</div>`
  })
  return html`<div>${nameIn(say, record)} ${shown}</div>`
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}

function textOf(value: unknown): Html {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return time(value)
  return foreign(typeof value === 'string' ? value : JSON.stringify(value))
}
