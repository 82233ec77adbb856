import t, { type Test } from 'tap'
import EventReplay from '../../commands/event/replay.ts'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import { fillStore } from '../../fixtures/program/run-command.ts'
import { runnerOn } from '../../fixtures/program/with-and-without-service.ts'
import { seedDeadEvents } from '../../fixtures/world/seed-events.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'
import { startProgress } from '../../src/cli/output.ts'

/** Pretends that stderr is a terminal or not, and hides its output. */
function pretendTerminal(t: Test, isTTY: boolean): () => string {
  t.intercept(process.stderr, 'isTTY', { value: isTTY })
  const { args } = t.capture(process.stderr, 'write', () => true)
  let written = ''
  return () => {
    // The arguments must be read now, because the mock loses them with the next call.
    written += args()
      .map(([text]) => String(text))
      .join('')
    return written
  }
}

t.test(
  'a command on many ids shows a progress bar, and one line for each id at the end',
  async (t) => {
    const dataDirectory = t.testdir()
    await fillStore(dataDirectory, seedOrders(25))
    const written = pretendTerminal(t, true)
    const approved = await runnerOn(dataDirectory)(PurchaseApprove, '--all-submitted')
    t.equal(approved.exitCode, 0)
    t.match(written(), ' 0/25 ')
    t.equal(approved.stdout.match(/^Approved /gm)?.length, 25)
  },
)

t.test('a replay of many events also shows a progress bar', async (t) => {
  const dataDirectory = t.testdir()
  await fillStore(dataDirectory, seedDeadEvents(25), '--allow-private-webhooks')
  const written = pretendTerminal(t, true)
  const replayed = await runnerOn(dataDirectory)(EventReplay, '--dead')
  t.equal(replayed.exitCode, 0)
  t.match(written(), ' 0/25 ')
  t.equal(replayed.stdout.match(/^Replayed /gm)?.length, 25)
})

t.test('there is no progress bar without a terminal or for a few ids', async (t) => {
  const rows: [title: string, isTTY: boolean, total: number][] = [
    ['in a file or a pipe', false, 1000],
    ['a few', true, 5],
  ]
  for (const [title, isTTY, total] of rows) {
    await t.test(title, async (t) => {
      const written = pretendTerminal(t, isTTY)
      t.equal(await startProgress(total), undefined)
      t.equal(written(), '')
    })
  }
})
