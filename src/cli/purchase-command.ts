import { Args, Flags } from '@oclif/core'
import { invalid } from '../config/invalid.ts'
import type { SharePurchaseStatus } from '../domain/share-purchases/share-purchase.ts'
import type { Connection } from './connection.ts'
import { renderError } from './errors.ts'
import { startProgress } from './output.ts'
import { ServiceCommand } from './service-command.ts'
import { distinctIds, exitCodeOfAll, type Tried, tryEach } from './try-each.ts'

export const purchaseIds = {
  purchases: Args.string({
    multiple: true,
    ignoreStdin: true,
    description: 'Ids of the share purchases.',
  }),
}

export const allSubmitted = Flags.boolean({ description: 'Select all submitted share purchases.' })
export const allApproved = Flags.boolean({ description: 'Select all approved share purchases.' })

interface Moved {
  readonly share_purchase_id: string
  readonly status: string
  readonly proposal: { readonly decision: string } | null
}

export interface Selection {
  readonly ids: readonly string[]
  /** Used instead of ids. */
  readonly statuses: readonly SharePurchaseStatus[]
}

/** Wrong usage must fail before the store is opened. */
export function selectionOf(
  args: { readonly purchases?: readonly string[] | undefined },
  flags: { readonly 'all-submitted'?: boolean; readonly 'all-approved'?: boolean },
): Selection {
  const submitted = flags['all-submitted'] ? (['submitted'] as const) : []
  const approved = flags['all-approved'] ? (['approved'] as const) : []
  return requireOneWay({ ids: args.purchases ?? [], statuses: [...submitted, ...approved] })
}

interface Move {
  /** For example `Approved`. */
  readonly done: string
  /** If one share purchase depends on another, this one is moved first. */
  readonly first?: 'carrier' | 'dependent'
  readonly act: (sharePurchaseId: string) => Promise<Moved>
}

/** Each share purchase is moved in a transaction of its own. */
export abstract class PurchaseCommand extends ServiceCommand {
  protected async moveAll(service: Connection, selection: Selection, move: Move) {
    const [only, ...more] = selection.ids
    if (only && more.length === 0) return this.#moveOne(only, move)
    return this.#moveEach(await listRounds(service, selection, move), move)
  }

  async #moveOne(id: string, { done, act }: Move) {
    const moved = await act(id)
    this.log(sentenceOf(moved, done))
    return moved
  }

  async #moveEach(rounds: Rounds, { done, act }: Move) {
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

/** Rounds are done one after the other; within a round the order does not matter. */
type Rounds = readonly (readonly string[])[]

interface Listed {
  readonly share_purchase_id: string
  readonly rests_on?: readonly string[] | null
}

async function listRounds(
  service: Connection,
  selection: Selection,
  { first }: Move,
): Promise<Rounds> {
  if (first === undefined && selection.ids.length > 0) return [distinctIds(selection.ids)]
  const rounds = inRounds(await listSelected(service, selection))
  return first === 'dependent' ? rounds.toReversed() : rounds
}

async function listSelected(
  service: Connection,
  { ids, statuses }: Selection,
): Promise<readonly Listed[]> {
  if (ids.length === 0) return listByStatus(service, statuses)
  const shown = await tryEach(distinctIds(ids), {
    act: (share_purchase_id) => service.call('purchase.show', { share_purchase_id }),
    throughOutages: true,
  })
  // A share purchase that cannot be shown is tried anyway, and then fails with its reason.
  return shown.map(({ id, outcome }) => {
    const rests_on = 'result' in outcome ? outcome.result.rests_on : null
    return { share_purchase_id: id, rests_on }
  })
}

/** Each share purchase is in a later round than those that it depends on. */
function inRounds(purchases: readonly Listed[]): Rounds {
  const rounds: string[][] = []
  let left = purchases
  while (left.length > 0) {
    const open = new Set(left.map(({ share_purchase_id: id }) => id.toLowerCase()))
    const rests = ({ rests_on }: Listed) => rests_on?.some((id) => open.has(id)) ?? false
    const resting = left.filter(rests)
    // A damaged store could contain a circle, and the command must end anyway.
    const isEndless = resting.length === left.length
    const free = isEndless ? left : left.filter((purchase) => !rests(purchase))
    rounds.push(free.map(({ share_purchase_id: id }) => id))
    left = isEndless ? [] : resting
  }
  return rounds
}

/** Only the needed fields are kept, because there may be many share purchases. */
async function listByStatus(
  service: Connection,
  statuses: Selection['statuses'],
): Promise<readonly Listed[]> {
  const found: Listed[] = []
  for (const status of statuses) {
    for await (const purchases of service.list('purchase.list', { status })) {
      for (const { share_purchase_id, rests_on } of purchases) {
        found.push({ share_purchase_id, rests_on })
      }
    }
  }
  return found
}

function requireOneWay(selection: Selection): Selection {
  const { ids, statuses } = selection
  const ways = Number(ids.length > 0) + Number(statuses.length > 0)
  if (ways === 1) return selection
  throw invalid('Give either ids of share purchases, or a flag such as --all-submitted.')
}
