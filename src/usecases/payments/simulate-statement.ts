import { type Money, zeroMoney } from '../../domain/money.ts'
import { expectedTotal } from '../../domain/payments/debit-collection.ts'
import { returnReasons } from '../../domain/payments/payment.ts'
import {
  type SimulatedReturn,
  simulateStatement,
} from '../../domain/payments/simulated-statement.ts'
import { Problem, validationProblem } from '../../domain/problem.ts'
import { resolveShortId } from '../investors/find-investors.ts'
import type { Service } from '../service.ts'
import { readDebits, requireCollection } from './collections.ts'

export interface SimulateStatement {
  readonly collectionId: string
  readonly returns: readonly { readonly sharePurchaseId: string; readonly returnCode: string }[]
  readonly charges: Money
}

/** What the bank would send for a collection, in staging. Importing it has the same effects as the true one. */
export async function simulateBank(
  service: Service,
  { collectionId, returns, charges }: SimulateStatement,
): Promise<string> {
  if (service.settings.environment !== 'staging') {
    throw new Problem(
      'TESTING_AID_IN_PRODUCTION',
      'A statement can be simulated only in staging. In production, import the statement of the bank.',
    )
  }
  const collection = await service.store.read((records) => requireCollection(records, collectionId))
  if (collection.state === 'cancelled' || collection.exportedAt === null) {
    throw new Problem(
      'COLLECTION_ILLEGAL_STATE',
      `A bank sends a statement only for a collection whose file it has. \`coopshare collection export ${collection.collectionId}\` writes the file.`,
    )
  }
  const wanted = new Map<string, string>()
  for (const { sharePurchaseId, returnCode } of returns) {
    if (!(returnCode in returnReasons)) {
      const known = Object.keys(returnReasons).join(', ')
      throw validationProblem({ returns: `has the unknown code ${returnCode}; known are ${known}` })
    }
    wanted.set(await resolveShortId(service, 'order', sharePurchaseId), returnCode)
  }
  if (expectedTotal(collection) === zeroMoney) {
    throw new Problem(
      'COLLECTION_ILLEGAL_STATE',
      'The bank has refused all direct debits of this collection, so it sends no statement about it.',
    )
  }
  const returned: SimulatedReturn[] = []
  for await (const debits of readDebits(service, collection.collectionId)) {
    for (const debit of debits) {
      const returnCode = wanted.get(debit.sharePurchaseId)
      if (returnCode === undefined) continue
      wanted.delete(debit.sharePurchaseId)
      if (await isRefused(service, debit.endToEndId)) {
        throw validationProblem({
          returns: `has the share purchase ${debit.sharePurchaseId}, which the bank has refused before the booking`,
        })
      }
      returned.push({ debit, returnCode })
    }
  }
  const [missing] = wanted.keys()
  if (missing !== undefined) {
    throw validationProblem({
      returns: `has the share purchase ${missing}, which is not in the collection`,
    })
  }
  const now = service.clock.now()
  return simulateStatement({ collection, returns: returned, charges, now })
}

async function isRefused({ store }: Service, endToEndId: string): Promise<boolean> {
  const refusal = await store.read(({ statementEntries }) =>
    statementEntries.findByFact(`refusal:${endToEndId}`),
  )
  return refusal !== undefined
}
