import { array, define, type Failure, object, optional, Struct } from 'superstruct'
import t from 'tap'
import { checkInSteps, checkShape, maximumFailures } from '../../src/wire/check-shape.ts'

/** Makes a text that counts its reads. */
function countedText() {
  const counted = { looks: 0 }
  const shape: Struct<string, null> = define('text', (value) => {
    counted.looks += 1
    return typeof value === 'string' || 'must be text'
  })
  return { counted, shape }
}

function toldOf(failures: readonly Failure[] | undefined): string[] {
  return failures?.map(({ type, path }) => `${type} ${path.join('.')}`) ?? []
}

const numbers = Array.from({ length: 30_000 }, (_, index) => index)

t.test('a value of the wrong kind is one failure, and its content is not examined [D21]', (t) => {
  const { counted, shape } = countedText()
  const wrong: readonly unknown[] = [numbers, numbers.map((number) => [number]), 'text', 7, true]
  for (const value of wrong) {
    const [failures] = checkShape({ inner: value }, object({ inner: object({ name: shape }) }))
    t.strictSame(toldOf(failures), ['object inner'])
  }
  const [failures] = checkShape({ list: { 0: 'a' } }, object({ list: array(shape) }))
  t.strictSame(toldOf(failures), ['array list'])
  t.equal(counted.looks, 0)
  t.end()
})

t.test('a large value is checked in steps, with the same result', (t) => {
  const { counted, shape } = countedText()
  const texts = numbers.map(String)
  const check = checkInSteps(texts, array(shape))
  let most = 0
  for (;;) {
    const before = counted.looks
    const step = check.next()
    most = Math.max(most, counted.looks - before)
    if (!step.done) continue
    t.strictSame(step.value, checkShape(texts, array(shape)))
    break
  }
  t.ok(most > 0 && most <= 2000)
  t.end()
})

t.test('the search for failures ends after 50 [D21]', (t) => {
  const { counted, shape } = countedText()
  const [failures] = checkShape(numbers, array(shape))
  t.equal(failures?.length, maximumFailures)
  t.equal(counted.looks, maximumFailures)
  t.equal(maximumFailures, 50)
  const all = checkShape(numbers, array(shape), Number.POSITIVE_INFINITY)[0]
  t.equal(all?.length, numbers.length, 'all failures are found if they are requested')
  t.end()
})

t.test('an object with more than 200 keys is refused before any is examined', (t) => {
  const { counted, shape } = countedText()
  const withKeys = (count: number) => Object.fromEntries(numbers.slice(0, count).map((n) => [n, n]))
  const form = object({ inner: object({ name: optional(shape) }) })
  t.throws(() => checkShape({ inner: withKeys(201) }, form), {
    code: 'MALFORMED_REQUEST_BODY',
    fault: 'has more than 200 fields',
  })
  t.equal(counted.looks, 0)
  const [failures] = checkShape({ inner: withKeys(200) }, form)
  t.equal(toldOf(failures)[0], 'never inner.0')
  t.end()
})

t.test('an absent optional field is not examined', (t) => {
  const counted = { looks: 0 }
  const field = new Struct({
    type: 'field',
    schema: null,
    validator: (value) => value !== 'wrong',
    entries() {
      counted.looks += 1
      return []
    },
  })
  const form = array(object({ name: field }))
  t.notOk(checkShape([{}, { name: undefined }, {}], form)[0])
  t.equal(counted.looks, 0)
  t.notOk(checkShape([{ name: 'a' }], form)[0])
  t.equal(counted.looks, 1)
  t.strictSame(toldOf(checkShape([{}, { name: 'wrong' }], form)[0]), ['field 1.name'])
  t.end()
})

t.test('the check calls no method of the object that it checks', (t) => {
  const { shape } = countedText()
  const named = {
    toString: () => t.fail('the check called a method'),
    toJSON: () => t.fail('the check called a method'),
  }
  for (const value of [named, [named], { name: named }, { list: named }]) {
    const form = object({ name: optional(shape), list: optional(array(shape)) })
    t.ok(checkShape(value, form)[0])
  }
  t.end()
})
