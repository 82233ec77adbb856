import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { applyFixtureFile, createEmptyService } from '../../fixtures/world/fixture-files.ts'
import { readFixtureFiles } from '../../src/cli/read-fixture-files.ts'
import type { Problem } from '../../src/domain/problem.ts'

const cooperative = `
  - key: sun
    name: Sonne eG
    energy_category: solar
    share_price: 100`

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

/** Returns the error for files in a folder, without the name of the folder. */
async function refusalOf(folder: string, ...names: readonly string[]): Promise<string[]> {
  const files = names.map((name) => join(folder, name))
  const problem = await readFixtureFiles(files).then(
    () => undefined,
    (error: Problem) => error,
  )
  return problem?.message.replaceAll(`${folder}/`, '').split('\n') ?? []
}

async function refusalOfText(t: Test, text: string | Buffer): Promise<string[]> {
  return refusalOf(t.testdir({ 'demo.yaml': text }), 'demo.yaml')
}

t.test('an error on line 40 names file, line and path', async (t) => {
  const text = `organizations:
  - name: Demo Bank
    clients:
      - name: full
${'      # more\n'.repeat(34)}      - name: catalogue
        scops: [cooperatives:read]
`
  t.strictSame(await refusalOfText(t, text), [
    'demo.yaml:40: organizations[0].clients[1].scops: unknown key',
  ])
})

t.test('each error names its place in the file', async (t) => {
  const rows: readonly [string, string, string][] = [
    ['no YAML', 'organizations:\n  - name: "Demo', 'demo.yaml:2: a quote is not closed'],
    ['a key twice', 'organizations: []\norganizations: []', 'demo.yaml:2: the key occurs twice'],
    [
      'two documents',
      'organizations: []\n---\n',
      'demo.yaml:2: a second document starts here: use only one',
    ],
    ['nothing', '', 'demo.yaml:1: must be an object'],
    ['a list', '- name: Demo Bank', 'demo.yaml:1: must be an object'],
    [
      'a missing key',
      '# first\norganizations:\n  - investor_mail: true',
      'demo.yaml:3: organizations[0].name: is required',
    ],
    [
      'a number for a name',
      'organizations:\n  - name: 12',
      'demo.yaml:2: organizations[0].name: must be text: put it in quotes',
    ],
    [
      'a key of all objects',
      'organizations:\n  - name: A\n    __proto__: {}',
      'demo.yaml:3: organizations[0].__proto__: unknown key',
    ],
    [
      'a draft',
      'organizations:\n  - name: A\n    investors:\n      - partner_customer_ref: c\n        share_purchases:\n          - { cooperative: sun, share_count: 1, status: draft }',
      'demo.yaml:6: organizations[0].investors[0].share_purchases[0].status: must be submitted, approved, settled, rejected or cancelled',
    ],
    [
      'behind an alias',
      'organizations:\n  - &one\n    name: 1\n  - *one',
      'demo.yaml:3: organizations[0].name: must be text: put it in quotes',
    ],
  ]
  for (const [title, text, start] of rows) {
    const [line = ''] = await refusalOfText(t, text)
    t.equal(line.slice(0, start.length), start, title)
  }
})

t.test('a file in another encoding than UTF-8 or UTF-16 with its mark is refused', async (t) => {
  const text = 'organizations:\n  - name: Süd\n    kind: bank\n'
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  const unknown = ['demo.yaml:3: organizations[0].kind: unknown key']
  for (const content of [utf16, Buffer.from(utf16).swap16(), `\ufeff${text}`, text])
    t.match(await refusalOfText(t, content), exactArrays(unknown))
  const others = [
    Buffer.from(text, 'latin1'),
    Buffer.from(text.replace('ü', '\x81'), 'latin1'),
    Buffer.from(text, 'utf16le'),
    utf16.subarray(0, -1),
    Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
  ]
  const fault = ['demo.yaml: is not UTF-8 text: save it with the encoding UTF-8']
  for (const content of others) t.match(await refusalOfText(t, content), exactArrays(fault))
})

t.test('files beyond the limit of one write are refused before they are parsed', async (t) => {
  const folder = t.testdir({ 'large.yaml': '' })
  const file = join(folder, 'large.yaml')
  truncateSync(file, 128 * 1024 * 1024 + 1)
  await t.rejects(readFixtureFiles([file]), {
    code: 'PAYLOAD_TOO_LARGE',
    message: /large\.yaml is larger than 128 MiB.*Nothing was changed\. Split the data/,
  })
})

t.test('several files with their images count together', async (t) => {
  const image = svg.replace('/>', `>${' '.repeat(2000)}</svg>`)
  const text = `cooperatives:${cooperative}\n    logo_image: logo.svg\n`
  const folder = t.testdir({
    'a.yaml': text,
    'b.yaml': text.replace('key: sun', 'key: wind'),
    'logo.svg': image,
  })
  const files = ['a.yaml', 'b.yaml'].map((name) => join(folder, name))
  const { input } = await readFixtureFiles(files.slice(0, 1), { largest: 4000 })
  t.equal(input.cooperatives?.length, 1, 'a single file is not too large')
  await t.rejects(readFixtureFiles(files, { largest: 4000 }), {
    code: 'PAYLOAD_TOO_LARGE',
    message: /Together the files are larger than 128 MiB/,
  })
})

t.test('aliases that would fill the memory are refused', async (t) => {
  const levels = Array.from({ length: 20 }, (_, index) =>
    index === 0 ? 'a0: &a0 [x]' : `a${index}: &a${index} [*a${index - 1}, *a${index - 1}]`,
  )
  t.match(await refusalOfText(t, levels.join('\n')), exactArrays([/^demo\.yaml: .*alias/i]))
})

t.test('the errors of all files are reported together, up to a limit', async (t) => {
  const folder = t.testdir({
    'a.yaml': 'organizations:\n  - nam: A',
    'b.json': '{\n\t"cooperatives": [\n\t\t{ "key": "sun" }\n\t]\n}',
    'd.yaml': 'cooperatives:\n  - { co2_savings_tons: 1, DE89370400440532013000: 1 }\n',
    'c.yaml': `organizations:\n${'  - {}\n'.repeat(30)}`,
  })
  t.match(
    await refusalOf(folder, 'a.yaml', 'b.json'),
    exactArrays([
      'a.yaml:2: organizations[0].name: is required',
      'a.yaml:2: organizations[0].nam: unknown key',
      'b.json:3: cooperatives[0].name: is required',
      'b.json:3: cooperatives[0].energy_category: is required',
      'b.json:3: cooperatives[0].share_price: ',
    ]),
  )
  t.strictSame((await refusalOf(folder, 'd.yaml')).slice(-2), [
    'd.yaml:2: cooperatives[0].co2_savings_tons: unknown key',
    'd.yaml:2: cooperatives[0].…: unknown key',
  ])
  t.equal((await refusalOf(folder, 'c.yaml')).at(-1), '... and 10 more')
})

t.test('images are read relative to the file', async (t) => {
  const folder = t.testdir({
    'demo.yaml': `cooperatives:${cooperative}
    logo_image: img/logo.svg
    projects:
      - { name: Dach, type: roof, energy_category: solar, image: ./img/../img/logo.svg }`,
    img: { 'logo.svg': svg },
  })
  const { input } = await readFixtureFiles([join(folder, 'demo.yaml')])
  const image = { content_type: 'image/svg+xml', base64: Buffer.from(svg).toString('base64') }
  t.match(input, exactArrays({ cooperatives: [{ logo_image: image, projects: [{ image }] }] }))
})

t.test('an image of a wrong kind or size is refused', async (t) => {
  const folder = t.testdir({
    'secret.svg': svg,
    inside: {
      'link.svg': t.fixture('symlink', '../secret.svg'),
      'page.html': '<html/>',
      'lie.png': svg,
      'large.svg': svg.padEnd(1024 * 1024 + 1),
      'folder.svg': {},
      'loop.svg': t.fixture('symlink', 'loop.svg'),
      '..fine.svg': svg,
    },
  })
  const rows: readonly [string, RegExp | undefined][] = [
    ['nowhere.svg', /file does not exist: nowhere\.svg/],
    ['../secret.svg', /must be below the directory of the file/],
    ['../../../../../../etc/hostname.svg', /file does not exist/],
    [join(folder, 'secret.svg'), /must be below the directory of the file/],
    ['link.svg', /must be below the directory of the file/],
    ['page.html', /must be an SVG, PNG, JPEG or WebP image/],
    ['lie.png', /must be image\/png, as declared: lie\.png/],
    ['large.svg', /must have at most 1048576 bytes/],
    ['folder.svg', /is not a regular file/],
    ['loop.svg', /symbolic links form a loop: loop\.svg/],
    ['below/nothing.svg/sun.svg', /file does not exist/],
    [`${'x'.repeat(300)}.svg`, /is too long for a file name$/],
    [`${'x/'.repeat(3000)}x.svg`, /is too long for a file name$/],
    ['"a\\0.png"', /must be a file name$/],
    ['..fine.svg', undefined],
  ]
  const { writeFile } = await import('node:fs/promises')
  for (const [name, fault] of rows) {
    const text = `cooperatives:${cooperative}\n    card_image: ${name}\n`
    await writeFile(join(folder, 'inside', 'demo.yaml'), text)
    const lines = await refusalOf(join(folder, 'inside'), 'demo.yaml')
    t.equal(lines.length, fault ? 1 : 0, name)
    if (fault) t.match(lines[0], fault)
    if (fault) t.match(lines[0], /^demo\.yaml:6: cooperatives\[0\]\.card_image: /)
  }
})

t.test('errors are reported in the order of the file', async (t) => {
  const text = `organizations:\n  - nam: A\ncooperatives:${cooperative}\n    logo_image: no.svg\n`
  t.match(
    await refusalOfText(t, text),
    exactArrays([
      /^demo\.yaml:2: organizations\[0\]\.name/,
      /^demo\.yaml:2: organizations\[0\]\.nam:/,
      /^demo\.yaml:8: cooperatives\[0\]\.logo_image/,
    ]),
  )
})

t.test('the error for a missing file names the file', async (t) => {
  await t.rejects(readFixtureFiles([join(t.testdir({}), 'none.yaml')]), {
    code: 'ENOENT',
    message: /none\.yaml/,
  })
})

t.test('errors of the service also name file and line, and no file is applied', async (t) => {
  const service = await createEmptyService()
  const folder = t.testdir({
    'a.yaml': `organizations:\n  - name: A\ncooperatives:${cooperative}\n`,
    'b.yaml': `organizations:
  - name: B
    investors:
      - partner_customer_ref: c-1
        email: c-1@mail.example
        share_purchases:
          - { cooperative: sun, share_count: 1 }
`,
    'c.yaml': `cooperatives:${cooperative}\n`,
  })
  const rows: readonly [string, RegExp][] = [
    [
      'b.yaml',
      /^b\.yaml:7: organizations\[0\]\.investors\[0\]\.share_purchases\[0\]: The investor's profile lacks /,
    ],
    ['c.yaml', /^c\.yaml:2: cooperatives\[0\]\.key: appears more than once$/],
  ]
  for (const [name, expected] of rows) {
    const files = await readFixtureFiles([join(folder, 'a.yaml'), join(folder, name)])
    const error = await applyFixtureFile(service, files.input).catch((error) =>
      files.explain(error),
    )
    t.match(error.message.replaceAll(`${folder}/`, ''), expected)
    t.notMatch(error.message, /\n/)
  }
  const files = await readFixtureFiles([join(folder, 'a.yaml')])
  t.match(await applyFixtureFile(service, files.input), {
    created: { organizations: 1, cooperatives: 1 },
  })
})

t.test('an error that is not about the files is passed on unchanged', async (t) => {
  const { explain } = await readFixtureFiles([])
  const error = new Error('Out of memory.')
  t.equal(explain(error), error)
})

t.test(
  'a bad date, a missing city and a bad IBAN are reported together, in every file [D15]',
  async (t) => {
    const investor = (lines: string) => `organizations:
  - name: Demo Bank
    investors:
      - partner_customer_ref: customer-1
        profile:
          consents: { terms: { given: true }, privacy: { given: true }, data_sharing: { given: true } }
${lines}`
    const folder = t.testdir({
      'a.yaml': investor(`          birth_date: 2999-01-01
          address: { street: Sonnenallee, house_number: 1, postal_code: "87435" }
          bank_account: { iban: DE13500105170648489890 }
        share_purchases:
          - cooperative: sun
            share_count: 0
            sepa_mandate: { debtor_iban: DE13500105170648489890, signed_at: 2999-01-01T00:00:00Z }
`),
      'b.yaml': investor(`          bank_account: { iban: DE13500105170648489890 }
`),
    })
    const place = 'organizations[0].investors[0]'
    t.strictSame(
      (await refusalOf(folder, 'a.yaml', 'b.yaml')).map((line) => line.split(': ', 2).join(': ')),
      [
        `a.yaml:7: ${place}.profile.birth_date`,
        `a.yaml:8: ${place}.profile.address.house_number`,
        `a.yaml:8: ${place}.profile.address.city`,
        `a.yaml:9: ${place}.profile.bank_account.iban`,
        `a.yaml:12: ${place}.share_purchases[0].share_count`,
        `a.yaml:13: ${place}.share_purchases[0].sepa_mandate.signed_at`,
        `a.yaml:13: ${place}.share_purchases[0].sepa_mandate.debtor_iban`,
        `b.yaml:7: ${place}.profile.bank_account.iban`,
      ],
    )
  },
)

t.test('a file of 20,000 aliases is refused and does not hang the command', async (t) => {
  const aliases = Array.from({ length: 20_000 }, () => '*a').join(', ')
  t.strictSame(await refusalOfText(t, `cooperatives: &a [1]\norganizations: [${aliases}]\n`), [
    'demo.yaml: has too many aliases (*)',
  ])
})
