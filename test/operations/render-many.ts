import t from 'tap'
import { countTurns } from '../../fixtures/count-turns.ts'
import { renderMany } from '../../src/operations/shapes/render-many.ts'

t.test('many are rendered in order, and others have their turn in between', async (t) => {
  const numbers = Array.from({ length: 3500 }, (_, number) => number)
  const counting = countTurns()
  const rendered = await renderMany(numbers, (number) => `${number}`)
  t.ok(counting.stop() >= 3, 'one for each thousand')
  t.same(rendered, numbers.map(String))
})
