import { writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import ClientCreate from '../../commands/client/create.ts'
import ClientList from '../../commands/client/list.ts'
import CooperativeCreate from '../../commands/cooperative/create.ts'
import CooperativeImport from '../../commands/cooperative/import.ts'
import CooperativeList from '../../commands/cooperative/list.ts'
import CooperativeSetPrice from '../../commands/cooperative/set-price.ts'
import CooperativeShow from '../../commands/cooperative/show.ts'
import FixturesApply from '../../commands/fixtures/apply.ts'
import OperatorCreate from '../../commands/operator/create.ts'
import OperatorDisable from '../../commands/operator/disable.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationList from '../../commands/organization/list.ts'
import OrganizationShow from '../../commands/organization/show.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import { buildCooperative } from '../../fixtures/builders/cooperatives.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { programCommand, runCoopshare } from '../../fixtures/program/serve.ts'
import {
  type CommandContext,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'
import { subjects } from '../../src/ports/subjects.ts'

const nfc = (text: string) => text.normalize('NFC')
/** As the file names of a Mac: an a and a diaeresis. */
const nfd = (text: string) => text.normalize('NFD')

const values = ['--name', 'Sonne', '--energy-category', 'solar', '--share-price', '1']
const unclear = [
  ' a',
  'a ',
  'a  b',
  'a\u200bb',
  'a\u00adb',
  'a\u00a0b',
  'a\ufe0f',
  'a\ufffd',
  'a\u3164',
  'a\u2800',
]

const old = buildCooperative({ key: nfd('wärme-ulm') })

withAndWithoutService(t, {
  seed: ({ store }) =>
    store.write(subjects.all('cooperatives'), ({ cooperatives }) => cooperatives.put(old)),
  test,
})

async function test(t: Test, { run, file }: CommandContext<unknown>): Promise<void> {
  await t.test(
    'an organization is found by its name, in whatever form it is written',
    async (t) => {
      for (const [stored, wanted] of [
        [nfd('Bank Allgäu'), nfc('Bank Allgäu')],
        [nfc('Bank Süd'), nfd('Bank Süd')],
      ] as const) {
        t.equal((await run(OrganizationCreate, stored)).exitCode, 0)
        t.match((await run(OrganizationShow, wanted, '--json')).json, { name: stored })
        t.match(await run(ClientCreate, '--organization', wanted), { exitCode: 0 })
        t.match(await run(OrganizationCreate, wanted), { exitCode: 4, stderr: /already exists/ })
        await writeFile(file('organization.yaml'), `organizations:\n  - name: ${wanted}\n`)
        t.equal((await run(FixturesApply, file('organization.yaml'))).exitCode, 0)
        t.match((await run(OrganizationShow, wanted, '--json')).json, { name: stored })
      }
      t.equal((await run(OrganizationList, '--json')).json.length, 2)
    },
  )

  await t.test('a key of a cooperative is found in whatever form it is written', async (t) => {
    t.equal((await run(CooperativeCreate, nfd('solar-allgäu'), ...values)).exitCode, 0)
    const show = async (key: string) => (await run(CooperativeShow, key, '--json')).json
    const first = await show(nfc('solar-allgäu'))
    t.match(first, { key: nfc('solar-allgäu') })
    t.match(await show(nfd('solar-allgäu')), first)
    t.match(await run(CooperativeCreate, nfc('solar-allgäu'), ...values), {
      exitCode: 4,
      stderr: /already exists/,
    })
    t.equal((await run(CooperativeSetPrice, nfd('solar-allgäu'), '1.10')).exitCode, 0)
    const plain = (key: string) => ({
      cooperatives: [
        {
          key,
          name: 'Sonne',
          energy_category: 'solar',
          share_price: 3,
          projects: [{ name: key, type: 'roof', energy_category: 'solar' }],
        },
      ],
      organizations: [{ name: 'Orders', clients: [{ name: key }] }],
    })
    for (const form of [nfc, nfd, nfc]) {
      await writeFile(file('all.json'), JSON.stringify(plain(form('solar-allgäu'))))
      const applied = await run(FixturesApply, file('all.json'))
      t.equal(applied.exitCode, 0, applied.stderr)
    }
    t.match(
      (await run(CooperativeList, '--json')).json,
      exactArrays([{ share_price: '3.00' }, { key: old.key }]),
    )
    t.match(await run(PurchaseList, '--cooperative', nfd('solar-allgäu')), { exitCode: 0 })
    t.equal((await run(ClientList, '--organization', 'Orders', '--json')).json.length, 1)
    const row = (key: string, project: string) =>
      `${key},Sonne,solar,4,${project},roof,solar,,,,,2020-01-01`
    const header =
      'key,name,energy_category,share_price,project_name,project_type,project_energy_category,project_city,project_capacity_kw,project_annual_yield_mwh,project_co2_savings_tons,project_commissioned_on'
    const rows = [header, row(nfd('solar-allgäu'), 'a'), row(nfc('solar-allgäu'), 'b')]
    await writeFile(file('forms.csv'), rows.join('\n'))
    const imported = await run(CooperativeImport, file('forms.csv'), '--json')
    t.match(imported.json, exactArrays({ created: 0, updated: 1 }))
    const twice = [nfc, nfd].map((form) => ({
      key: form('twice-ä'),
      name: 'A',
      energy_category: 'solar',
      share_price: 1,
    }))
    await writeFile(file('twice.json'), JSON.stringify(twice))
    const refused = await run(CooperativeImport, file('twice.json'))
    t.match(refused, { exitCode: 4, stderr: /key: appears more than once/ })
  })

  await t.test('a key that was stored in another form stays, and is found', async (t) => {
    for (const key of [nfc(old.key), nfd(old.key)]) {
      t.match((await run(CooperativeShow, key, '--json')).json, { id: old.id, key: old.key })
      await writeFile(
        file('old.csv'),
        `key,name,energy_category,share_price\n${key},${key},solar,250\n`,
      )
      const { json } = await run(CooperativeImport, file('old.csv'), '--json')
      t.match(json, exactArrays({ created: 0, updated: 1, cooperatives: [{ key: old.key }] }))
    }
  })

  await t.test('names and keys that look like another one are refused', async (t) => {
    const before = (await run(CooperativeList, '--json')).json
    for (const name of unclear) {
      const title = JSON.stringify(name)
      const fault = { exitCode: 4, stderr: /must not have spaces at its ends/ }
      t.match(await run(CooperativeCreate, name, ...values), fault, title)
      t.match(await run(OrganizationCreate, name), fault, title)
      t.match(await run(ClientCreate, '--organization', 'Orders', '--name', name), fault, title)
      t.equal((await run(OperatorCreate, name, '--role', 'viewer')).exitCode, 4, title)
      const client = { organizations: [{ name: 'Orders', clients: [{ name }] }] }
      const key = { key: name, name: 'A', energy_category: 'solar', share_price: 1 }
      const project = { name, type: 'roof', energy_category: 'solar' }
      const plant = { ...key, key: 'plant', projects: [project] }
      for (const content of [client, { cooperatives: [key] }, { cooperatives: [plant] }]) {
        await writeFile(file('unclear.json'), JSON.stringify(content))
        t.match(await run(FixturesApply, file('unclear.json')), fault, title)
      }
    }
    t.strictSame((await run(CooperativeList, '--json')).json, before)
    t.equal((await run(ClientList, '--organization', 'Orders', '--json')).json.length, 1)
  })

  await t.test('a name of an operator may be written in both forms', async (t) => {
    const created = await run(OperatorCreate, nfd('jürgen'), '--role', 'viewer', '--json')
    t.match(created.json, { name: nfc('jürgen') })
    const again = await run(OperatorCreate, nfc('jürgen'), '--role', 'viewer')
    t.match(again, { exitCode: 4, stderr: /already exists/ })
    t.equal((await run(OperatorDisable, nfd('jürgen'))).exitCode, 0)
  })
}

t.test('text in another encoding is refused before it is stored', async (t) => {
  const data = t.testdir({})
  const ask = (script: string, ...words: string[]) =>
    runCoopshare([], {}, ['bash', '-c', script, 'bash', ...programCommand, ...words])
  const organization = 'exec "$@" "$(printf "Allg\\344u")"'
  const where = ['--data-dir', data]
  const argument = await ask(organization, 'organization', 'create', ...where)
  t.match(argument, {
    code: 2,
    stdout: '',
    stderr: /^Error: Argument 5 is not UTF-8 text.*Use UTF-8/,
  })
  const json = await ask(organization, 'organization', 'create', '--json', ...where)
  t.equal(json.code, 2)
  t.match(JSON.parse(json.stdout), {
    error: { code: 'WRONG_USAGE', message: 'Argument 6 is not UTF-8' },
  })
  const flag = await ask(
    `${organization} ${values.slice(2).join(' ')}`.replace('"$(printf', '--name "$(printf'),
    'cooperative',
    'create',
    'a',
    ...where,
  )
  t.match(flag, { code: 2, stderr: /The argument after --name is not UTF-8 text/ })
  const joined = await ask(
    'exec "$@" "--city=$(printf "Allg\\344u")"',
    'cooperative',
    'update',
    'a',
    ...where,
  )
  t.match(joined, { code: 2, stderr: /The value of --city is not UTF-8 text/ })
  const setting = 'COOPSHARE_DATA_DIR="$(printf "/tmp/\\344")" exec "$@"'
  const variable = await ask(setting, 'organization', 'list')
  t.match(variable, { code: 2, stderr: /COOPSHARE_DATA_DIR is not UTF-8 text/ })
  const served = await ask(setting, 'serve', '--port', '0')
  t.equal(served.code, 2)
  t.match(JSON.parse(served.stderr), { msg: /COOPSHARE_DATA_DIR is not UTF-8 text/ })
  t.match(await ask('exec "$@"', 'organization', 'list', '--json', ...where), { code: 5 })
})
