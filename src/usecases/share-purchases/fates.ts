import { Problem } from '../../domain/problem.ts'
import { isHeldUp, isPending } from '../../domain/share-purchases/dependencies.ts'
import { nextStepOf, suspendFate } from '../../domain/share-purchases/fate.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import { batchSize } from '../read-in-batches.ts'
import type { Service } from '../service.ts'
import { changeOrder, decideHeldOrder, readOrders } from './change-status.ts'

/**
 * Takes every step that is due, earliest first. Several instances may do so at the same time.
 * @param signal ends the work after the current step
 */
export async function runDueFates(service: Service, signal?: AbortSignal): Promise<void> {
  const { store, clock } = service
  for (;;) {
    const until = clock.now()
    const due = await store.read(({ sharePurchases }) =>
      sharePurchases.listByFate({ until, limit: batchSize }),
    )
    if (due.length === 0) return
    for (const order of due) {
      if (signal?.aborted) return
      const after = await takeStepOrEnd(service, order)
      // After a pause of the service, the next step may be due before steps of other orders.
      if (after.fateDueAt !== undefined && after.fateDueAt <= until) break
    }
  }
}

/** When the next step is due; it may be in the past. */
export async function nextFateAt({ store }: Service): Promise<Timestamp | undefined> {
  const [next] = await store.read(({ sharePurchases }) => sharePurchases.listByFate({ limit: 1 }))
  return next?.fateDueAt
}

/** A step that fails would fail again and hold up the others, so its fate ends, unless the store is at fault. */
async function takeStepOrEnd(service: Service, due: SharePurchase): Promise<SharePurchase> {
  try {
    return await takeStep(service, due)
  } catch (error) {
    if (error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE') throw error
    await service.store.write(subjects.investor(due.investorId), async ({ sharePurchases }) => {
      const order = await sharePurchases.find(due.sharePurchaseId)
      if (order) await sharePurchases.put(suspendFate(order))
    })
    throw error
  }
}

/** Checks again in the write which step is due, because a person or another instance may have been faster. */
function takeStep(service: Service, due: SharePurchase): Promise<SharePurchase> {
  return changeOrder(service, due, async (records, held) => {
    const { order } = held
    if (!order.fateDueAt || order.fateDueAt > service.clock.now()) return order
    const step = nextStepOf(order)
    if (!step) return suspend(records, order)
    if (step.to === 'settled') {
      const dependencies = [...(await readOrders(records, order, order.restsOn)).values()]
      if (isHeldUp(order, dependencies)) return suspend(records, order, dependencies)
    }
    const isReturn = order.fate?.kind === 'return' && step.to === 'rejected'
    const money = isReturn ? 'simulated return' : 'simulated'
    return decideHeldOrder(records, service, held, { ...step, money })
  })
}

/** Takes no further step until one of the dependencies is settled. */
async function suspend(
  { sharePurchases }: Records,
  order: SharePurchase,
  dependencies: readonly SharePurchase[] = [],
): Promise<SharePurchase> {
  for (const dependency of dependencies.filter(({ status }) => isPending(status))) {
    await sharePurchases.put({ ...dependency, holdsUpFate: true })
  }
  const suspended = suspendFate(order)
  await sharePurchases.put(suspended)
  return suspended
}
