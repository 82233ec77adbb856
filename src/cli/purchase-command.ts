import { Args, Flags } from '@oclif/core'
import { invalid } from '../config/invalid.ts'
import type { SharePurchaseStatus } from '../domain/share-purchases/share-purchase.ts'
import type { Connection } from './connection.ts'
import { startProgress } from './progress.ts'
import { renderError } from './render-error.ts'
import { ServiceCommand } from './service-command.ts'
import { distinctIds, exitCodeOfAll, type Tried, tryEach } from './try-each.ts'

export const purchaseIds = {
  purchases: Args.string({
    multiple: true,
    ignoreStdin: true,
    description: 'Ids of share purchases.',
  }),
}

export const allSubmitted = Flags.boolean({ description: 'Every submitted share purchase.' })
export const allApproved = Flags.boolean({ description: 'Every approved share purchase.' })

interface Moved {
  readonly share_purchase_id: string
  readonly status: string
}

export interface Selection {
  readonly ids: readonly string[]
  /** Every share purchase in one of these, instead of ids. */
  readonly statuses: readonly SharePurchaseStatus[]
}

/** From what was typed; wrong usage opens no store. */
export function selectionOf(
  args: { readonly purchases?: readonly string[] | undefined },
  flags: { readonly 'all-submitted'?: boolean; readonly 'all-approved'?: boolean },
): Selection {
  const submitted = flags['all-submitted'] ? (['submitted'] as const) : []
  const approved = flags['all-approved'] ? (['approved'] as const) : []
  return requireOneWay({ ids: args.purchases ?? [], statuses: [...submitted, ...approved] })
}

interface Move {
  /** `Approved`, for the line that says it is done. */
  readonly done: string
  readonly act: (sharePurchaseId: string) => Promise<Moved>
}

/** A command that moves share purchases from one status to another, each in its own transaction. */
export abstract class PurchaseCommand extends ServiceCommand {
  protected async moveAll(service: Connection, selection: Selection, move: Move) {
    const [only, ...more] = selection.ids
    if (only && more.length === 0) return this.#moveOne(only, move)
    return this.#moveEach(await listIds(service, selection), move)
  }

  async #moveOne(id: string, { done, act }: Move) {
    const moved = await act(id)
    this.log(`${done} ${moved.share_purchase_id}.`)
    return moved
  }

  async #moveEach(ids: readonly string[], { done, act }: Move) {
    if (ids.length === 0) this.log('Nothing to do.')
    const bar = await startProgress(ids.length)
    const show = (each: Tried<Moved>) => this.#show(each, done)
    const onTried = bar ? () => bar.increment() : show
    const tried = await tryEach(ids, { act, onTried, throughOutages: true })
    bar?.stop()
    // A bar and lines would overwrite each other.
    if (bar) tried.forEach(show)
    process.exitCode = exitCodeOfAll(tried)
    return tried.map(renderTried)
  }

  #show({ id, outcome }: Tried<Moved>, done: string): void {
    if ('result' in outcome) this.log(`${done} ${id}.`)
    else this.tell(`${id}: ${outcome.problem.message}`)
  }
}

function renderTried({ id, outcome }: Tried<Moved>) {
  if ('result' in outcome) return outcome.result
  return { share_purchase_id: id, error: renderError(outcome.problem) }
}

async function listIds(
  service: Connection,
  { ids, statuses }: Selection,
): Promise<readonly string[]> {
  if (ids.length > 0) return distinctIds(ids)
  const lists = statuses.map((status) => service.call('purchase.list', { status }))
  return (await Promise.all(lists)).flat().map((purchase) => purchase.share_purchase_id)
}

function requireOneWay(selection: Selection): Selection {
  const { ids, statuses } = selection
  const ways = Number(ids.length > 0) + Number(statuses.length > 0)
  if (ways === 1) return selection
  throw invalid('Name share purchases by their ids, or all of them with a flag.')
}
