import { Args, Flags, type Interfaces } from '@oclif/core'
import { invalid } from '../config/common-flags.ts'
import { addMoney, zeroMoney } from '../domain/money.ts'
import { maximumListLimit } from '../domain/page.ts'
import { type Batches, inBatches } from '../domain/share-purchases/dependencies.ts'
import type { Input, Output, Row } from '../operations/operations.ts'
import type { previewOf } from '../operations/share-purchases.ts'
import { cooperativeFlag, limitFlag, organizationFlag, yesFlag } from './arguments.ts'
import {
  type BulkResult,
  distinctIds,
  exitCodeOfAll,
  isBulkFailure,
  readIds,
  runBulk,
} from './bulk.ts'
import { canAsk, requireYes, requireYesInProduction } from './confirm.ts'
import type { Connection } from './connection.ts'
import { renderError } from './errors.ts'
import { timeFlag } from './event-flags.ts'
import { startProgress } from './output.ts'
import { type remoteFlags, ServiceCommand } from './service-command.ts'

export const purchaseIds = {
  purchases: Args.string({
    multiple: true,
    ignoreStdin: true,
    description:
      'Ids of the share purchases; - reads standard input, which has one id per line or is the output of `purchase list`.',
  }),
}

export const allSubmitted = Flags.boolean({ description: 'Select all submitted share purchases.' })
export const allApproved = Flags.boolean({ description: 'Select all approved share purchases.' })
export const allProposed = Flags.boolean({ description: 'Select all proposed decisions.' })

/** The flags of every decision. */
export const decisionFlags = {
  organization: organizationFlag('With --all-…: only orders of this partner, by id or exact name.'),
  cooperative: cooperativeFlag('With --all-…: only orders of this cooperative, by id or key.'),
  before: timeFlag('With --all-…: only orders placed before this time'),
  limit: limitFlag({ description: 'With --all-…: maximum number of orders, oldest first.' }),
  'dry-run': Flags.boolean({
    description: 'Change nothing; show the number of orders and their sum.',
  }),
  yes: yesFlag,
}

type All = Record<'all-submitted' | 'all-approved' | 'all-proposed', typeof allProposed>
type DecisionFlags = Partial<
  Interfaces.InferredFlags<typeof remoteFlags & typeof decisionFlags & All>
>

type Moved = Pick<
  Output<'purchase.settle'>,
  'share_purchase_id' | 'status' | 'total' | 'proposal' | 'total_currency'
>

interface Selection {
  readonly ids: readonly string[]
  /** Filters of the lists that are used instead of ids. */
  readonly filters: readonly Pick<Input<'purchase.list'>, 'status' | 'proposed'>[]
  readonly narrowing: Pick<DecisionFlags, 'organization' | 'cooperative' | 'before' | 'limit'>
}

/** Wrong usage must fail before the store is opened. */
async function selectionOf(
  { purchases: ids = [] }: { readonly purchases?: readonly string[] | undefined },
  flags: DecisionFlags,
): Promise<Selection> {
  const { organization, cooperative, before, limit } = flags
  const filters = [
    ...(flags['all-submitted'] ? [{ status: 'submitted' as const }] : []),
    ...(flags['all-approved'] ? [{ status: 'approved' as const }] : []),
    ...(flags['all-proposed'] ? [{ proposed: true }] : []),
  ]
  if (ids.length > 0 === filters.length > 0) {
    throw invalid('Give either ids of share purchases, or a flag such as --all-submitted.')
  }
  const narrowing = { organization, cooperative, before, limit }
  const narrowed = Object.entries(narrowing).find(([, value]) => value !== undefined)
  if (ids.length > 0 && narrowed) {
    throw invalid(`--${narrowed[0]} narrows a flag such as --all-submitted: give no ids.`)
  }
  const isRead = ids.length === 1 && ids[0] === '-'
  return { ids: isRead ? await readIds() : ids, filters, narrowing }
}

interface Move {
  /** For example `Settle`. */
  readonly verb: string
  /** For example `Settled`. */
  readonly done: string
  readonly isFinal: boolean
  /** Which of two share purchases is moved first if one depends on the other. */
  readonly first?: 'dependency' | 'dependent'
  /** Whether the command decides on proposals of other operators. */
  readonly isOfProposals?: true
  /** @param seen what the operator has been shown, if anything */
  readonly act: (service: Connection, id: string, seen: Listed | undefined) => Promise<Moved>
}

interface Moving extends Said {
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
    const isBulk = selection.filters.length > 0
    const [only, ...more] = selection.ids
    const isOne = only !== undefined && more.length === 0 && !flags['dry-run']
    const asksForEach = !isBulk && !flags['dry-run'] && !move.isOfProposals
    if (asksForEach && move.isFinal) {
      await requireYesInProduction(flags, `${move.verb} ${countOf(selection.ids.length)}`)
    }
    const service = await this.connect(flags)
    if (asksForEach) {
      const act = (id: string) => move.act(service, id, undefined)
      if (isOne) return this.#moveOne(only, { ...move, act })
      const batches = move.first
        ? inOrder(await lookAt(service, selection), move)
        : [distinctIds(selection.ids)]
      return this.#moveEach(batches, { ...move, act })
    }
    if (flags['dry-run'] && !isBulk) {
      const show = (share_purchase_id: string) =>
        service.call('purchase.show', { share_purchase_id })
      return this.#preview(await Promise.all(distinctIds(selection.ids).map(show)), move)
    }
    const looked = isBulk
      ? await listByFilters(service, selection)
      : await lookAt(service, selection)
    const found = looked.filter(isListed)
    if (flags['dry-run']) return this.#preview(found, move)
    if (found.length > 0) await this.#ask(found, flags, move)
    // Exactly these orders are moved, whatever has been placed or proposed since.
    const seen = new Map(found.map((each) => [each.share_purchase_id, each]))
    const act = (id: string) => move.act(service, id, seen.get(id))
    if (isOne && looked[0]) return this.#moveOne(looked[0].share_purchase_id, { ...move, act })
    return this.#moveEach(inOrder(looked, move), { ...move, act })
  }

  async #preview(found: readonly Listed[], { verb, isOfProposals }: Move) {
    const preview = await summarize(found)
    this.log(`Would ${verb.toLowerCase()} ${await describe(preview, isOfProposals && found)}`)
    return { ...preview, share_purchase_ids: found.map((each) => each.share_purchase_id) }
  }

  /** In staging, scripts without a terminal continue. */
  async #ask(found: readonly Listed[], flags: DecisionFlags, move: Move): Promise<void> {
    const { verb, isOfProposals } = move
    if (flags.yes || !(canAsk() || flags.environment === 'production')) return
    const preview = await describe(await summarize(found), isOfProposals && found)
    if (canAsk()) this.tell(preview)
    const where = flags.environment === 'production' ? ' in production' : ''
    await requireYes({
      question: `${verb} ${countOf(found.length)}${where}?`,
      instead: `${verb}${where}: ${preview}\nNothing was changed. Look at the share purchases with --dry-run, then run the command again with --yes.`,
    })
  }

  async #moveOne(id: string, { act, ...said }: Moving) {
    const moved = await act(id)
    this.log(sentenceOf(moved, said))
    return moved
  }

  async #moveEach(batches: Batches, { act, ...said }: Moving) {
    const count = batches.flat().length
    if (count === 0) this.log('Nothing to do.')
    const bar = await startProgress(count)
    const show = (each: BulkResult<Moved>) => this.#show(each, said)
    const tried: BulkResult<Moved>[] = []
    const onTried = (each: BulkResult<Moved>) => {
      tried.push(each)
      if (bar) bar.increment()
      else show(each)
    }
    try {
      for (const ids of batches) await runBulk(ids, { act, onTried, throughFaults: true })
    } finally {
      bar?.stop()
      // The bar and the lines would overwrite each other.
      if (bar) tried.forEach(show)
    }
    if (count > 1 && !this.jsonEnabled()) this.tell(totalOf(tried, said.done))
    process.exitCode = exitCodeOfAll(tried)
    return tried.map(renderTried)
  }

  #show(tried: BulkResult<Moved>, said: Said): void {
    if (this.jsonEnabled()) return
    if (isBulkFailure(tried)) this.tell(`${tried.id}: ${tried.problem.message}`)
    else this.log(sentenceOf(tried.result, said))
  }
}

/** With --four-eyes, a decision is only proposed. */
function sentenceOf(
  { share_purchase_id: id, proposal, status }: Moved,
  { done, isOfProposals }: Said,
): string {
  if (isOfProposals) return `${done} ${id}: it is ${status}.`
  if (proposal === null) return `${done} ${id}.`
  return `Proposed by ${proposal.operator}: ${proposal.decision} ${id}. Another operator has to confirm it with coopshare purchase confirm.`
}

type Said = Pick<Move, 'done' | 'isOfProposals'>

/** The last line of many decisions. */
function totalOf(tried: readonly BulkResult<Moved>[], done: string): string {
  const moved = tried.flatMap((each) => (isBulkFailure(each) ? [] : each.result))
  const failed = tried.length - moved.length
  const verb = moved.some(({ proposal }) => proposal) ? 'Proposed' : done
  const sum = moved.reduce((left, { total }) => addMoney(left, total), zeroMoney)
  const parts = moved.length > 0 ? `: ${sum} ${moved[0]?.total_currency}` : ''
  return `${verb} ${countOf(moved.length)}${parts}. ${failed} failed.`
}

function renderTried(tried: BulkResult<Moved>) {
  if (!isBulkFailure(tried)) return tried.result
  return { share_purchase_id: tried.id, error: renderError(tried.problem) }
}

type Listed = Pick<Row<'purchase.list'>, (typeof neededKeys)[number]>

/** The fields of an order that a decision needs. Others are not kept, because there may be many orders. */
const neededKeys = [
  'share_purchase_id',
  'organization',
  'partner_customer_ref',
  'share_count',
  'cooperative_id',
  'cooperative_key',
  'cooperative',
  'created_at',
  'total',
  'total_currency',
  'rests_on',
  'proposal',
] as const

/** An order, with the orders on which it depends. */
interface Related {
  readonly share_purchase_id: string
  readonly rests_on?: readonly string[] | null
}

/** A share purchase that cannot be shown is tried anyway, and then fails with its reason. */
async function lookAt(
  service: Connection,
  { ids }: Pick<Selection, 'ids'>,
): Promise<readonly (Listed | Related)[]> {
  const shown = await runBulk(distinctIds(ids), {
    act: (share_purchase_id) => service.call('purchase.show', { share_purchase_id }),
    throughFaults: true,
  })
  const looked = new Map<string, Listed | Related>()
  for (const tried of shown) {
    const each = isBulkFailure(tried) ? { share_purchase_id: tried.id } : tried.result
    looked.set(each.share_purchase_id, each)
  }
  return [...looked.values()]
}

function isListed(looked: Listed | Related): looked is Listed {
  return 'total' in looked
}

function inOrder(found: readonly Related[], { first }: Pick<Move, 'first'>): Batches {
  if (first === undefined) return [found.map((each) => each.share_purchase_id)]
  const batches = inBatches(
    found.map(({ share_purchase_id: id, rests_on: restsOn }) => ({ id, restsOn: restsOn ?? [] })),
  )
  return first === 'dependent' ? batches.toReversed() : batches
}

async function listByFilters(
  service: Connection,
  { filters, narrowing: { before: until, limit = maximumListLimit, ...narrowing } }: Selection,
): Promise<readonly Listed[]> {
  const found: Listed[] = []
  for (const filter of filters) {
    if (found.length >= limit) break
    const asked = { ...narrowing, until, ...filter, limit: limit - found.length }
    for await (const purchases of service.list('purchase.list', asked)) {
      found.push(...purchases.map(neededOf))
    }
  }
  return found
}

function neededOf(purchase: Row<'purchase.list'>): Listed {
  return Object.fromEntries(neededKeys.map((key) => [key, purchase[key]])) as Listed
}

function countOf(count: number): string {
  return count === 1 ? '1 share purchase' : `${count} share purchases`
}

type Preview = ReturnType<typeof previewOf>

// Imported late, so that --help and wrong usage answer quickly.
async function summarize(found: readonly Listed[]): Promise<Preview> {
  const { previewOf } = await import('../operations/share-purchases.ts')
  return previewOf(found)
}

/** @param proposals orders with a proposed decision, whose authors are shown */
async function describe(
  { count, total, oldest, newest, ...more }: Preview,
  proposals: readonly Listed[] = [],
): Promise<string> {
  const { localTime, renderTable } = await import('./table.ts')
  const sum = `${countOf(count)} of ${total} ${more.total_currency}`
  if (oldest === null || newest === null) return `${sum}.`
  const cooperatives = more.cooperatives.toSorted((one, other) =>
    (one.cooperative ?? '').localeCompare(other.cooperative ?? '', 'de'),
  )
  const table = renderTable(cooperatives, {
    COOPERATIVE: ({ cooperative }) => cooperative,
    KEY: 'cooperative_key',
    ORDERS: 'count',
    TOTAL: ({ total: part }) => `${part} ${more.total_currency}`,
  })
  const placed = `placed from ${localTime(oldest)} to ${localTime(newest)}`
  const proposed = proposals.length > 0 ? `\n\n${await describeProposals(proposals)}` : ''
  return `${sum}, ${placed}:\n${table}${proposed}`
}

const shownProposals = 10

/** Shows a few proposals one by one, and counts many by decision and author. */
async function describeProposals(found: readonly Listed[]): Promise<string> {
  const { ageOf, renderTable } = await import('./table.ts')
  if (found.length <= shownProposals) {
    return renderTable(found, {
      ID: 'share_purchase_id',
      DECISION: ({ proposal }) => proposal?.decision ?? 'none is proposed',
      BY: ({ proposal }) => proposal?.operator,
      AGE: ({ proposal }) => proposal && ageOf(proposal.at),
      PARTNER: 'organization',
      CUSTOMER: 'partner_customer_ref',
      SHARES: 'share_count',
      TOTAL: ({ total, total_currency }) => `${total} ${total_currency}`,
      REASON: ({ proposal }) => proposal?.reason,
    })
  }
  const groups = new Map<string, Listed[]>()
  for (const each of found) {
    const name = `${each.proposal?.decision} ${each.proposal?.operator}`
    const group = groups.get(name)
    if (group) group.push(each)
    else groups.set(name, [each])
  }
  const rows = await Promise.all(
    [...groups.values()].map(async (group) => ({
      ...(await summarize(group)),
      proposal: group[0]?.proposal,
    })),
  )
  return renderTable(rows, {
    DECISION: ({ proposal }) => proposal?.decision ?? 'none is proposed',
    BY: ({ proposal }) => proposal?.operator,
    ORDERS: 'count',
    TOTAL: ({ total, total_currency }) => `${total} ${total_currency}`,
  })
}
