import { maximumCounted } from '../../domain/page.ts'
import { addSeconds } from '../../domain/timestamp.ts'
import { eventStates, eventTypes } from '../../domain/webhooks/event.ts'
import type { Output } from '../../operations/operations.ts'
import type { ReadParameter } from '../query.ts'
import { type Action, button, command, mayRun } from './actions.ts'
import { flagsOf, foreign, type Html, html, readChoice } from './html.ts'
import { showList } from './list-address.ts'
import { type Attempt as Outcome, outcomeOf, renderDeliveries } from './order.ts'
import {
  copyButton,
  counted,
  emptyPage,
  eventTypeIn,
  facts,
  filterField,
  filterForm,
  linkTo,
  options,
  type Page,
  partnerFilter,
  partnersLink,
  readerOf,
  readPart,
  rowLimit,
  samePage,
  state,
  stateIn,
  table,
  time,
  type Visit,
} from './page.ts'

function filterIn(read: ReadParameter) {
  return {
    state: readChoice(read, 'state', eventStates),
    type: readChoice(read, 'type', eventTypes),
    organization: read('organization'),
    since: read('since'),
  }
}

/** The event log. Dead letters are the events in the state dead. */
export function listEvents(visit: Visit): Promise<Page> {
  return showList(visit, {
    title: visit.say('events'),
    section: 'events',
    path: '/events',
    show: () => showEvents(visit),
    renderFilter: () => renderFilter(visit),
  })
}

async function renderFilter(visit: Visit): Promise<Html> {
  const states = eventStates.map((name) => [name, stateIn(visit, name)] as const)
  const types = eventTypes.map((name) => [name, eventTypeIn(visit, name)] as const)
  return filterForm(
    visit,
    '/events',
    html`${filterField(visit, { name: 'state', label: 'state', values: states })}
${filterField(visit, { name: 'type', label: 'type', values: types })}
${await partnerFilter(visit)}`,
  )
}

async function showEvents(visit: Visit): Promise<Page> {
  const { say } = visit
  const filter = filterIn(readerOf(visit))
  const newestFirst = { ...filter, sort: '-created_at' } as const
  const [{ shown, pages }, counts, form] = await Promise.all([
    readPart(visit, 'event.list', newestFirst, (row) => row.event_id),
    visit.service.call('event.count', { organization: filter.organization, limit: maximumCounted }),
    renderFilter(visit),
  ])
  const body = html`<p>${eventStates.map((name) => html`<a href="${samePage(visit, { state: name })}">${stateIn(visit, name)}</a> ${counted(counts[name], visit)} · `)}<a href="/events">${say('all')}</a></p>
${form}
${table(
  say,
  say('events'),
  shown,
  [
    { head: 'time', cell: (row) => time(row.created_at) },
    { head: 'id', cell: (row) => linkTo.event(row.event_id) },
    { head: 'type', cell: (row) => html`<code class="type">${row.type}</code>` },
    { head: 'state', cell: (row) => state(visit, row.state) },
    { head: 'attempts', cell: (row) => row.attempts, isNumber: true },
    { head: 'share_purchase', cell: (row) => linkTo.order(row.share_purchase_id) },
    {
      head: 'organization',
      cell: (row) => linkTo.partner(row.organization_id, row.organization),
    },
  ],
  emptyPage(visit, 'empty.events', partnersLink(visit)),
)}
${pages}
${counts.dead > 0 && html`<h2>${say('replayDead')}</h2><div class="actions">${renderReplay(visit, filter.organization)}</div>`}
${mayRun(visit, 'event.purge') && renderPurge(visit, filter.organization)}`
  const commands = command('event', 'list', ...flagsOf(filter), '--json')
  return { title: say('events'), section: 'events', commands, body }
}

/** A replay has a maximum, so that its answer is a page. */
const mostReplayed = 200

function renderReplay(visit: Visit, organization: string | undefined): Html {
  const input = { dead: true, limit: mostReplayed, ...(organization && { organization }) }
  const words = ['--dead', '--limit', `${mostReplayed}`, ...flagsOf({ organization })]
  const action = { operation: 'event.replay', tone: 'quiet', back: '/events?state=dead' } as const
  return html`
${button(visit, { ...action, label: 'dry_run', input: { ...input, dry_run: true }, words: [...words, '--dry-run'] })}
${button(visit, { ...action, label: 'replayDead', input, words })}`
}

/** The ages that the form offers, in days. */
const ages = [30, 90, 365] as const

/** Before anything is removed, a page says how many events there are and asks for a confirmation. */
function renderPurge(visit: Visit, organization: string | undefined): Html {
  const { say, service } = visit
  const now = service.clock.now()
  const choices = ages.map(
    (days) => [addSeconds(now, -days * 24 * 3600), say('olderThan', { days })] as const,
  )
  const fields = html`<label>${say('age')}<select name="input.before">${options(choices, choices[0]?.[0])}</select></label>
<label class="check"><input type="checkbox" name="input.dead" value="true">${say('alsoDead')}</label>`
  const form = button(visit, {
    operation: 'event.purge',
    label: 'purge',
    tone: 'danger',
    input: organization ? { organization } : {},
    fields,
    words: ['--before', '30d', ...flagsOf({ organization })],
  })
  return html`<details><summary>${say('event.purge')}</summary><p class="soft">${say('purgeHint')}</p>${form}</details>`
}

export async function showEvent(visit: Visit, event_id: string): Promise<Page> {
  const { say } = visit
  const event = await visit.service.call('event.show', { event_id })
  const { organization_id: partner } = event
  const names = await visit.service.reads.namesOf({ organizations: [partner] })
  const mails = (event.mail?.attempts ?? []).map((attempt) => ({
    ...attempt,
    address: say('attemptsAtMail'),
  }))
  const attempts = [...event.attempts, ...mails].toSorted((one, other) =>
    one.at < other.at ? -1 : 1,
  )
  const body = html`${facts([
    [say('type'), html`<code>${event.type}</code>`],
    [say('state'), state(visit, event.state)],
    [say('time'), time(event.created_at)],
    [say('share_purchase'), linkTo.order(event.share_purchase_id)],
    [say('organization'), linkTo.partner(partner, names.get(partner))],
  ])}
<div class="actions">${renderActions(visit, event)}</div>
<h2>${say('deliveries')}</h2>${renderDeliveries(visit, event, say('deliveries'))}
<h2>${say('attempts')}</h2>${renderTimeline(visit, event, attempts)}
<h2 id="json">JSON</h2><pre class="json" tabindex="0" role="region" aria-labelledby="json">${formatted(event.body)}</pre>
<p>${copyButton(visit, event.body)} <span class="soft">${say('sentAs')}</span></p>`
  const commands = command('event', 'show', event.event_id, '--json')
  return { title: `${say('event')} ${event.event_id}`, section: 'events', commands, body }
}

interface Attempt extends Outcome {
  readonly at: string
  readonly address: string | null
}

/** The newest attempts, oldest first, and then the next ones. */
function renderTimeline(
  visit: Visit,
  { deliveries, mail }: Output<'event.show'>,
  attempts: readonly Attempt[],
): Html {
  const { say } = visit
  const shown = attempts.slice(-rowLimit)
  const left = attempts.length - shown.length
  const next = [
    ...deliveries.map((each) => ({ ...each, to: each.url })),
    ...(mail ? [{ ...mail, to: say('attemptsAtMail') }] : []),
  ].filter((each) => each.state === 'pending' || each.state === 'waiting')
  if (shown.length + next.length === 0) return html`<p class="soft">${say('noAttemptYet')}</p>`
  return html`${left > 0 && html`<p class="soft">${say('earlier', { count: left })}</p>`}<ol class="timeline">
${shown.map((attempt) => html`<li class="${attempt.delivered || attempt.written ? 'good' : 'bad'}">${time(attempt.at)} ${outcomeOf(visit, attempt)}<span class="where">${foreign(attempt.address)}</span></li>`)}
${next.map((each) => html`<li>${time(each.next_attempt_at ?? each.due_since)} ${say('nextAttempt')} ${state(visit, each.state)}<span class="where">${foreign(each.to)}</span></li>`)}</ol>`
}

/** With line breaks, for people. */
function formatted(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}

function renderActions(visit: Visit, { event_id, state: current }: Output<'event.show'>): Html {
  const replay: Action = {
    operation: 'event.replay',
    input: { event_id },
    words: [event_id],
  }
  const dryRun: Action = {
    ...replay,
    label: 'dry_run',
    tone: 'quiet',
    input: { event_id, dry_run: true },
    words: [event_id, '--dry-run'],
  }
  const sendNow: Action = { ...replay, operation: 'event.send_now' }
  return html`${current === 'pending' && button(visit, sendNow)} ${current !== 'none' && button(visit, replay)} ${current !== 'none' && button(visit, dryRun)}`
}
