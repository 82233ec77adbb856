import { sql } from 'kysely'
import { investorNotFound } from './investors.js'
import { createEvent, createOrder, digestOrder, isReplay } from './order-rules.js'
import {
  addedJobs,
  contextOf,
  deliveriesOf,
  readContext,
  rowsOf,
  storedKeys,
} from './order-statements.js'

const uniqueViolation = '23505'

/** Another request has used the key since this one looked it up. */
class KeyTaken extends Error {}

/** Places an order with its holding, key, event, deliveries and jobs in one commit. */
export async function placeOrder(db, input) {
  const place = () => db.transaction().execute((transaction) => placeIn(transaction, input))
  try {
    return await place()
  } catch (error) {
    if (error instanceof KeyTaken || error.code === uniqueViolation) return place()
    throw error
  }
}

async function placeIn(transaction, { organizationId, investorId, key, request }) {
  await lockInvestor(transaction, { organizationId, investorId })
  const ids = { organizationId, investorId, key, cooperativeId: request.cooperative_id }
  const { rows } = await contextOf(ids).execute(transaction)
  const { investor, cooperative, holding, keyUse } = readContext(rows)
  const digest = digestOrder(investor, request)
  if (isReplay(keyUse, digest)) {
    return { order: await readOrder(transaction, keyUse.share_purchase_id), isReplay: true }
  }
  const order = createOrder({ investor, cooperative, holding, request })
  await writeOrder(transaction, { order, key, digest })
  return { order, isReplay: false }
}

/** Orders of one investor are placed one after the other, because they share holdings. */
async function lockInvestor(transaction, { organizationId, investorId }) {
  const found = await transaction
    .selectFrom('investors')
    .select('investor_id')
    .where('investor_id', '=', investorId)
    .where('organization_id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw investorNotFound()
}

function readOrder(transaction, id) {
  return transaction
    .selectFrom('share_purchases')
    .selectAll()
    .where('share_purchase_id', '=', id)
    .executeTakeFirst()
}

async function writeOrder(transaction, { order, key, digest }) {
  const event = createEvent(order, order.created_at)
  const { rows } = await sql`
    with ${rowsOf({ order, key, digest, event })}, ${deliveriesOf(event)}
    select ${storedKeys}, ${addedJobs}
  `.execute(transaction)
  if (key !== undefined && rows[0].keys === 0) throw new KeyTaken()
}
