import { publishedFiles } from '../../contract/published-files.ts'
import { operatorRoles } from '../../domain/operators/operator.ts'
import { type ProblemRow, problems, problemsWithoutCode } from '../../domain/problem-code.ts'
import type { Output } from '../../operations/operations.ts'
import type { RequestFeed } from '../request-feed.ts'
import type { Metrics } from '../request-metrics.ts'
import { type Action, actionColumn, button, mayRun } from './actions.ts'
import { foreign, type Html, html } from './html.ts'
import { messageIn, messageText } from './messages.ts'
import {
  choicesOf,
  commandLine,
  copyable,
  counted,
  emptyList,
  facts,
  options,
  type Page,
  pageOf,
  readerOf,
  rowLimit,
  state,
  stateIn,
  table,
  time,
  timeIn,
  type Visit,
  valueIn,
} from './page.ts'
import type { TextName } from './texts.ts'

const liveHeads = [
  'time',
  'client',
  'request',
  'status',
  'reason',
  'duration',
  'requestId',
] as const satisfies readonly TextName[]

/** The script of the page adds the rows. */
export async function showLive(visit: Visit): Promise<Page> {
  const { say } = visit
  const heads = liveHeads.map((head) => say(head))
  const body = html`<p class="soft">${say('liveHint')}</p>
<noscript><p class="note bad">${say('needsScript')}</p></noscript>
<p id="live-state" role="status" data-on="${say('liveOn')}" data-off="${say('liveOff')}"></p>
<table><caption>${say('live')}</caption><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody id="live" data-heads="${heads.join('|')}"></tbody></table>
${emptyList(visit, 'empty.live', copyable(visit, visit.settings.baseUrl))}`
  return { title: say('live'), section: 'live', commands: 'tail --json', body }
}

/** What a code means, for people. */
const titles: ReadonlyMap<string | null, string> = new Map(
  Object.entries<ProblemRow>({ ...problems, ...problemsWithoutCode }).map(([code, { title }]) => [
    code,
    title,
  ]),
)

/** The next requests, with the names of their callers and the reasons of refusals. */
export async function followLive(visit: Visit, feed: RequestFeed, waitMs: number) {
  const given = Number(readerOf(visit)('after') ?? Number.NaN)
  const after = Number.isSafeInteger(given) ? given : undefined
  const { next, requests } = await feed.next({ after, organizationId: undefined, waitMs })
  const names = await visit.service.reads.namesOf({
    organizations: requests.flatMap(({ organization_id: id }) => id ?? []),
    clients: requests.flatMap(({ client_id: id }) => id ?? []),
  })
  const nameOf = (id: string | null) => (id === null ? '' : (names.get(id) ?? id))
  return {
    next,
    requests: requests.map((request) => ({
      ...request,
      at_shown: timeIn(visit.language, request.at),
      organization: nameOf(request.organization_id),
      client: nameOf(request.client_id),
      reason: messageText(visit, titles.get(request.code) ?? ''),
    })),
  }
}

/** The store, the keys and the version of the program. */
export async function showSystem(
  visit: Visit,
  { build, metrics }: { readonly build: Build; readonly metrics: Pick<Metrics, 'lastBackupMs'> },
): Promise<Page> {
  const { say, service, settings } = visit
  const [store, keys, operators] = await Promise.all([
    service.reads.store(),
    service.call('key.list', {}),
    service.call('operator.list', {}),
  ])
  const contracts = publishedFiles().flatMap(
    ({ path }) => /^openapi\/(.+)\.yaml$/.exec(path)?.[1] ?? [],
  )
  const body = html`${facts([
    [
      say('version'),
      html`<code>${build.version} (${build.commit}), node ${process.version}</code>`,
    ],
    [say('contract'), contracts.join(', ')],
    [say('environment'), say(`environment.${settings.environment}`)],
    [say('address'), html`<code>${settings.baseUrl}</code>`],
  ])}
<h2>${say('store')}</h2>
${facts([
  [say('state'), say(store.isReady ? 'ready' : 'notReady')],
  ...fileFacts(visit, store.files),
  [say('backups'), renderBackup(visit, metrics.lastBackupMs())],
])}
<div class="actions">
${button(visit, { operation: 'store.check', tone: 'quiet' })}
${store.files && button(visit, { operation: 'store.compact', tone: 'quiet' })}</div>
${mayRun(visit, 'store.rekey') && renderRekey(visit, store.files !== null)}
<h2>${say('keys')}</h2>
${table(
  say,
  say('keys'),
  keys.slice(-rowLimit),
  [
    { head: 'id', cell: ({ kid }) => html`<code>${kid}</code>` },
    { head: 'state', cell: (key) => state(visit, key.state) },
    { head: 'created', cell: (key) => time(key.created_at) },
    { head: 'signs_from', cell: (key) => time(key.signs_from) },
    ...actionColumn(visit, 'key.revoke', ({ kid, state: current }: Key) =>
      current === 'revoked' ? '' : renderRevoke(visit, kid),
    ),
  ],
  emptyList(visit, 'empty.keys'),
)}
${button(visit, { operation: 'key.rotate' })}
<h2>${say('operators')}</h2>
${renderOperators(visit, operators)}`
  const commands = ['store check --json', 'key list --json', 'operator list --json']
  return { title: say('system'), section: 'system', commands, body }
}

/** A key that the service gets at each start belongs in a file of the machine, not in a form. */
function renderRekey(visit: Visit, isHere: boolean): Html {
  const { say } = visit
  const withFile = 'store rekey --new-encryption-key-file FILE'
  return html`<h3>${say('encryptionKey')}</h3><p class="soft">${say('rekeyHint')} ${commandLine(visit, withFile)}</p>
${isHere && html`<div class="actions">${button(visit, { operation: 'store.rekey', tone: 'danger' })}</div>`}`
}

type Key = Output<'key.list'>[number]
type Operator = Output<'operator.list'>[number]

function renderOperators(visit: Visit, operators: readonly Operator[]): Html {
  const { say } = visit
  const roles = choicesOf(visit, 'role', operatorRoles)
  const fields = html`<label>${say('name')}<input name="input.name" required maxlength="64"></label>
<label>${say('role')}<select name="input.role">${options(roles, 'operator')}</select></label>`
  const { shown, pages } = pageOf(visit, operators)
  return html`${table(
    say,
    say('operators'),
    shown,
    [
      { head: 'name', cell: ({ name }) => foreign(name) },
      { head: 'role', cell: (operator) => renderRole(visit, operator) },
      { head: 'state', cell: (operator) => state(visit, operator.state) },
      { head: 'tokenSince', cell: (operator) => time(operator.token_created_at) },
      ...actionColumn(visit, 'operator.disable', (operator: Operator) =>
        renderOperatorActions(visit, operator),
      ),
    ],
    emptyList(visit, 'empty.operators'),
  )}${pages}
${button(visit, { operation: 'operator.create', fields, words: ['NAME', '--role', 'ROLE'] })}`
}

/** The role, with a form if the visitor may change it. */
function renderRole(visit: Visit, { name, role }: Operator): Html | string {
  if (!mayRun(visit, 'operator.set_role')) return valueIn(visit, 'role', role)
  const roles = choicesOf(visit, 'role', operatorRoles)
  return button(visit, {
    operation: 'operator.set_role',
    tone: 'quiet',
    input: { name },
    fields: html`<select name="input.role" aria-label="${visit.say('role')}">${options(roles, role)}</select>`,
    words: [name, '--role', 'ROLE'],
  })
}

function renderOperatorActions(visit: Visit, { name, state: current }: Operator): Html {
  const part = { input: { name }, words: [name] }
  const toggle: Action =
    current === 'active'
      ? { ...part, operation: 'operator.disable', tone: 'danger' }
      : { ...part, operation: 'operator.enable' }
  return html`${button(visit, { ...part, operation: 'operator.rotate_token', tone: 'quiet' })}${button(visit, toggle)}`
}

export interface Build {
  readonly version: string
  readonly commit: string
}

/** @param atMs 0 before the first backup, undefined without scheduled ones */
function renderBackup(visit: Visit, atMs: number | undefined): Html {
  const { say, service } = visit
  const byHand = commandLine(visit, 'store backup FILE')
  if (atMs === undefined) return html`${say('noBackups')} ${byHand}`
  if (atMs === 0) return html`<span class="warn">${say('noBackupYet')}</span> ${byHand}`
  const passedMs = Date.parse(service.clock.now()) - atMs
  return html`${ago(passedMs, visit)} (${time(new Date(atMs).toISOString())})`
}

function renderRevoke(visit: Visit, kid: string): Html {
  return button(visit, {
    operation: 'key.revoke',
    tone: 'danger',
    input: { kid },
    // Some ids look like a flag.
    words: kid.startsWith('-') ? ['--', kid] : [kid],
  })
}

type StoreFiles = Awaited<ReturnType<Visit['service']['reads']['store']>>['files']

function fileFacts(visit: Visit, stats: StoreFiles): [string, string | number | Html][] {
  const { say } = visit
  if (!stats) return [[say('place'), say('database')]]
  return [
    [say('place'), say('directory')],
    [say('journal'), inMegabytes(stats.journalBytes, visit)],
    // Before the first compaction there is no snapshot.
    [say('snapshot'), stats.snapshotBytes === 0 ? '–' : inMegabytes(stats.snapshotBytes, visit)],
    [say('lastSync'), describeSync(stats, visit)],
    [
      say('compaction'),
      stats.compactionFailure === null
        ? stateIn(visit, 'ok')
        : messageIn(visit, stats.compactionFailure),
    ],
    [
      say('records'),
      Object.entries(stats.records)
        .map(
          ([name, count]) =>
            `${valueIn(visit, 'records', name)} ${counted(count, visit, Number.POSITIVE_INFINITY)}`,
        )
        .join(' · '),
    ],
  ]
}

function describeSync({ lastSyncMs, sinceSyncMs }: NonNullable<StoreFiles>, visit: Visit): string {
  if (sinceSyncMs === null) return visit.say('noSyncYet')
  return `${ago(sinceSyncMs, visit)} (${new Intl.NumberFormat(visit.language, { maximumFractionDigits: 1 }).format(lastSyncMs)}\u00a0ms)`
}

const units = [
  ['day', 24 * 3600_000],
  ['hour', 3600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** The time since an event, for example "3 hours ago". */
function ago(ms: number, { language }: Visit): string {
  const [unit, length] = units.find((each) => ms >= each[1]) ?? (['second', 1000] as const)
  return new Intl.RelativeTimeFormat(language).format(-Math.floor(ms / length), unit)
}

/** The smallest size that one decimal place can show. */
const leastShown = 100_000

function inMegabytes(bytes: number, { language }: Visit): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  const format = new Intl.NumberFormat(language, digits)
  const shown = `${format.format(Math.max(bytes, leastShown) / 1_000_000)}\u00a0MB`
  return bytes < leastShown ? `<\u00a0${shown}` : shown
}
