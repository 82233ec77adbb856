import fc from 'fast-check'
import t from 'tap'
import { deliveryRecord, noon, retryRecord } from '../../../fixtures/builders/records.ts'
import { addSeconds } from '../../../src/domain/timestamp.ts'
import type { Delivery, DeliveryState } from '../../../src/domain/webhooks/delivery.ts'
import {
  applyAttempt,
  backoffSeconds,
  doublingWaits,
  markDead,
  startNewRound,
} from '../../../src/domain/webhooks/delivery-retries.ts'
import { countDeliveries, eventStateOf, updateCounts } from '../../../src/domain/webhooks/event.ts'
import { webhookUrlError } from '../../../src/domain/webhooks/webhook-endpoint.ts'

const failed = { ...retryRecord(1).attempts[0], failure: 'status' } as Delivery['attempts'][number]
const succeeded = { ...failed, failure: null, status: 200 }

function step(attempt = failed, isFinal = false) {
  return { attempt, isFinal, now: noon, waits: doublingWaits(30), fraction: 0 }
}

t.test('the waits between attempts double, starting at 30 s [D31]', async (t) => {
  for (const [attempts, expected] of [
    [1, 30],
    [2, 60],
    [3, 120],
    [4, 240],
    [5, 480],
  ] as const) {
    const waits = doublingWaits(30)
    t.equal(backoffSeconds({ attempts, waits, fraction: 0 }), expected)
    const longest = backoffSeconds({ attempts, waits, fraction: 1 }) ?? 0
    t.equal(Math.round(longest * 1000), Math.round(expected * 1100), 'at most a tenth longer')
  }
})

t.test('an attempt leads to the next state of its delivery', async (t) => {
  const pending = deliveryRecord(0)
  const fifth = retryRecord(0, { attemptsInRound: 4 })
  const sixth = retryRecord(0, { attemptsInRound: 5 })
  const dead = { state: 'dead', nextAttemptAt: null } as const
  t.match(applyAttempt(pending, step()), { state: 'pending', attemptsInRound: 1 })
  t.equal(applyAttempt(pending, step()).nextAttemptAt, addSeconds(noon, 30))
  t.equal(applyAttempt(fifth, step()).nextAttemptAt, addSeconds(noon, 480))
  t.match(applyAttempt(sixth, step()), { ...dead, deadBecause: 'attempts_used_up' })
  t.match(applyAttempt(pending, step(failed, true)), { ...dead, deadBecause: 'mail_refused' })
  const delivered = { state: 'delivered', nextAttemptAt: null, deadBecause: null } as const
  t.match(applyAttempt(sixth, step(succeeded)), delivered)
  const removed = markDead(pending, 'endpoint_removed', noon)
  t.match(applyAttempt(removed, step()), { ...dead, deadBecause: 'endpoint_removed' })
  t.equal(applyAttempt(removed, step()).attempts.length, 1, 'the attempt is recorded')
  t.match(applyAttempt(removed, step(succeeded)), delivered)
})

t.test('a schedule of an operator decides the number and the times of attempts', async (t) => {
  const waits = [30, 21_600]
  const after = (attemptsInRound: number) =>
    applyAttempt(retryRecord(0, { attemptsInRound }), { ...step(), waits })
  t.equal(after(0).nextAttemptAt, addSeconds(noon, 30))
  t.equal(after(1).nextAttemptAt, addSeconds(noon, 21_600))
  t.match(after(2), { state: 'dead', deadBecause: 'attempts_used_up', attemptsInRound: 3 })
})

t.test('a replay starts a new round of attempts', async (t) => {
  const dead = markDead(retryRecord(0, { attemptsInRound: 6 }), 'attempts_used_up', noon)
  const begun = { attemptsInRound: 0, deadBecause: null, attempts: dead.attempts }
  t.match(startNewRound(dead, noon), { ...begun, state: 'pending', nextAttemptAt: noon })
})

t.test('the state of an event follows from its deliveries', async (t) => {
  for (const [pending, delivered, dead, expected] of [
    [0, 0, 0, 'none'],
    [1, 0, 0, 'pending'],
    [1, 1, 0, 'pending'],
    [0, 2, 0, 'delivered'],
    [0, 1, 1, 'dead'],
    [1, 1, 1, 'dead'],
  ] as const) {
    t.equal(eventStateOf({ deliveries: { pending, delivered, dead } } as never), expected)
  }
})

t.test('the counts change with every change of a delivery', async (t) => {
  const state = fc.constantFrom<DeliveryState>('pending', 'delivered', 'dead')
  const kind = fc.constantFrom({ kind: 'mail' } as const, deliveryRecord(0).target)
  const change = fc.record({ from: state, to: state, target: kind })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const of = (target: Delivery['target'], state: DeliveryState) =>
        deliveryRecord(0, { target, state })
      const before = changes.map(({ target, from }) => of(target, from))
      const after = changes.map(({ target, to }) => of(target, to))
      let counts = countDeliveries(before)
      for (const [index, one] of before.entries()) {
        counts = updateCounts(counts, one, after[index] as Delivery)
      }
      t.same(counts, countDeliveries(after))
    }),
    { numRuns: 100 },
  )
})

t.test('the URL of a webhook must have a valid form', async (t) => {
  const rows = [
    ['https://partner.example/hooks?tenant=1', undefined, undefined],
    ['https://partner.example:8443', undefined, undefined],
    ['http://partner.example/', /https/, undefined],
    ['HTTPS://Partner.Example/', undefined, undefined],
    ['ftp://partner.example/', /https/, /https/],
    ['javascript:alert(1)', /https/, /https/],
    ['partner.example/hooks', /not a URL/, /not a URL/],
    ['', /not a URL/, /not a URL/],
    ['https://', /not a URL/, /not a URL/],
    ['https://user@partner.example/', /user name or password/, /user name or password/],
    ['https://user:pass@partner.example/', /user name or password/, /user name or password/],
    ['https://:pass@partner.example/', /user name or password/, /user name or password/],
    ['https://partner.example/#part', /fragment/, /fragment/],
    [`https://partner.example/${'x'.repeat(2048)}`, /2048 characters/, /2048 characters/],
  ] as const
  for (const [url, expected, expectedInStaging] of rows) {
    t.match(webhookUrlError(url, false), expected, url)
    t.match(webhookUrlError(url, true), expectedInStaging, `${url}, private allowed`)
  }
})
