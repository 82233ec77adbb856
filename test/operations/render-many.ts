import t from 'tap'
import { countTurns } from '../../fixtures/async.ts'
import { renderReplayedEvents } from '../../src/operations/events.ts'

t.test('many records are rendered in order, and other requests are served meanwhile', async (t) => {
  const numbers = Array.from({ length: 3500 }, (_, number) => number)
  const counting = countTurns()
  const rendered = await renderReplayedEvents(numbers, (number) => `${number}`)
  t.ok(counting.stop() >= 3, 'one turn for each thousand records')
  t.same(rendered, numbers.map(String))
})
