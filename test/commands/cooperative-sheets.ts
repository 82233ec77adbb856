import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import t, { type Test } from 'tap'
import CooperativeExport from '../../commands/cooperative/export.ts'
import CooperativeImport from '../../commands/cooperative/import.ts'
import CooperativePriceHistory from '../../commands/cooperative/price-history.ts'
import CooperativeShow from '../../commands/cooperative/show.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { programCommand, runCoopshare, storeVariables } from '../../fixtures/program/serve.ts'
import {
  type CommandContext,
  noSeed,
  runnerOn,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
const projects = [
  { name: 'Dach "Süd", 1', type: 'rooftop', energy_category: 'solar', capacity_kw: 99.5 },
  {
    name: '=Stadel',
    type: 'rooftop',
    energy_category: 'solar',
    commissioned_on: '2019-05-14',
  },
]
const definitions = [
  {
    key: 'solar-allgaeu',
    name: 'Solar Allgäu eG',
    energy_category: 'solar',
    share_price: '250.00',
    entry_fee: '12.50',
    published: true,
    bafa_funded: true,
    postal_code: '01067',
    description: "=SUM(A1)\n'=quoted\n\tlast",
    coordinates: { latitude: 47.72670000000001, longitude: -10.3139 },
    creditor: {
      name: 'Solar Allgäu eG',
      creditor_id: 'DE98ZZZ09999999999',
      iban: 'DE02120300000000202051',
      notice_days: 5,
    },
    hero_image: 'hero.svg',
    projects: [{ ...projects[0], image: 'hero.svg' }, projects[1]],
  },
  { key: 'wind', name: 'Wind eG', energy_category: 'wind', share_price: '123456789012345.67' },
]
const header = 'key,name,energy_category,share_price'

const files = { 'first.json': JSON.stringify(definitions), 'hero.svg': svg }

withAndWithoutService(t, { files, seed: noSeed, test })

async function test(t: Test, { run, file, dataDirectory }: CommandContext<unknown>): Promise<void> {
  t.equal((await run(CooperativeImport, file('first.json'))).exitCode, 0)
  const stored = async () => (await run(CooperativeExport, '--json')).json
  const first = await stored()

  const exportTo = async (form: string) => {
    const name = file(`exported.${form}`)
    const argv = ['cooperative', 'export', '-o', form, '--data-dir', dataDirectory]
    const words = [
      'bash',
      '-c',
      'out=$1; shift; exec "$@" > "$out"',
      'bash',
      name,
      ...programCommand,
      ...argv,
    ]
    const { code, stderr } = await runCoopshare([], await storeVariables(dataDirectory), words)
    t.equal(code, 0, stderr)
    return name
  }

  await t.test(
    'an export as XLSX, CSV or YAML can be imported again and changes nothing',
    async (t) => {
      for (const form of ['xlsx', 'csv', 'yaml']) {
        const name = await exportTo(form)
        const again = await run(CooperativeImport, name, '--json')
        t.match(again.json, { created: 0, updated: 0, unchanged: 2 }, form)
      }
      t.strictSame(await stored(), first)
    },
  )

  await t.test(
    'an exported sheet creates the same catalogue in another store, without images',
    async (t) => {
      for (const form of ['xlsx', 'csv']) {
        const name = await exportTo(form)
        const elsewhere = runnerOn(join(t.testdir({}), 'data'))
        t.equal((await elsewhere(CooperativeImport, name)).exitCode, 0)
        const there = (await elsewhere(CooperativeExport, '--json')).json
        const { hero_image: _, projects: all, ...solar } = first[0]
        const plain = all.map(({ image, ...project }: { image: unknown }) => project)
        t.strictSame(there, [{ ...solar, projects: plain }, first[1]], form)
      }
    },
  )

  await t.test('a dry run shows each field that changes, and changes nothing', async (t) => {
    await writeFile(file('new.csv'), `${header}\nsolar-allgaeu,Solar Allgäu eG,solar,275\n`)
    const shown = await run(CooperativeImport, file('new.csv'), '--dry-run')
    t.match(
      shown.stdout,
      /new\.csv: row 2: cooperative solar-allgaeu: share_price 250\.00 -> 275\.00\nCooperatives: 0 new, 1 changed, 0 unchanged\.$/,
    )
    const { json } = await run(CooperativeImport, file('new.csv'), '--dry-run', '--json')
    const field = { field: 'share_price', before: '250.00', after: '275.00' }
    t.match(json, exactArrays({ dry_run: true, updated: 1, changes: [{ fields: [field] }] }))
    t.strictSame(await stored(), first)
  })

  await t.test(
    'fields without a column in the sheet keep their values, and so do images',
    async (t) => {
      t.match(
        (await run(CooperativeImport, file('new.csv'))).stdout,
        /updated\nCooperatives: 0 new, 1/,
      )
      const [solar] = await stored()
      t.strictSame(solar, { ...first[0], share_price: '275.00' })
      const { json } = await run(CooperativePriceHistory, 'solar-allgaeu', '--json')
      t.match(json[0], { old_price: '250.00', new_price: '275.00' })
    },
  )

  await t.test('an empty cell clears a field, and a JSON file replaces all fields', async (t) => {
    const whole = { ...first[1], city: 'Husum' }
    await writeFile(file('wind.json'), JSON.stringify([whole]))
    await writeFile(file('empty.csv'), `${header},description\nsolar-allgaeu,A,solar,275,\n`)
    const both = await run(CooperativeImport, file('empty.csv'), file('wind.json'), '--json')
    t.match(both.json, { updated: 2 })
    const [solar, wind] = await stored()
    t.match(solar, { name: 'A', hero_image: Object, projects: { length: 2 } })
    t.notOk('description' in solar)
    t.match(solar, { creditor: first[0].creditor })
    t.strictSame(wind, whole)
    await writeFile(file('none.csv'), `${header},creditor_id\nsolar-allgaeu,A,solar,275,\n`)
    t.equal((await run(CooperativeImport, file('none.csv'))).exitCode, 0)
    t.match((await run(CooperativeShow, 'solar-allgaeu', '--json')).json, { creditor: null })
    await run(CooperativeImport, file('first.json'))
  })

  await t.test('sheets from a German Excel can be read', async (t) => {
    const german = [
      'KEY;Name;energy_category;share_price;entry_fee;latitude;longitude;published;postal_code',
      'ulm;"Wärme; Ulm";heat;"1.250,50 €";0,5;48,4011;9,98;WAHR;89073',
    ].join('\r\n')
    const names = { 'utf8.csv': `\ufeff${german}`, 'latin.csv': Buffer.from(german, 'latin1') }
    // Windows-1252 has a euro sign, but Latin-1 has none.
    const windows = Buffer.from(german.replace('€', '\u0080'), 'latin1')
    const utf16 = Buffer.from(
      `\ufeff${german.replace('; Ulm', ' Ulm').replaceAll(';', '\t')}`,
      'utf16le',
    )
    for (const [name, content] of Object.entries({ ...names, 'latin.csv': windows })) {
      await writeFile(file(name), content)
      const { json } = await run(CooperativeImport, file(name), '--json')
      t.match(json, exactArrays({ cooperatives: [{ key: 'ulm', published: true }] }), name)
      const shown = (await run(CooperativeShow, 'ulm', '--json')).json
      t.match(shown, {
        name: 'Wärme; Ulm',
        share_price: '1250.50',
        entry_fee: '0.50',
        postal_code: '89073',
        coordinates: { latitude: 48.4011, longitude: 9.98 },
      })
    }
    await writeFile(file('utf16.csv'), utf16)
    t.equal((await run(CooperativeImport, file('utf16.csv'), '--dry-run')).exitCode, 0)
  })

  await t.test('spaces around a chosen value do not count, and a new key has none', async (t) => {
    const path = file('spaces.csv')
    await writeFile(path, `${header}\nspaced,A,solar ,1\n`)
    t.match(await run(CooperativeImport, path), { exitCode: 0 })
    await writeFile(path, `${header}\nspaced ,A,solar,2\n`)
    const refused = await run(CooperativeImport, path, '--json')
    t.match(refused.json.error.message, /spaces\.csv: row 2.*key.*spaces at its ends/)
    t.equal(refused.exitCode, 4)
  })

  await t.test('all errors name their row and column, and nothing is imported', async (t) => {
    const before = await stored()
    const rows: readonly [string, string, readonly RegExp[]][] = [
      [
        'values.csv',
        `${header},minimum_shares,latitude,longitude,project_name\n`.replace(',project_name', '') +
          'a,A,solar,cheap,1,,\nb,B,solr,"1.250",x,"1,250",1\nc,,solar,0,0,91,1\nd,D,solar,5,,1,\n',
        [
          /row 2, column D \(share_price\): must be an amount/,
          /row 3, column C \(energy_category\): must be solar/,
          /row 3, column D \(share_price\): can be read in two ways/,
          /row 3, column E \(minimum_shares\): must be a/,
          /row 3, column F \(latitude\): can be read in two ways/,
          /row 4, column B \(name\): must not be blank/,
          /row 4, column D \(share_price\): must be greater than zero/,
          /row 4, column E \(minimum_shares\): must be a whole number, at least 1/,
          /row 4, column F \(latitude\): must be a number, at most 90/,
          /row 5, column G \(longitude\): /,
        ],
      ],
      [
        'header.csv',
        'key,name,prize,key\na,A,1,b\n',
        [
          /row 1, column C: is not the name of a column/,
          /row 1, column D: the column key occurs twice/,
          /row 1: has no column energy_category, share_price/,
          /cooperative export/,
        ],
      ],
      [
        'creditor.csv',
        `${header},creditor_name,creditor_id,creditor_iban\na,A,solar,1,A,DE97ZZZ09999999999,\n`,
        [
          /row 2, column F \(creditor_id\): must be a creditor identifier with correct check digits/,
          /row 2, column G \(creditor_iban\): /,
        ],
      ],
      ['keys.csv', `${header}\n,A,solar,1\n`, [/row 2, column A \(key\): must not be blank/]],
      ['wide.csv', `${header}\na,A,solar,1,50\n`, [/row 2, column E: is beyond the last column/]],
      ['open.csv', `${header}\na,"A,solar,1\n`, [/row 2: a quotation mark/]],
      [
        'twice.csv',
        `${header}\na,A,solar,1\na,B,solar,1\n`,
        [/row 2, column B \(name\): differs from row 3/],
      ],
      [
        'taken.csv',
        `${header},id\na,A,solar,1,${before[1].id}\n`,
        [/row 2, column E \(id\): belongs to another cooperative/],
      ],
    ]
    for (const [name, content, patterns] of rows) {
      await writeFile(file(name), content)
      const refused = await run(CooperativeImport, file(name))
      t.equal(refused.exitCode, 4, name)
      for (const pattern of patterns) t.match(refused.stderr, pattern, name)
      if (name === 'values.csv') t.equal(refused.stderr.trim().split('\n').length, patterns.length)
    }
    t.strictSame(await stored(), before)
  })

  await t.test(
    'formulas, dates and numbers of a workbook are read or refused cell by cell',
    async (t) => {
      const names = ['key', 'name', 'energy_category', 'share_price', 'postal_code']
      const ofProject = ['name', 'type', 'energy_category', 'city', 'capacity_kw']
      const more = ['annual_yield_mwh', 'co2_savings_tons', 'commissioned_on']
      const all = [...names, ...[...ofProject, ...more].map((name) => `project_${name}`)]
      const project = ['Dach', 'roof', 'solar', null, 1.5, null, null, new Date('2020-02-03')]
      const sheet = (rows: (string | number | Date | null)[][], cells = new Map()) =>
        writeXlsx({ sheets: [{ name: 'Tabelle1', rows: [all, ...rows], cells }] })
      const formula = (value: number | undefined) => ({
        type: 'formula' as const,
        formula: '100*1.1',
        ...(value !== undefined && { value, formulaResult: value }),
      })
      const good = await sheet(
        [[4711, 'Numbers eG', 'solar', 0, 80331, ...project]],
        new Map([['1,3', formula(110.00000000000001)]]),
      )
      await writeFile(file('good.xlsx'), good)
      t.match((await run(CooperativeImport, file('good.xlsx'), '--json')).json, { created: 1 })
      const { json } = await run(CooperativeShow, '4711', '--json')
      const dated = { commissioned_on: '2020-02-03', capacity_kw: 1.5 }
      const numbers = { share_price: '110.00', postal_code: '80331' }
      t.match(json, exactArrays({ ...numbers, projects: [dated] }))
      const bad = await sheet([
        [new Date('2020-01-02'), 'A', 'solar', 1, null],
        ['b', 'B', 'solar', 1, 1067],
      ])
      await writeFile(file('bad.xlsx'), bad)
      const refused = await run(CooperativeImport, file('bad.xlsx'))
      t.match(refused.stderr, /bad\.xlsx: row 2, column A \(key\): is a date/)
      const zero = await sheet([['b', 'B', 'solar', 1, 1067]])
      await writeFile(file('zero.xlsx'), zero)
      const lost = await run(CooperativeImport, file('zero.xlsx'))
      t.match(lost.stderr, /row 2, column E \(postal_code\): may have lost a zero/)
    },
  )

  await t.test('a damaged workbook and a zip bomb are refused with a clear message', async (t) => {
    const good = await writeXlsx({ sheets: [{ name: 'a', rows: [['key']] }] })
    const bomb = Buffer.from(good)
    // The first entry of the zip directory now declares more bytes than any sheet has.
    bomb.writeUInt32LE(2 ** 31, bomb.indexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24)
    const undeclared = Buffer.from(good)
    undeclared.writeUInt32LE(0, undeclared.indexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24)
    const contents = {
      'text.xlsx': 'key,name',
      'old.xlsx': Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0]),
      'cut.xlsx': Buffer.from(good).subarray(0, -30),
      'bomb.xlsx': bomb,
      'undeclared.xlsx': undeclared,
      'nul.csv': Buffer.from('key,name\0'),
    }
    for (const [name, content] of Object.entries(contents)) {
      await writeFile(file(name), content)
      const refused = await run(CooperativeImport, file(name), '--json')
      t.equal(refused.exitCode, 4, name)
      t.match(refused.json.error, { code: 'VALIDATION_ERROR', message: /save it as/ }, name)
    }
  })
}

t.test('in production an import asks before it changes a cooperative', async (t) => {
  const folder = t.testdir({
    'a.csv': `${header}\na,A,solar,1\n`,
    'b.csv': `${header}\na,A,solar,2\n`,
  })
  const at = (name: string) => join(folder, name)
  const run = runnerOn(join(folder, 'data'))
  const flags = ['--environment', 'production']
  const created = await run(CooperativeImport, at('a.csv'), ...flags)
  t.equal(created.exitCode, 0, created.stderr)
  const refused = await run(CooperativeImport, at('b.csv'), ...flags, '--json')
  t.match(refused.json.error, { code: 'CONFIRMATION_REQUIRED', message: '1 cooperative' })
  const changed = await run(CooperativeImport, at('b.csv'), ...flags, '--yes', '--json')
  t.match(
    changed.json,
    exactArrays({ updated: 1, changes: [{ fields: [{ field: 'share_price' }] }] }),
  )
})
