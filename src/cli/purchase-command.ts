import { Args, Flags } from '@oclif/core'
import { array, string, type, validate } from 'superstruct'
import { invalid } from '../config/flag-groups.ts'
import { maximumListLimit } from '../domain/page.ts'
import { inRounds, type Rounds } from '../domain/share-purchases/dependencies.ts'
import type { SharePurchaseStatus } from '../domain/share-purchases/share-purchase.ts'
import type { PreviewedOrder, previewOf } from '../operations/share-purchases.ts'
import { cooperativeFlag, limitFlag, organizationFlag, yesFlag } from './arguments.ts'
import type { Connection } from './connection.ts'
import { renderError } from './errors.ts'
import { timeFlag } from './event-flags.ts'
import { startProgress } from './output.ts'
import { type ConnectionFlags, ServiceCommand } from './service-command.ts'
import { distinctIds, exitCodeOfAll, type Tried, tryEach } from './try-each.ts'

export const purchaseIds = {
  purchases: Args.string({
    multiple: true,
    ignoreStdin: true,
    description:
      'Ids of the share purchases; - reads them from standard input: one per line, or the output of `purchase list`.',
  }),
}

export const allSubmitted = Flags.boolean({ description: 'Select all submitted share purchases.' })
export const allApproved = Flags.boolean({ description: 'Select all approved share purchases.' })

/** Of every decision. */
export const decisionFlags = {
  organization: organizationFlag('With --all-…: only those of this partner, by id or exact name.'),
  cooperative: cooperativeFlag('With --all-…: only those of this cooperative, by id or key.'),
  before: timeFlag('With --all-…: only those placed before this time'),
  limit: limitFlag({ description: 'With --all-…: maximum number; the oldest come first.' }),
  'dry-run': Flags.boolean({ description: 'Only show the number and the sum.' }),
  yes: yesFlag,
}

interface Narrowing {
  readonly organization?: string | undefined
  readonly cooperative?: string | undefined
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

interface DecisionFlags extends Narrowing, ConnectionFlags {
  readonly 'all-submitted'?: boolean
  readonly 'all-approved'?: boolean
  readonly 'dry-run'?: boolean
  readonly yes?: boolean
}

interface Moved {
  readonly share_purchase_id: string
  readonly status: string
  readonly proposal: { readonly decision: string } | null
}

interface Selection {
  readonly ids: readonly string[]
  /** Used instead of ids. */
  readonly statuses: readonly SharePurchaseStatus[]
  readonly narrowing: Narrowing
}

/** Wrong usage must fail before the store is opened. */
async function selectionOf(
  { purchases: ids = [] }: { readonly purchases?: readonly string[] | undefined },
  flags: DecisionFlags,
): Promise<Selection> {
  const { organization, cooperative, before, limit } = flags
  const submitted = flags['all-submitted'] ? (['submitted'] as const) : []
  const approved = flags['all-approved'] ? (['approved'] as const) : []
  const statuses = [...submitted, ...approved]
  if (ids.length > 0 === statuses.length > 0) {
    throw invalid('Give either ids of share purchases, or a flag such as --all-submitted.')
  }
  const narrowing = { organization, cooperative, before, limit }
  const narrowed = Object.entries(narrowing).find(([, value]) => value !== undefined)
  if (ids.length > 0 && narrowed) {
    throw invalid(`--${narrowed[0]} narrows a flag such as --all-submitted: give no ids.`)
  }
  const isRead = ids.length === 1 && ids[0] === '-'
  return { ids: isRead ? await readIds() : ids, statuses, narrowing }
}

/** Also accepts the output of `purchase list`, in any format. */
async function readIds(): Promise<readonly string[]> {
  if (process.stdin.isTTY) throw invalid('With - the ids are read from standard input. Use | or <.')
  const { readText } = await import('./files/read-file.ts')
  const text = (await readText('-')).trim()
  if (text.startsWith('[')) return readRows(text)
  const lines = text.split('\n')
  requireIdsFirst(lines[0] ?? '')
  return lines.flatMap((line) => {
    const [first = ''] = wordsOf(line)
    if (first.startsWith('{')) return readRows(`[${line}]`)
    return first === '' || headings.has(first) ? [] : [first]
  })
}

function wordsOf(line: string): string[] {
  const text = line.trim()
  return text.startsWith('{') ? [text] : text.replaceAll('"', '').split(/[\s,;]+/)
}

/** Otherwise a bulk decision would use amounts or other ids. */
function requireIdsFirst(line: string): void {
  const position = wordsOf(line).findIndex((word) => headings.has(word))
  if (position > 0)
    throw invalid('The ids must be in the first column: begin --columns with share_purchase_id.')
}

const headings = new Set(['ID', 'share_purchase_id'])

function readRows(text: string): readonly string[] {
  const [failure, rows] = validate(parseJson(text), array(type({ share_purchase_id: string() })))
  if (failure) throw invalid('Standard input has a row without a share_purchase_id.')
  return rows.map((row) => row.share_purchase_id)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('A row on standard input is not valid JSON.')
  }
}

interface Move {
  /** For example `Settle`. */
  readonly verb: string
  /** For example `Settled`. */
  readonly done: string
  readonly isFinal: boolean
  /** If one share purchase depends on another, this one is moved first. */
  readonly first?: 'dependency' | 'dependent'
  readonly act: (service: Connection, sharePurchaseId: string) => Promise<Moved>
}

interface Moving {
  readonly done: string
  readonly act: (sharePurchaseId: string) => Promise<Moved>
}

/** Each share purchase is moved in a separate transaction. */
export abstract class PurchaseCommand extends ServiceCommand {
  protected async decide(
    args: { readonly purchases?: readonly string[] | undefined },
    flags: DecisionFlags,
    move: Move,
  ) {
    const selection = await selectionOf(args, flags)
    const isBulk = selection.statuses.length > 0
    if (!isBulk && !flags['dry-run'] && move.isFinal) {
      const { requireYesInProduction } = await import('./confirm.ts')
      await requireYesInProduction(flags, `${move.verb} ${countOf(selection.ids.length)}`)
    }
    const service = await this.connect(flags)
    const act = (id: string) => move.act(service, id)
    const [only, ...more] = selection.ids
    if (only && more.length === 0 && !flags['dry-run']) return this.#moveOne(only, { ...move, act })
    if (!isBulk && !flags['dry-run'])
      return this.#moveEach(await listRounds(service, selection, move), { ...move, act })
    const found = isBulk
      ? await listByStatus(service, selection)
      : await Promise.all(
          distinctIds(selection.ids).map((share_purchase_id) =>
            service.call('purchase.show', { share_purchase_id }),
          ),
        )
    if (flags['dry-run']) return this.#preview(found, move)
    if (found.length > 0) await this.#ask(found, flags, move)
    // Exactly these are moved, whatever has been placed since.
    const rounds = inOrder(found, move)
    return this.#moveEach(rounds, { ...move, act })
  }

  async #preview(found: readonly Listed[], { verb }: Move) {
    const preview = await summarize(found)
    this.log(`Would ${verb.toLowerCase()} ${await describe(preview)}`)
    return { ...preview, share_purchase_ids: found.map((each) => each.share_purchase_id) }
  }

  /** In staging, scripts without a terminal continue. */
  async #ask(found: readonly Listed[], flags: DecisionFlags, { verb }: Move): Promise<void> {
    const { canAsk, requireYes } = await import('./confirm.ts')
    if (flags.yes || !(canAsk() || flags.environment === 'production')) return
    const preview = await describe(await summarize(found))
    if (canAsk()) this.tell(preview)
    const where = flags.environment === 'production' ? ' in production' : ''
    await requireYes({
      question: `${verb} ${countOf(found.length)}${where}?`,
      instead: `${verb}${where}: ${preview}\nNothing was changed. Look at them with --dry-run, then run the command again with --yes.`,
    })
  }

  async #moveOne(id: string, { done, act }: Moving) {
    const moved = await act(id)
    this.log(sentenceOf(moved, done))
    return moved
  }

  async #moveEach(rounds: Rounds, { done, act }: Moving) {
    const count = rounds.flat().length
    if (count === 0) this.log('Nothing to do.')
    const bar = await startProgress(count)
    const show = (each: Tried<Moved>) => this.#show(each, done)
    const onTried = bar ? () => bar.increment() : show
    const tried: Tried<Moved>[] = []
    for (const ids of rounds) {
      tried.push(...(await tryEach(ids, { act, onTried, throughOutages: true })))
    }
    bar?.stop()
    // The bar and the lines would overwrite each other.
    if (bar) tried.forEach(show)
    process.exitCode = exitCodeOfAll(tried)
    return tried.map(renderTried)
  }

  #show({ id, outcome }: Tried<Moved>, done: string): void {
    if (this.jsonEnabled()) return
    if ('result' in outcome)
      this.log(sentenceOf({ ...outcome.result, share_purchase_id: id }, done))
    else this.tell(`${id}: ${outcome.problem.message}`)
  }
}

/** With --four-eyes, a decision is only proposed. */
function sentenceOf({ share_purchase_id: id, proposal }: Moved, done: string): string {
  if (proposal === null) return `${done} ${id}.`
  return `Proposed to ${proposal.decision} ${id}. Another operator confirms it with purchase confirm.`
}

function renderTried({ id, outcome }: Tried<Moved>) {
  if ('result' in outcome) return outcome.result
  return { share_purchase_id: id, error: renderError(outcome.problem) }
}

type Listed = PreviewedOrder & { readonly rests_on?: readonly string[] | null }

type Resting = Pick<Listed, 'share_purchase_id' | 'rests_on'>

async function listRounds(
  service: Connection,
  { ids }: Selection,
  move: Pick<Move, 'first'>,
): Promise<Rounds> {
  if (move.first === undefined) return [distinctIds(ids)]
  const shown = await tryEach(distinctIds(ids), {
    act: (share_purchase_id) => service.call('purchase.show', { share_purchase_id }),
    throughOutages: true,
  })
  // A share purchase that cannot be shown is tried anyway, and then fails with its reason.
  const found = shown.map(({ id, outcome }) => {
    const rests_on = 'result' in outcome ? outcome.result.rests_on : null
    return { share_purchase_id: id, rests_on }
  })
  return inOrder(found, move)
}

function inOrder(found: readonly Resting[], { first }: Pick<Move, 'first'>): Rounds {
  if (first === undefined) return [found.map((each) => each.share_purchase_id)]
  const rounds = inRounds(
    found.map(({ share_purchase_id: id, rests_on: restsOn }) => ({ id, restsOn: restsOn ?? [] })),
  )
  return first === 'dependent' ? rounds.toReversed() : rounds
}

/** Only the needed fields are kept, because there may be many share purchases. */
async function listByStatus(
  service: Connection,
  { statuses, narrowing: { before: until, limit = maximumListLimit, ...narrowing } }: Selection,
): Promise<readonly Listed[]> {
  const found: Listed[] = []
  for (const status of statuses) {
    if (found.length >= limit) break
    const filter = { ...narrowing, until, status, limit: limit - found.length }
    for await (const purchases of service.list('purchase.list', filter)) {
      for (const { share_purchase_id, rests_on, ...more } of purchases) {
        const { cooperative_id, cooperative_key, cooperative, total, created_at } = more
        const shown = { cooperative_id, cooperative_key, cooperative, total, created_at }
        found.push({ share_purchase_id, rests_on, ...shown })
      }
    }
  }
  return found
}

function countOf(count: number): string {
  return count === 1 ? '1 share purchase' : `${count} share purchases`
}

type Preview = ReturnType<typeof previewOf>

// Imported late, so that --help and wrong usage answer at once.
async function summarize(found: readonly Listed[]): Promise<Preview> {
  const { previewOf } = await import('../operations/share-purchases.ts')
  return previewOf(found)
}

async function describe({ count, total, oldest, newest, ...more }: Preview): Promise<string> {
  const { renderTable } = await import('./table.ts')
  const sum = `${countOf(count)} of ${total} ${more.total_currency}`
  if (oldest === null) return `${sum}.`
  const table = renderTable(more.cooperatives, {
    COOPERATIVE: ({ cooperative }) => cooperative,
    KEY: 'cooperative_key',
    ORDERS: 'count',
    TOTAL: ({ total: part }) => `${part} ${more.total_currency}`,
  })
  return `${sum}, placed from ${oldest} to ${newest}:\n${table}`
}
