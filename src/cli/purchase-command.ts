import { Args, Flags, type Interfaces } from '@oclif/core'
import { invalid } from '../config/common-flags.ts'
import {
  type DecidedOrder,
  type Decision,
  decideOrders,
  isRead,
  type OrderToDecide,
  previewFilter,
  type SelectedOrder,
  type Selection,
  selectOrders,
  selectToDecide,
} from '../operations/bulk/decide-orders.ts'
import {
  type PreviewOfOrders,
  previewOf,
  sharePurchasePreview,
  sumOf,
} from '../operations/bulk/order-preview.ts'
import { isFailed, type Tried } from '../operations/bulk/try-each.ts'
import { either, many, type Rendered } from '../wire/view.ts'
import { cooperativeFlag, limitFlag, organizationFlag, yesFlag } from './arguments.ts'
import { exitCodeOfAll, readIds } from './bulk.ts'
import { canAsk, requireYes, requireYesInProduction } from './confirm.ts'
import type { Connection } from './connection.ts'
import { failedSharePurchase } from './errors.ts'
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

type Switches = Record<
  | 'all-submitted'
  | 'all-approved'
  | 'all-proposed'
  | 'all-paid'
  | 'all-returned'
  | 'unpaid'
  | 'refunded',
  typeof allProposed
>
type DecisionFlags = Partial<
  Interfaces.InferredFlags<typeof remoteFlags & typeof decisionFlags & Switches>
> & { readonly reason?: string | undefined }

interface Given {
  readonly args: { readonly purchases?: readonly string[] | undefined }
  readonly flags: DecisionFlags
}

/** Wrong usage must fail before the store is opened. */
async function readSelection({ args: { purchases: ids = [] }, flags }: Given): Promise<Selection> {
  const { organization, cooperative, before: until, limit } = flags
  const statuses = [
    ...(flags['all-submitted'] ? (['submitted'] as const) : []),
    ...(flags['all-approved'] || flags['all-paid'] || flags['all-returned']
      ? (['approved'] as const)
      : []),
  ]
  const payment_state = flags['all-paid']
    ? ('paid' as const)
    : flags['all-returned']
      ? ('returned' as const)
      : undefined
  if (payment_state && (flags['all-submitted'] || flags['all-approved'])) {
    throw invalid('--all-paid and --all-returned select by the payment: give no other --all-….')
  }
  const proposed = flags['all-proposed']
  const hasFilter = statuses.length > 0 || proposed === true
  if (ids.length > 0 === hasFilter) {
    throw invalid('Give either ids of share purchases, or a flag such as --all-submitted.')
  }
  const narrowing = { organization, cooperative, before: until, limit }
  const narrowed = Object.entries(narrowing).find(([, value]) => value !== undefined)
  if (ids.length > 0 && narrowed) {
    throw invalid(`--${narrowed[0]} narrows a flag such as --all-submitted: give no ids.`)
  }
  if (!hasFilter) return { ids: ids.length === 1 && ids[0] === '-' ? await readIds() : ids }
  const filter = { organization, cooperative, until, limit, proposed, payment_state }
  return { filter: { ...filter, statuses: proposed ? undefined : statuses } }
}

/** The words in which a decision is said. */
const words = {
  approve: { verb: 'Approve', done: 'Approved' },
  settle: { verb: 'Settle', done: 'Settled' },
  reject: { verb: 'Reject', done: 'Rejected' },
  cancel: { verb: 'Cancel', done: 'Cancelled' },
  confirm: { verb: 'Confirm', done: 'Confirmed' },
} as const satisfies Readonly<Record<Decision, { verb: string; done: string }>>

type DecidedOrFailed = DecidedOrder | Rendered<typeof failedSharePurchase>

/** Each share purchase is decided in a separate transaction. */
export abstract class PurchaseCommand extends ServiceCommand<
  DecidedOrder | readonly DecidedOrFailed[] | PreviewOfOrders
> {
  override async output() {
    const { sharePurchaseRow } = await import('../operations/share-purchases.ts')
    return {
      ...either(
        sharePurchaseRow,
        many(either(sharePurchaseRow, failedSharePurchase)),
        sharePurchasePreview,
      ),
      note: 'One object if you give one id, otherwise a list. With `--dry-run`, a preview.',
    }
  }

  protected async decide(decision: Decision, { args, flags }: Given) {
    const selection = await readSelection({ args, flags })
    const ids = 'ids' in selection ? selection.ids : undefined
    const isFinal = decision !== 'approve'
    // A proposal by somebody else is always shown before it is confirmed.
    const isShown = ids === undefined || flags['dry-run'] || decision === 'confirm'
    if (!isShown && isFinal) {
      await requireYesInProduction(flags, `${words[decision].verb} ${countOf(ids.length)}`)
    }
    const service = await this.connect(flags)
    if (flags['dry-run']) return this.#preview(service, decision, selection)
    const orders = await selectToDecide(service, decision, selection)
    const found = isShown ? orders.filter(isRead) : []
    if (found.length > 0) await this.#ask(found, { decision, flags })
    // Exactly these orders are decided, whatever has been placed or proposed since.
    return this.#decideEach(service, orders, { decision, flags, isOne: ids?.length === 1 })
  }

  async #preview(service: Connection, decision: Decision, selection: Selection) {
    const needsOrders = 'ids' in selection || decision === 'confirm'
    const orders = needsOrders ? await selectOrders(service, selection) : []
    const unread = orders.find((order) => !isRead(order))
    if (unread && 'problem' in unread) throw unread.problem
    const found = orders.filter(isRead)
    const preview = needsOrders ? previewOf(found) : await previewFilter(service, selection.filter)
    const { verb } = words[decision]
    const proposals = decision === 'confirm' ? found : []
    this.log(`Would ${verb.toLowerCase()} ${await describe(preview, proposals)}`)
    return preview
  }

  /** In staging, scripts without a terminal continue. */
  async #ask(found: readonly SelectedOrder[], { decision, flags }: Asked): Promise<void> {
    if (flags.yes || !(canAsk() || flags.environment === 'production')) return
    const preview = await describe(previewOf(found), decision === 'confirm' ? found : [])
    if (canAsk()) this.tell(preview)
    const { verb } = words[decision]
    const where = flags.environment === 'production' ? ' in production' : ''
    await requireYes({
      question: `${verb} ${countOf(found.length)}${where}?`,
      instead: `${verb}${where}: ${preview}\nNothing was changed. Look at the share purchases with --dry-run, then run the command again with --yes.`,
    })
  }

  async #decideEach(
    service: Connection,
    orders: readonly OrderToDecide[],
    { decision, flags: { reason, unpaid, refunded }, isOne }: Asked & { readonly isOne: boolean },
  ) {
    if (orders.length === 0) this.log('Nothing to do.')
    const bar = await startProgress(orders.length)
    const show = (each: Tried<DecidedOrder>) => {
      if (this.jsonEnabled()) return
      if (isFailed(each)) this.tell(`${each.id}: ${each.problem.message}`)
      else this.log(sentenceOf(each.result, decision))
    }
    const onTried = (each: Tried<DecidedOrder>) => {
      if (bar) bar.increment()
      else if (!isOne) show(each)
    }
    const details = { reason, unpaid, refunded }
    const tried = await decideOrders(service, orders, { decision, ...details, onTried }).finally(
      () => bar?.stop(),
    )
    const [only] = tried
    if (isOne && only) {
      if (isFailed(only)) throw only.problem
      this.log(sentenceOf(only.result, decision))
      return only.result
    }
    // The bar and the lines would overwrite each other.
    if (bar) tried.forEach(show)
    if (tried.length > 1 && !this.jsonEnabled()) this.tell(totalOf(tried, decision))
    process.exitCode = exitCodeOfAll(tried)
    return tried.map((each) => (isFailed(each) ? failedSharePurchase.render(each) : each.result))
  }
}

interface Asked {
  readonly decision: Decision
  readonly flags: DecisionFlags
}

/** With --four-eyes, a decision is only proposed. */
function sentenceOf(
  { share_purchase_id: id, proposal, status }: DecidedOrder,
  decision: Decision,
): string {
  const { done } = words[decision]
  if (decision === 'confirm') return `${done} ${id}: it is ${status}.`
  if (proposal === null) return `${done} ${id}.`
  return `Proposed by ${proposal.operator}: ${proposal.decision} ${id}. Another operator has to confirm it with coopshare purchase confirm.`
}

/** The last line of many decisions. */
function totalOf(tried: readonly Tried<DecidedOrder>[], decision: Decision): string {
  const decided = tried.flatMap((each) => (isFailed(each) ? [] : each.result))
  const failed = tried.length - decided.length
  const done = decided.some(({ proposal }) => proposal) ? 'Proposed' : words[decision].done
  const sum = decided.length > 0 ? `: ${sumOf(decided)} ${decided[0]?.total_currency}` : ''
  return `${done} ${countOf(decided.length)}${sum}. ${failed} failed.`
}

function countOf(count: number): string {
  return count === 1 ? '1 share purchase' : `${count} share purchases`
}

/** @param proposals orders with a proposed decision, whose authors are shown */
async function describe(
  { count, total, oldest, newest, ...more }: PreviewOfOrders,
  proposals: readonly SelectedOrder[],
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
async function describeProposals(found: readonly SelectedOrder[]): Promise<string> {
  const { ageOf, renderTable } = await import('./table.ts')
  if (found.length <= shownProposals) {
    return renderTable(found, {
      ID: 'share_purchase_id',
      DECISION: ({ proposal }) => proposal?.decision ?? 'none is proposed',
      BY: ({ proposal }) => proposal?.operator,
      AGE: ({ proposal }) => proposal && ageOf(proposal.at),
      PARTNER: 'organization',
      NAME: 'investor',
      SHARES: 'share_count',
      TOTAL: ({ total, total_currency }) => `${total} ${total_currency}`,
      REASON: ({ proposal }) => proposal?.reason,
    })
  }
  const groups = new Map<string, SelectedOrder[]>()
  for (const each of found) {
    const name = `${each.proposal?.decision} ${each.proposal?.operator}`
    const group = groups.get(name)
    if (group) group.push(each)
    else groups.set(name, [each])
  }
  const rows = [...groups.values()].map((group) => ({
    ...previewOf(group),
    proposal: group[0]?.proposal,
  }))
  return renderTable(rows, {
    DECISION: ({ proposal }) => proposal?.decision ?? 'none is proposed',
    BY: ({ proposal }) => proposal?.operator,
    ORDERS: 'count',
    TOTAL: ({ total, total_currency }) => `${total} ${total_currency}`,
  })
}
