import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findTraceFaults, readTrace, renderTrace } from '../scripts/check/trace.ts'

const root = join(import.meta.dirname, '..')

const specification = [
  '- section: Orders',
  '  promises:',
  '    S-orders-1: An order is placed once.',
  '  see: [S-orders-1]',
].join('\n')
const decisions = '# Decisions\n\n### D1 Whose is a key?\n\nThe organization’s.\n'
// This function joins ids and titles, so that these titles do not count as titles of this file.
const test = (title: string, ...ids: string[]) => `t.test('${named(title, ids)}', async () => {})`
const row = (title: string, ...ids: string[]) => `const rows = [['${named(title, ids)}', 1]]`
const named = (title: string, ids: string[]) => [title, ...ids.map((id) => `[${id}]`)].join(' ')

const titles = [
  test('a retried order is placed once', 'S-orders-1'),
  row('a key belongs to the organization', 'D1'),
].join('\n')

t.test('every promise and every decision has a test', async (t) => {
  t.strictSame(findTraceFaults(readTrace(root)), [])
})

t.test('a promise or a decision without a test is found', async (t) => {
  const trace = traceOf(t, { titles: test('a retried order is placed once') })
  t.strictSame(findTraceFaults(trace), [
    'No test has S-orders-1 in its title: An order is placed once.',
    'No test has D1 in its title: Whose is a key?',
  ])
})

t.test('an id that does not exist is reported with its place', async (t) => {
  const unknown = test('an order is settled', 'S-orders-2', 'D9')
  t.strictSame(findTraceFaults(traceOf(t, { titles: `${titles}\n${unknown}` })), [
    'test/http/orders.ts:3: S-orders-2 does not exist.',
    'test/http/orders.ts:3: D9 does not exist.',
  ])
  const elsewhere = specification.replace('see: [S-orders-1]', 'see: [S-holdings-1]')
  t.strictSame(findTraceFaults(traceOf(t, { specification: elsewhere })), [
    '"Orders" refers to S-holdings-1, which does not exist.',
  ])
})

t.test('a duplicate id is found', async (t) => {
  const twice = `${decisions}\n### D1 How long is it kept?\n`
  t.strictSame(findTraceFaults(traceOf(t, { decisions: twice })), ['D1 exists twice.'])
})

t.test('an id counts only in the title of a test', async (t) => {
  const trace = traceOf(t, { titles: "// [S-orders-1]\nconst text = 'a key [D1]'" })
  t.equal(findTraceFaults(trace).length, 2)
})

t.test('the trace shows each sentence with its tests', async (t) => {
  t.equal(
    renderTrace(traceOf(t, {})),
    [
      '# Promises, decisions and their tests',
      '## Orders',
      '- **S-orders-1** An order is placed once.\n  - test/http/orders.ts: a retried order is placed once',
      'See also S-orders-1.',
      '## Decisions',
      '- **D1** Whose is a key?\n  - test/http/orders.ts: a key belongs to the organization',
    ].join('\n\n'),
  )
})

function traceOf(
  t: Test,
  sources: {
    readonly specification?: string
    readonly decisions?: string
    readonly titles?: string
  },
) {
  const root = t.testdir({
    'DECISIONS.md': sources.decisions ?? decisions,
    test: {
      'specification.yaml': sources.specification ?? specification,
      http: { 'orders.ts': sources.titles ?? titles },
    },
    fixtures: {},
  })
  return readTrace(root)
}
