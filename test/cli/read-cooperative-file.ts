import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createEmptyService } from '../../fixtures/world/fixture-files.ts'
import { readCooperativeFiles } from '../../src/cli/read-cooperative-file.ts'
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

// Work that grows with the square of the rows of a key would end this file by its timeout.
t.test('a sheet may have any number of rows with the same key', async (t) => {
  const header = 'key,name,energy_category,share_price'
  const rows = [`sun,Sonne eG,solar,100.00`, ...Array.from({ length: 300_000 }, () => 'sun,,,')]
  const folder = t.testdir({ 'a.csv': [header, ...rows].join('\n') })
  const { input } = await readCooperativeFiles([join(folder, 'a.csv')])
  t.match(input.cooperatives, exactArrays([{ key: 'sun', name: 'Sonne eG' }]))
})

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

t.test('images are read, and refusals of the service name the line', async (t) => {
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
