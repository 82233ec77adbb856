import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createEmptyService } from '../../fixtures/world/fixture-files.ts'
import { readCooperativeFiles, readSentCooperatives } from '../../src/cli/read-cooperative-file.ts'
import type { Problem } from '../../src/domain/problem.ts'
import { runOperation } from '../../src/operations/operations.ts'

const sun = { key: 'sun', name: 'Sonne eG', energy_category: 'solar', share_price: '100.00' }
const wind = { key: 'wind', name: 'Wind eG', energy_category: 'wind', share_price: 50 }
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

function linesOf(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}

t.test('a cooperative file is an array in JSON or YAML, or NDJSON', async (t) => {
  const folder = t.testdir({
    'a.json': JSON.stringify([sun, wind], null, 2),
    'a.yaml': `- ${JSON.stringify(sun)}\n- ${JSON.stringify(wind)}\n`,
    'a.ndjson': linesOf(sun, wind),
    'a.jsonl': `\ufeff${linesOf(sun)}\r\n\r\n${linesOf(wind)}`,
    'a.txt': linesOf(sun, wind),
  })
  for (const name of ['a.json', 'a.yaml', 'a.ndjson', 'a.jsonl', 'a.txt']) {
    const { input } = await readCooperativeFiles([join(folder, name)])
    t.strictSame(input, { cooperatives: [sun, wind] }, name)
  }
})

t.test('a file may have at most 5,000 rows or cooperatives, even if it is small', async (t) => {
  const header = ['key', 'name', 'energy_category', 'share_price']
  const first = ['sun', 'Sonne eG', 'solar', '100.00']
  const rows = (count: number) => [first, ...Array.from({ length: count - 1 }, () => ['sun'])]
  const csv = (count: number) =>
    [header, ...rows(count)].map((row) => row.concat('', '', '').slice(0, 4).join(',')).join('\n')
  const xlsx = (...more: string[][]) =>
    writeXlsx({ sheets: [{ name: 'a', rows: [header, ...more] }] })
  const blank = Array.from({ length: 4999 }, () => [])
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...sun, key: `${at}` }))
  const folder = t.testdir()
  const files: readonly [name: string, content: string | Uint8Array, fits: boolean][] = [
    ['a.csv', csv(5000), true],
    ['b.csv', csv(5001), false],
    ['c.csv', `${header.join(',')}\n${','.repeat(100)}`, false],
    ['a.xlsx', await xlsx(first, ...blank), true],
    ['b.xlsx', await xlsx(first, ...blank, ['far']), false],
    [
      'c.xlsx',
      await xlsx(
        first,
        Array.from({ length: 101 }, () => 'far'),
      ),
      false,
    ],
    ['a.json', JSON.stringify(many(5000)), true],
    ['b.json', JSON.stringify(many(5001)), false],
    ['a.ndjson', linesOf(...many(5001)), false],
    ['a.yaml', '-\n'.repeat(5001), false],
  ]
  for (const [name, content, fits] of files) {
    await writeFile(join(folder, name), content)
    const read = readCooperativeFiles([join(folder, name)])
    if (fits) await t.resolves(read, name)
    else await t.rejects(read, { code: 'PAYLOAD_TOO_LARGE', message: /more than 5,000/ }, name)
  }
})

t.test(
  'a file that is sent to the service must be small, so that no other user waits',
  async (t) => {
    const faulty = Buffer.from(linesOf(...Array.from({ length: 5000 }, () => ({ key: 'a' }))))
    const rows: readonly [
      name: string,
      bytes: Buffer,
      refusal: { code: string; message: RegExp },
    ][] = [
      ['a.ndjson', faulty, { code: 'VALIDATION_ERROR', message: /^\.\.\. and at least 80 more$/m }],
      ['a.csv', Buffer.alloc(1024 * 1024 + 1), { code: 'PAYLOAD_TOO_LARGE', message: /1 MiB/ }],
      [
        'deep.json',
        Buffer.from('['.repeat(500_000) + ']'.repeat(500_000)),
        { code: 'VALIDATION_ERROR', message: /nested more than 64 levels/ },
      ],
      [
        'a.yaml',
        Buffer.from(' '.repeat(130_000)),
        { code: 'VALIDATION_ERROR', message: /must be a list/ },
      ],
      [
        'b.yaml',
        Buffer.from(' '.repeat(132_000)),
        { code: 'PAYLOAD_TOO_LARGE', message: /128 KiB/ },
      ],
    ]
    for (const [name, bytes, refusal] of rows) {
      await t.rejects(readSentCooperatives(name, bytes), refusal, name)
    }
    const described = { ...sun, description: 'x'.repeat(4000) }
    const large = JSON.stringify(Array.from({ length: 100 }, () => described))
    await t.resolves(readSentCooperatives('large.json', Buffer.from(large)), 'JSON is read faster')
  },
)

t.test('YAML merge keys are accepted', async (t) => {
  const folder = t.testdir({
    'a.yaml':
      '- &sun { key: sun, name: Sonne eG, energy_category: solar, share_price: "100.00" }\n- { <<: *sun, key: other }\n- { <<: *sun, key: sum, prize: 1 }\n',
  })
  const refused = readCooperativeFiles([join(folder, 'a.yaml')])
  await t.rejects(refused, { message: /a\.yaml:3: \[2\]\.prize: unknown key$/ })
  await writeFile(
    join(folder, 'b.yaml'),
    `- &sun ${JSON.stringify(sun)}\n- { <<: *sun, key: other }\n`,
  )
  const { input } = await readCooperativeFiles([join(folder, 'b.yaml')])
  t.strictSame(input, { cooperatives: [sun, { ...sun, key: 'other' }] })
})

t.test('errors name the line and the field', async (t) => {
  const rows: readonly [string, string, readonly string[]][] = [
    ['a.ndjson', linesOf(sun, { ...wind, prize: 1 }), ['a.ndjson:2: [1].prize: unknown key']],
    ['b.ndjson', `${linesOf(sun)}\n{"key":\n`, ['b.ndjson:3: is not well-formed JSON']],
    [
      'c.yaml',
      '- key: sun\n  name: Sonne eG\n  energy_category: solr\n  share_price: 1',
      ['c.yaml:3: [0].energy_category: must be solar, wind, heat, chp, hydro, biomass or other'],
    ],
    [
      'two.yaml',
      `- ${JSON.stringify(sun)}\n---\n- ${JSON.stringify(wind)}\n`,
      ['two.yaml:2: a second document starts here: use only one'],
    ],
    ['merge.yaml', '- <<: 1\n', ['merge.yaml:1: << needs an object or an alias of an object']],
    [
      'key.json',
      JSON.stringify([{ ...sun, '<<': { key: 'wind' } }]),
      ['key.json:1: [0].<<: unknown key'],
    ],
    ['d.json', '{\n  "key": "sun"\n}', ['d.json:1: must be a list']],
    [
      'g.json',
      JSON.stringify([sun, { ...sun, 'a"\n': [], projects: [[], { name: 1 }] }], null, 1),
      [
        'g.json:13: [1].…: unknown key',
        'g.json:15: [1].projects[0]: must be an object',
        'g.json:16: [1].projects[1].type: is required',
        'g.json:16: [1].projects[1].energy_category: is required',
        'g.json:17: [1].projects[1].name: must be text: put it in quotes',
      ],
    ],
    ['e.ndjson', linesOf(1), ['e.ndjson:1: [0]: must be an object']],
    [
      'f.ndjson',
      linesOf({ ...sun, hero_image: 'no.svg' }),
      ['f.ndjson:1: [0].hero_image: file does not exist: no.svg'],
    ],
  ]
  for (const [name, text, lines] of rows) {
    const folder = t.testdir({ [name]: text })
    const error = await readCooperativeFiles([join(folder, name)]).catch((error: Problem) => error)
    t.ok(error instanceof Error, name)
    if (!(error instanceof Error)) continue
    t.strictSame(error.message.replaceAll(`${folder}/`, '').split('\n'), lines, name)
  }
})

t.test('images are read, and an error of the service names the line', async (t) => {
  const folder = t.testdir({
    'a.ndjson': linesOf({ ...sun, hero_image: 'sun.svg' }, wind),
    'b.ndjson': `\n${linesOf(sun, wind, sun)}`,
    'sun.svg': svg,
  })
  const service = await createEmptyService()
  const { input } = await readCooperativeFiles([join(folder, 'a.ndjson')])
  t.match(await runOperation(service, 'cooperative.import', input), { created: 2 })
  t.match(
    await runOperation(service, 'cooperative.show', { cooperative: 'sun' }),
    exactArrays({
      images: ['hero'],
      published: false,
    }),
  )
  const file = await readCooperativeFiles([join(folder, 'b.ndjson')])
  const error = await runOperation(service, 'cooperative.import', file.input).catch(file.explain)
  t.match(error, {
    code: 'VALIDATION_ERROR',
    message: `${join(folder, 'b.ndjson')}:4: [2].key: appears more than once`,
  })
})

t.test('a duplicate key is refused in every format [D18]', async (t) => {
  const text = JSON.stringify(sun).replace('{', '{"na\\u006de":"Mond eG",')
  const folder = t.testdir({ 'a.json': `[${text}]`, 'a.yaml': `- ${text}\n`, 'a.ndjson': text })
  for (const name of ['a.json', 'a.yaml', 'a.ndjson']) {
    const refused = readCooperativeFiles([join(folder, name)])
    await t.rejects(refused, { message: new RegExp(`${name}:1: the key occurs twice$`) }, name)
  }
})
