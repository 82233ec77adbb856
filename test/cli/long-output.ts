import t from 'tap'
import { parseRows } from '../../src/cli/connection.ts'
import { renderYaml } from '../../src/cli/files/yaml.ts'
import { renderJsonInParts } from '../../src/cli/output.ts'
import { renderExport } from '../../src/cli/render-exported-fixtures.ts'
import { renderTable, renderTableInParts } from '../../src/cli/table.ts'
import { inParts, writeRows } from '../../src/http/operator.ts'
import { joinExportedParts, type RenderedPart } from '../../src/wire/exported-fixtures.ts'

async function* each<Item = never>(...items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

async function linesOf(parts: AsyncIterable<string>): Promise<string[]> {
  const lines: string[] = []
  for await (const part of parts) lines.push(part)
  return lines
}

interface Row {
  readonly name: string
  readonly note: string | null
}

const columns = { NAME: ({ name }: Row) => name, NOTE: ({ note }: Row) => note }
const first: Row[] = [
  { name: 'one', note: 'wide enough' },
  { name: 'two', note: 'of\ntwo lines' },
]
const second: Row[] = [{ name: 'a very long name', note: null }]

t.test('a table that is printed in parts has the column widths of its first 50 rows', async (t) => {
  t.strictSame(await linesOf(renderTableInParts(each(first), columns)), [
    renderTable(first, columns),
  ])
  t.strictSame(
    await linesOf(renderTableInParts(each(first, second), columns)),
    [renderTable([...first, ...second], columns)],
    'the columns of a short table are aligned, even if the batches are small',
  )
  const screen: Row[] = Array.from({ length: 25 }, () => first).flat()
  const [head, rest] = await linesOf(renderTableInParts(each(screen, [first[0] as Row]), columns))
  t.equal(head, renderTable(screen, columns))
  t.equal(rest, head?.split('\n')[1])
  const wider = await linesOf(renderTableInParts(each(screen, second), columns))
  t.strictSame(wider[1], 'a very long name  -')
  t.strictSame(await linesOf(renderTableInParts(each(), columns)), ['NAME  NOTE'])
})

t.test('a JSON list that is printed in parts is the same text as the whole list', async (t) => {
  for (const batches of [[], [[]], [first], [first, second], [first, [], second, first]]) {
    const text = (await linesOf(renderJsonInParts(each(...batches)))).join('\n')
    t.equal(text, JSON.stringify(batches.flat(), undefined, 2))
  }
})

const organization = (name: string) => ({
  organization: { name, organization_id: `${name}-id`, clients: [], webhooks: [{ url: 'a' }] },
})
const someInvestors = (...refs: readonly string[]) => ({
  investors: refs.map((ref) => ({
    partner_customer_ref: ref,
    profile: { note: `${'long text '.repeat(20)}\n  end ` },
    share_purchases: [],
  })),
})
const cooperative = (key: string) => ({ cooperative: { key, projects: [{ name: 'roof' }] } })

const exports: Readonly<Record<string, readonly RenderedPart[]>> = {
  nothing: [],
  'an organization alone': [organization('a')],
  'cooperatives alone': [cooperative('sun'), cooperative('wind')],
  everything: [
    organization('a'),
    someInvestors('1', '2'),
    someInvestors('3'),
    organization('b'),
    organization('c'),
    someInvestors('4'),
    cooperative('sun'),
  ],
}

t.test('an export that is printed in parts is the same text as the whole export', async (t) => {
  for (const [title, parts] of Object.entries(exports)) {
    const whole = joinExportedParts(parts)
    const laidOut = async (name: 'yaml' | 'json') =>
      (await linesOf(renderExport(each(parts), name))).join('\n')
    t.equal(await laidOut('json'), JSON.stringify(whole, undefined, 2), `${title}, JSON`)
    t.equal(await laidOut('yaml'), renderYaml(whole), `${title}, YAML`)
  }
})

async function bytesOf(batches: AsyncIterable<readonly unknown[]>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of writeRows(batches)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function parsed(chunks: AsyncIterable<Uint8Array>): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const batch of parseRows(chunks)) rows.push(...batch)
  return rows
}

const texts = [{ text: 'ä\n]' }, { text: '[' }, 3, ['x']]

t.test('rows are sent as JSON and can be read in chunks of any size', async (t) => {
  for (const batches of [[], [texts], [texts, [], texts]]) {
    const bytes = await bytesOf(each(...batches))
    t.strictSame(JSON.parse(bytes.toString()), batches.flat())
    for (const size of [1, 2, 7, 1000]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      t.strictSame(await parsed(each(...chunks)), batches.flat(), `${size} bytes at a time`)
    }
  }
  t.strictSame(await parsed(each(Buffer.from(JSON.stringify(texts)))), texts, 'of another form')
})

t.test('rows are printed before all of them have arrived', async (t) => {
  const rows = parseRows(
    (async function* () {
      yield Buffer.from('[\n{"a":1},\n{"a":2},\n{"a"')
      throw new Error('The line is cut.')
    })(),
  )
  t.strictSame((await rows.next()).value, [{ a: 1 }, { a: 2 }])
  await t.rejects(rows.next(), { message: 'The line is cut.' })
})

t.test('an incomplete list is refused', async (t) => {
  await t.rejects(parsed(each(Buffer.from('[\n{"a":1},\n'))), { name: 'SyntaxError' })
})

t.test('a long list in memory is written in parts', async (t) => {
  const sizes: number[] = []
  for await (const part of inParts(Array.from({ length: 2500 }))) sizes.push(part.length)
  t.strictSame(sizes, [1000, 1000, 500])
})
