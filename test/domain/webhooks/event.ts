import t from 'tap'
import { deriveEventId, webhookEventTypes } from '../../../src/domain/webhooks/event.ts'

// These ids were computed with Python's UUIDv5. They must never change, because a receiver must
// recognize an id after any upgrade.
const ids = [
  ['submitted', 'f2dcbd9f-551e-5d60-87bc-4d9501b01c79'],
  ['approved', '3cc3fe2b-ab18-5d01-a01a-b39768984bb9'],
  ['settled', '7b8cb7fe-eed8-524c-bece-d7d648e9fce0'],
  ['rejected', 'a090c7d0-2e96-5712-b42f-666e04ba87be'],
  ['cancelled', 'fbacd91a-11d6-518d-a10a-efa1c00d99ac'],
] as const

t.test(
  'the id of an event depends only on its order and transition, in every version [D31]',
  async (t) => {
    const order = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
    for (const [status, id] of ids) t.equal(deriveEventId(order, status), id, status)
  },
)

t.test('partners get five event types [S-envelope-4]', async (t) => {
  t.strictSame(
    [...webhookEventTypes].sort(),
    ids.map(([status]) => `share_purchase.${status}`).sort(),
  )
})
