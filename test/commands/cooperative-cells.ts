import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import CooperativeImport from '../../commands/cooperative/import.ts'
import CooperativeShow from '../../commands/cooperative/show.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { runnerOn } from '../../fixtures/program/with-and-without-service.ts'
import { workbookOf } from '../../fixtures/workbook.ts'

const folder = t.testdir({})
const run = runnerOn(join(folder, 'data'))

async function importFile(name: string, content: string | Buffer) {
  await writeFile(join(folder, name), content)
  return run(CooperativeImport, join(folder, name), '--json')
}

type Format = string | number

/** A number with its format, a cell in XML, or a text. */
type Given =
  | readonly [value: number, format: Format, formula?: string]
  | { readonly xml: string }
  | string
  | number

/** Imports a workbook with one cooperative. */
async function importRow(name: string, given: Readonly<Record<string, Given>>) {
  const row = {
    key: name,
    name: 'Sonne eG',
    energy_category: 'solar',
    share_price: 250,
    ...given,
  }
  const formats: Format[] = []
  const render = (cell: Given) => {
    if (typeof cell === 'string') return `<c t="inlineStr"><is><t>${cell}</t></is></c>`
    if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
    if (!('length' in cell)) return cell.xml
    const [value, format, formula = ''] = cell
    formats.push(format)
    return `<c s="${formats.length}"><f>${formula}</f><v>${value}</v></c>`
  }
  const rows = [Object.keys(row), Object.values(row)]
    .map((cells) => `<row>${cells.map(render).join('')}</row>`)
    .join('')
  return importFile(`${name}.xlsx`, workbookOf({ sheets: [{ rows }], formats }))
}

async function refuses(t: Test, given: Readonly<Record<string, Given>>, fault: RegExp) {
  const { json, exitCode } = await importRow('refused', given)
  t.equal(exitCode, 4, JSON.stringify(given))
  t.match(json.error?.message, fault, JSON.stringify(given))
}

async function stores(
  t: Test,
  given: Readonly<Record<string, Given>>,
  expected: Readonly<Record<string, unknown>>,
) {
  const { stdout, exitCode } = await importRow('stored', given)
  t.equal(exitCode, 0, `${JSON.stringify(given)} ${stdout}`)
  t.match((await run(CooperativeShow, 'stored', '--json')).json, expected, JSON.stringify(given))
}

const project = {
  project_name: 'Dach',
  project_type: 'roof',
  project_energy_category: 'solar',
  project_city: '',
  project_annual_yield_mwh: '',
  project_co2_savings_tons: '',
}
const plant = (capacity: Given, commissioned: Given = '') => ({
  ...project,
  project_capacity_kw: capacity,
  project_commissioned_on: commissioned,
})

t.test('a percentage is read as it is shown', async (t) => {
  const rates: readonly [Given, number][] = [
    [[0.045, '0.0%'], 4.5],
    [[0.045, 10], 4.5],
    [[0.07, 9], 7],
    [[0.045000000000000005, '0.0%', '0.9*0.05'], 4.5],
    [[0.0325, '0.00\\ %;[Red]\\-0.00\\ %'], 3.25],
    [[4.5, '0.0"%"'], 4.5],
    [[4.5, '0.00'], 4.5],
    [4.5, 4.5],
    ['4,5 %', 4.5],
    ['4.5\u00a0%', 4.5],
  ]
  for (const [rate, expected] of rates) {
    await stores(t, { dividend_rate_percent: rate }, { dividend_rate_percent: expected })
  }
  for (const [mark, delimiter] of [
    [',', ';'],
    ['.', ','],
  ] as const) {
    const lines = [
      ['key', 'name', 'energy_category', 'share_price', 'dividend_rate_percent'],
      ['stored', 'A', 'solar', '1', `3${mark}5 %`],
    ]
    const csv = lines.map((cells) => cells.join(delimiter)).join('\n')
    t.equal((await importFile('rate.csv', csv)).exitCode, 0)
    t.match((await run(CooperativeShow, 'stored', '--json')).json, { dividend_rate_percent: 3.5 })
  }
})

t.test('a percentage in any other column is refused, and its cell is named', async (t) => {
  const percentage = /row 2, column D.*: is a percentage: enter a plain number/
  await refuses(t, { share_price: [2.5, '0%'] }, percentage)
  await refuses(t, { share_price: '250 %' }, percentage)
  const last = /row 2, column E.*: is a percentage: enter a plain number/
  await refuses(t, { minimum_shares: [1, 9] }, last)
  await refuses(t, { latitude: [0.5, '0%'], longitude: 1 }, last)
  await refuses(t, { postal_code: [89073, '0%'] }, /column E.*format the cell as text/)
  await refuses(t, { published: [1, '0%'] }, /row 2, column E \(published\)/)
  await refuses(t, plant([0.5, 10]), /row 2, column K \(project_capacity_kw\): is a percentage/)
})

t.test('an amount in euros is read, and another currency is refused', async (t) => {
  const euros: readonly Format[] = [
    '#,##0.00\\ "€"',
    '#,##0.00 [$€-407]',
    '[$€-2]\\ #,##0.00',
    '#,##0.00 €',
    '0.00" EUR"',
    '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-',
    '#,##0.00\\ [$€-407];[RED]\\-#,##0.00\\ [$€-407]',
    '#,##0.--\\ [$€-407]',
    '0.00',
    4,
    2,
    0,
    'General',
    '@',
    '0.00E+00',
    '[Blue]#,##0.00',
  ]
  for (const format of euros) {
    await stores(t, { share_price: [250.5, format] }, { share_price: '250.50' })
  }
  const others: readonly Format[] = [
    ...[
      '[$CHF-807]\\ #,##0.00',
      '"$"#,##0.00',
      '$#,##0.00',
      '[$$-409]#,##0.00',
      '[$£-809]#,##0.00',
    ],
    '#,##0.00\\ [$Kč-405]',
    '#,##0.00\\ "zł"',
    '0.00" ct"',
    '[$USD] 0.00',
    5,
    7,
    '[>=1000]#,##0.00\\ "€";#,##0.00\\ "$"',
    '#,##0.00\\ "T€"',
    '0.00" kW"',
  ]
  for (const format of others) {
    await refuses(t, { share_price: [250, format] }, /row 2, column D \(share_price\): /)
  }
  await refuses(t, { minimum_shares: [5, '0 "€"'] }, /column E.*unit or currency/)
  await refuses(t, { share_price: '250 $' }, /column D.*unit or currency/)
})

t.test('a number with another unit, or with fewer digits, is refused', async (t) => {
  for (const format of ['0.0" kWp"', '0.0\\ "kW"', '#,##0.0', '# ?/?', 12]) {
    await stores(t, plant([4.5, format]), { projects: [{ capacity_kw: 4.5 }] })
  }
  const misleading: readonly Format[] = [
    ...[
      '0.0" MW"',
      '#,##0,',
      '0.0,,',
      '0"000"',
      ';;;',
      '0.0‰',
      '"-"0',
      '0\\.0',
      '00\\-00',
      'TT.MM.JJJJ',
    ],
  ]
  for (const format of misleading) {
    await refuses(t, plant([4500, format]), /row 2, column K \(project_capacity_kw\): /)
  }
  await refuses(t, plant('4,5 MW'), /row 2, column K \(project_capacity_kw\): .*unit/)
})

t.test('a number in a text column is read with the zeros that are shown', async (t) => {
  await stores(t, { postal_code: [1067, '00000'] }, { postal_code: '01067' })
  await stores(t, { postal_code: [1010, '0000'] }, { postal_code: '1010' })
  await stores(
    t,
    { postal_code: { xml: '<c t="str"><f>A1</f><v>01067</v></c>' } },
    { postal_code: '01067' },
  )
  await stores(t, { city: [7, '000'] }, { city: '007' })
  await stores(
    t,
    { city: [4711, 'General'], energy_type: [4711, '@'] },
    { city: '4711', energy_type: '4711' },
  )
  for (const format of [11, '#,##0', '0.00', '# ?/?', '000\\-000', 9, '0.0" €"']) {
    await refuses(
      t,
      { city: [12000, format] },
      /column E \(city\): is a number.*format the cell as text/,
    )
  }
  await refuses(t, { postal_code: [1067, '0'] }, /may have lost a zero/)
  await refuses(t, { postal_code: [1067, '"D-"00000'] }, /column E.*format the cell as text/)
  await refuses(t, { city: [1234567890123450, 1] }, /column E.*format the cell as text/)
  await refuses(
    t,
    { city: { xml: '<c t="str" s="1"><v>1</v></c>' }, energy_type: [1, '0;0;0;@" x"'] },
    /column E \(city\): has a format that adds text/,
  )
})

t.test('dates, times and boolean values are not read as numbers', async (t) => {
  const dates: readonly Format[] = [
    'dd\\.mm\\.yyyy',
    14,
    15,
    22,
    'yyyy-mm-dd',
    '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy',
    '[$-407]d/\\ mmmm\\ yyyy;@',
    '[$-411]ge.m.d;@',
  ]
  for (const format of dates) {
    const expected = { projects: [{ commissioned_on: '2019-05-14' }] }
    await stores(t, plant(1, [43599, format]), expected)
  }
  const strict = { xml: '<c t="d"><v>2019-05-14T00:00:00.000Z</v></c>' }
  await stores(t, plant(1, strict), { projects: [{ commissioned_on: '2019-05-14' }] })
  const partial = /column L \(project_commissioned_on\): is a date that is shown only in part/
  for (const format of [16, 17, 'yyyy', 'd. mmmm'])
    await refuses(t, plant(1, [43599, format]), partial)
  const time = /column L \(project_commissioned_on\): is a time or a duration/
  for (const format of [20, 46, '[h]:mm', 'mm:ss', 18])
    await refuses(t, plant(1, [1.5, format]), time)
  await refuses(t, plant(1, [0, 14]), /column L.*: is not a date/)
  await refuses(t, plant(1, 43599), /column L.*: must be a date/)
  await refuses(t, plant([43599, 14]), /column K.*: is a date: format the cell as a number/)
  await refuses(t, plant([0.25, 20]), /column K.*: is a time/)
  await refuses(
    t,
    { share_price: [43599, 14] },
    /column D.*: is a date: format the cell as a number/,
  )
  const yes = { xml: '<c t="b"><v>1</v></c>' }
  await refuses(t, plant(yes), /column K.*: must be a number/)
  await refuses(t, { share_price: yes }, /column D.*: must be an amount/)
  await refuses(t, { city: yes }, /column E.*: is a number or a boolean value/)
  const flags: readonly [Given, boolean][] = [
    [yes, true],
    [{ xml: '<c t="b"><f>FALSE()</f><v>0</v></c>' }, false],
    [[1, '"TRUE";"TRUE";"FALSE"'], true],
    [[0, '"WAHR";"WAHR";"FALSCH"'], false],
    [[1, '"nein";;"ja"'], false],
    [1, true],
  ]
  for (const [published, expected] of flags) await stores(t, { published }, { published: expected })
  await refuses(t, { published: [1, '0.00" €"'] }, /column E \(published\): /)
})

t.test('a workbook from LibreOffice is read as it is shown', async (t) => {
  const workbook = await readFile('fixtures/workbooks/libreoffice.xlsx')
  t.equal((await importFile('libreoffice.xlsx', workbook)).exitCode, 0)
  const { json } = await run(CooperativeShow, 'lo', '--json')
  const quantities = { capacity_kw: 99.5, annual_yield_mwh: 1234.5, co2_savings_tons: 0.25 }
  t.match(
    json,
    exactArrays({
      name: 'Sonne Allgäu eG',
      share_price: '250.50',
      entry_fee: '50.10',
      city: null,
      dividend_rate_percent: 4.5,
      published: true,
      bafa_funded: true,
      postal_code: '01067',
      projects: [{ ...quantities, city: null, commissioned_on: '2019-05-14' }],
    }),
  )
})

t.test('a formula whose result is an empty text leaves its cell empty', async (t) => {
  const city = { city: null }
  const empty = [
    '<c t="str"><f>IF(A2="","",A2)</f><v></v></c>',
    '<c t="str"><f>IF(A2="","",A2)</f><v/></c>',
    '<c t="str"><f>IF(A2="","",A2)</f></c>',
    '<c t="str"><f t="shared" si="0"/><v></v></c>',
    '<c t="str"><f>A2</f><v>  </v></c>',
    '<c t="str"><v></v></c>',
    '<c t="inlineStr"><is><t/></is></c>',
    '<c t="inlineStr"><is><t xml:space="preserve">\u00a0\u200b</t></is></c>',
    '<c t="inlineStr"><is><r><t> </t></r></is></c>',
    '<c><v/></c>',
    '<c/>',
  ]
  for (const xml of empty) await stores(t, { city: { xml } }, city)
  const blanks = (count: number) => `<row>${empty[0]?.repeat(count)}</row>`
  const rows = table('rest') + blanks(101) + blanks(1).repeat(5001)
  const { exitCode } = await importFile('rest.xlsx', workbookOf({ sheets: [{ rows }] }))
  t.equal(exitCode, 0, 'formulas below and beside the table are no rows and columns')
  const text = '<c t="inlineStr"><is><r><t>Kemp</t></r><r><rPr><b/></rPr><t>ten</t></r></is></c>'
  await stores(t, { city: { xml: text } }, { city: 'Kempten' })
  const unsaved = /column E \(city\): has a formula without a stored result/
  for (const xml of ['<c><f>A2</f></c>', '<c><f>A2</f><v/></c>', '<c><f t="shared" si="0"/></c>'])
    await refuses(t, { city: { xml } }, unsaved)
  const error = /column E \(city\): contains an error of the spreadsheet program/
  for (const xml of [
    '<c t="e"><v>#N/A</v></c>',
    '<c t="e"><f>A2/0</f><v>#DIV/0!</v></c>',
    '<c t="str"><f>A2</f><v>#BEZUG!</v></c>',
    '<c t="inlineStr"><is><t>#NV</t></is></c>',
  ])
    await refuses(t, { city: { xml } }, error)
  await stores(
    t,
    { city: { xml: '<c t="str"><f>A2</f><v>#1 Kempten</v></c>' } },
    { city: '#1 Kempten' },
  )
  const csv = 'key,name,energy_category,share_price,city\nrefused,A,solar,1,#NV\n'
  t.match((await importFile('error.csv', csv)).json.error.message, error)
})

t.test('shared texts are read without their pronunciation', async (t) => {
  const texts = ['key', 'name', 'energy_category', 'share_price', 'city', 'stored', 'solar']
  const simple = texts.map((text) => `<si><t>${text}</t></si>`)
  const rich =
    '<si><r><t>東</t></r><r><t xml:space="preserve">京 </t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>'
  const cell = (index: number) => `<c t="s"><v>${index}</v></c>`
  const row = [5, 7, 6].map(cell).join('')
  const rows = `<row>${[0, 1, 2, 3, 4].map(cell).join('')}</row><row>${row}<c><v>1</v></c>${cell(8)}</row>`
  const content = workbookOf({
    sheets: [{ rows }],
    sharedStrings: `${simple.join('')}${rich}<si><t/></si>`,
  })
  t.equal((await importFile('shared.xlsx', content)).exitCode, 0)
  t.match((await run(CooperativeShow, 'stored', '--json')).json, { name: '東京', city: null })
})

const table = (key: string) =>
  `<row>${['key', 'name', 'energy_category', 'share_price'].map(inline).join('')}</row><row>${[key, 'A', 'solar'].map(inline).join('')}<c><v>1</v></c></row>`
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`

t.test('of a workbook, the first sheet that is shown is read', async (t) => {
  for (const state of ['hidden', 'veryHidden']) {
    const sheets = [
      { rows: table('unseen'), attributes: `state="${state}"` },
      { rows: table(`seen-${state.toLowerCase()}`) },
      { rows: table('later') },
    ]
    const { json } = await importFile('hidden.xlsx', workbookOf({ sheets }))
    t.match(json, exactArrays({ cooperatives: [{ key: `seen-${state.toLowerCase()}` }] }))
  }
  const notes = [
    { rows: table('unseen'), attributes: 'state="hidden"' },
    { rows: `<row>${inline('Notes')}</row>` },
    { rows: table('later') },
  ]
  const other = await importFile('notes.xlsx', workbookOf({ sheets: notes }))
  t.match(
    other.json.error.message,
    /Of the 3 sheets, only the first one that is shown is read: sheet 2/,
  )
  const chart = [{ kind: 'chartsheet' as const, rows: '' }, { rows: table('behind') }]
  const behind = await importFile('chart.xlsx', workbookOf({ sheets: chart }))
  t.match(
    behind.json.error.message,
    /chart\.xlsx: sheet 1, the first one that is shown, has no cells: move it behind the table/,
  )
  const none = [{ rows: table('unseen'), attributes: 'state="hidden"' }]
  const refused = await importFile('none.xlsx', workbookOf({ sheets: none }))
  t.match(refused.json.error.message, /none\.xlsx: has no sheet that is shown/)
})

t.test('a first line with the delimiter is read and not a row', async (t) => {
  const lines = (mark: string) => [
    ['key', 'name', 'energy_category', 'share_price'].join(mark),
    ['stored', 'Sonne', 'solar', '"2,50"'].join(mark),
  ]
  for (const [first, mark, end] of [
    ['sep=;', ';', '\n'],
    ['\ufeffsep=;', ';', '\r\n'],
    ['SEP=,', ',', '\n'],
    ['"sep=|"', '|', '\r'],
    ['sep=\t', '\t', '\n'],
    ['sep=;;;;', ';', '\r\n'],
  ] as const) {
    const content = [first, ...lines(mark)].join(end)
    const { exitCode, stdout } = await importFile('separator.csv', content)
    t.equal(exitCode, 0, `${JSON.stringify(first)} ${stdout}`)
  }
  const wrong = `sep=;\n${lines(';').join('\n').replace('solar', 'sun')}`
  t.match(
    (await importFile('separator.csv', wrong)).json.error.message,
    /row 2, column C \(energy_category\)/,
  )
})

t.test(
  'text in an encoding that cannot be known is refused, with the way to save it',
  async (t) => {
    const header = 'key;name;energy_category;share_price\n'
    const bytesOf = (name: string) => Buffer.from(`${header}stored;${name};solar;1\n`, 'latin1')
    const swapped = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
    const names: readonly [string, string][] = [
      ['Allg\xe4u', 'Allgäu'],
      ['\x84Stra\xdfe\x93 \x96 \x80 5', '„Straße“ – € 5'],
      ['\x84Spa\xdf\x93 f\xfcr', '„Spaß“ für'],
      ['\x8akoda \x86 \x89 \x99\x95', 'Škoda † ‰ ™•'],
      ['Milo\x9a', 'Miloš'],
      ['l\x92\xcele', 'l’Île'],
      ['\x84A\x94, \x82B\x91 und\x85so 5\x80', '„A”, ‚B‘ und…so 5€'],
      [
        '\xa9 Sonne\x99 eG\xae, \x9bWind\x8b \xb2\xb9 \xa7 5 \x97 10\xa0m\xb3/h',
        '© Sonne™ eG®, ›Wind‹ ²¹ § 5 — 10\u00a0m³/h',
      ],
      ['\xbfCaf\xe9? S\xfcd\x86 \x85 Karl\x92s \xd3 \x8c', '¿Café? Süd† … Karl’s Ó Œ'],
    ]
    for (const [bytes, name] of names) {
      t.equal((await importFile('windows.csv', bytesOf(bytes))).exitCode, 0, name)
      t.equal((await run(CooperativeShow, 'stored', '--json')).json.name, name)
    }
    const text = `${header}stored;Łódź Süd;solar;1\n`
    for (const content of [
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      swapped(text),
      Buffer.from(text),
    ]) {
      t.equal((await importFile('unicode.csv', content)).exitCode, 0)
      t.equal((await run(CooperativeShow, 'stored', '--json')).json.name, 'Łódź Süd')
    }
    const before = (await run(CooperativeShow, 'stored', '--json')).json
    const inMac =
      'Allgäu|Hauptstraße|Größe|BÄR|MÖHRE|Ärzte|Ökostrom|Übung|rein ökologisch|Strom über Nacht|École|Café|Menü|Am Fuß|Karl’s|Solar – Wind|5 €'
    const inDos = 'Süd|Allgäu|Möhne|BÄR|Ökostrom|Übung|rein ökologisch|Café|Hauptstraße|España'
    const letters = {
      Mac: 'Ä\x80É\x83Ö\x85Ü\x86ä\x8aé\x8eö\x9aü\x9fß\xa7–\xd0’\xd5€\xdb',
      DOS: 'ü\x81é\x82ä\x84Ä\x8eö\x94Ö\x99Ü\x9añ\xa4ß\xe1',
    }
    const encode = (texts: string, encoding: keyof typeof letters) =>
      texts.split('|').map((text) => {
        const name = text.replace(/[^ -~]/g, (character) => {
          const [, byte = ''] = letters[encoding].split(character)
          return byte.charAt(0)
        })
        return [`${encoding}, ${text}`, bytesOf(name)] as const
      })
    const others: Readonly<Record<string, Buffer>> = {
      ...Object.fromEntries([...encode(inMac, 'Mac'), ...encode(inDos, 'DOS')]),
      'Latin-9, €': bytesOf('5 \xa4'),
      'Latin-9, Š': bytesOf('\xa6koda'),
      'Central Europe, Łódź': bytesOf('\xa3\xf3d\x9f'),
      'Central Europe, ż': bytesOf('Bo\xbfena'),
      'Latin-2, ž': bytesOf('Bo\xbeena'),
      'UTF-8 and Windows-1252': bytesOf('Allg\xc3\xa4u, Allg\xe4u'),
      'UTF-16 without a mark': Buffer.from(text, 'utf16le'),
      'UTF-16 that was cut': Buffer.from(`\ufeff${text}`, 'utf16le').subarray(0, -1),
      'UTF-32': Buffer.concat(
        [...`\ufeff${text}`].map((character) => {
          const four = Buffer.alloc(4)
          four.writeUInt32LE(character.codePointAt(0) ?? 0)
          return four
        }),
      ),
    }
    for (const [name, content] of Object.entries(others)) {
      const { json, exitCode } = await importFile('other.csv', content)
      t.equal(exitCode, 4, name)
      t.match(json.error.message, /other\.csv: is not UTF-8 text: save it as "CSV UTF-8"/, name)
    }
    const lost = await importFile('lost.csv', Buffer.from(`${header}stored;Allg\ufffdu;solar;1\n`))
    t.match(lost.json.error.message, /row 2, column B \(name\): .*U\+FFFD/)
    t.strictSame((await run(CooperativeShow, 'stored', '--json')).json, before)
  },
)
