import { writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import CooperativeCreate from '../../commands/cooperative/create.ts'
import CooperativeImport from '../../commands/cooperative/import.ts'
import CooperativeList from '../../commands/cooperative/list.ts'
import CooperativePriceHistory from '../../commands/cooperative/price-history.ts'
import CooperativePublish from '../../commands/cooperative/publish.ts'
import CooperativeSetPrice from '../../commands/cooperative/set-price.ts'
import CooperativeShow from '../../commands/cooperative/show.ts'
import CooperativeUnpublish from '../../commands/cooperative/unpublish.ts'
import CooperativeUpdate from '../../commands/cooperative/update.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  type CommandContext,
  noSeed,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'

const solar = { key: 'solar-allgaeu', name: 'Solar Allgäu eG', share_price: '250.00' }
const wind = { key: 'wind-husum', name: 'Windkraft Husum eG', share_price: '1000.00' }
const definitions = [
  { ...solar, energy_category: 'solar', coordinates: { latitude: 47.7, longitude: 10.3 } },
  { ...wind, energy_category: 'wind', published: true },
]

const files = {
  'two.json': JSON.stringify(definitions),
  'two.ndjson': definitions.map((definition) => JSON.stringify(definition)).join('\n'),
  'wrong.yaml': '- key: broken\n  name: Broken\n  share_price: many\n  energy_category: solar\n',
}

withAndWithoutService(t, { files, seed: noSeed, test })

async function test(t: Test, { run, file }: CommandContext<unknown>): Promise<void> {
  await t.test(
    'imported cooperatives are unpublished unless the file says published: true',
    async (t) => {
      const imported = await run(CooperativeImport, file('two.json'), '--json')
      t.equal(imported.exitCode, 0)
      t.match(
        imported.json,
        exactArrays({
          created: 2,
          cooperatives: [{ published: false }, { published: true }],
        }),
      )
      const listed = await run(CooperativeList, '--json')
      t.match(
        listed.json,
        exactArrays([
          { id: /^[0-9a-f-]{36}$/, name: solar.name, published: false },
          { name: wind.name, published: true },
        ]),
      )
    },
  )

  await t.test('importing again, in another format, changes nothing', async (t) => {
    const again = await run(CooperativeImport, file('two.ndjson'), '--json')
    t.match(again.json, { created: 0, updated: 0, unchanged: 2 })
    const people = await run(CooperativeImport, file('two.ndjson'))
    t.equal(people.stdout, 'Cooperatives: 0 new, 0 changed, 2 unchanged.')
  })

  await t.test('an error names line and field, and nothing is changed', async (t) => {
    const refused = await run(CooperativeImport, file('wrong.yaml'), '--json')
    t.equal(refused.exitCode, 4)
    t.match(refused.json.error.message, /wrong\.yaml:3: .*share_price/)
    t.equal((await run(CooperativeList, '--json')).json.length, 2)
  })

  await t.test('an error of the store also names the line', async (t) => {
    await writeFile(file('twice.json'), JSON.stringify([definitions[0], definitions[0]]))
    const refused = await run(CooperativeImport, file('twice.json'))
    t.equal(refused.exitCode, 4)
    t.match(refused.stderr, 'twice.json:1')
  })

  await t.test('the error for a missing file names the file', async (t) => {
    const missing = await run(CooperativeImport, file('none.json'), '--json')
    t.equal(missing.exitCode, 2)
    t.match(missing.json.error, { code: 'FILE_NOT_FOUND', message: /none\.json/ })
    t.match((await run(CooperativeImport, file('none.json'))).stderr, /^Error: .*none\.json/)
  })

  await t.test('a cooperative is published and unpublished, by id or key', async (t) => {
    const published = await run(CooperativePublish, solar.key, '--json')
    t.match(published.json, { name: solar.name, published: true })
    const unpublished = await run(CooperativeUnpublish, published.json.id, '--json')
    t.match(unpublished.json, { name: solar.name, published: false })
  })

  await t.test('set-price changes the price of a share', async (t) => {
    const priced = await run(CooperativeSetPrice, solar.key, '275', '--json')
    t.match(priced.json, { share_price: '275.00' })
    const refused = await run(CooperativeSetPrice, solar.key, 'cheap', '--json')
    t.equal(refused.exitCode, 4)
    t.match(refused.json.error, { code: 'VALIDATION_ERROR', errors: { share_price: String } })
    t.match((await run(CooperativeSetPrice, solar.key, 'cheap')).stderr, /^ {2}share_price /m)
  })

  await t.test('every change of the price is recorded, newest first', async (t) => {
    const { json } = await run(CooperativePriceHistory, solar.key, '--json')
    t.match(
      json,
      exactArrays([
        { old_price: '250.00', new_price: '275.00', currency: 'EUR' },
        { old_price: null, new_price: '250.00' },
      ]),
    )
    await run(CooperativeSetPrice, solar.key, '275')
    const listed = await run(CooperativePriceHistory, solar.key)
    t.equal(listed.stdout.trim().split('\n').length, 3, 'the same price is no change')
    t.match(listed.stdout, /250\.00 EUR +275\.00 EUR/)
    t.equal((await run(CooperativePriceHistory, 'nowhere')).exitCode, 3)
  })

  await t.test('a cooperative is created and changed field by field', async (t) => {
    const fields = ['--name', 'Wärme Ulm eG', '--energy-category', 'heat', '--share-price', '500']
    const place = ['--latitude', '48.4', '--longitude', '9.99']
    const created = await run(CooperativeCreate, 'waerme-ulm', ...fields, ...place, '--json')
    const first = { key: 'waerme-ulm', published: false, share_value: '500.00' }
    t.match(created.json, { ...first, coordinates: { latitude: 48.4, longitude: 9.99 } })
    const again = await run(CooperativeCreate, 'waerme-ulm', ...fields, '--json')
    t.match(again.json.error, { code: 'NAME_TAKEN', message: 'cooperative update' })
    const wrong = await run(CooperativeCreate, 'other', ...fields.with(-1, 'cheap'))
    t.equal(wrong.exitCode, 4)
    t.match(wrong.stderr, /^ {2}share_price /m)

    const change = ['--city', 'Ulm', '--share-price', '510', '--minimum-shares', '2']
    const updated = await run(CooperativeUpdate, 'waerme-ulm', ...change, '--json')
    const second = { city: 'Ulm', share_price: '510.00', share_value: '500.00', minimum_shares: 2 }
    t.match(updated.json, { ...second, name: 'Wärme Ulm eG', coordinates: { latitude: 48.4 } })
    const unset = ['--city', '', '--latitude', '', '--longitude', '']
    const emptied = await run(CooperativeUpdate, 'waerme-ulm', ...unset, '--json')
    t.match(emptied.json, { city: null, coordinates: null, minimum_shares: 2 })
    const history = await run(CooperativePriceHistory, 'waerme-ulm', '--json')
    t.equal(history.json.length, 2)
    t.equal((await run(CooperativeUpdate, 'waerme-ulm')).exitCode, 2, 'nothing to change')
    t.equal((await run(CooperativeUpdate, 'waerme-ulm', '--latitude', '1')).exitCode, 2)
    t.equal((await run(CooperativeUpdate, 'nowhere', '--city', 'Ulm')).exitCode, 3)
  })

  await t.test('show prints the whole cooperative', async (t) => {
    const shown = await run(CooperativeShow, solar.key, '--json')
    t.match(
      shown.json,
      exactArrays({ key: solar.key, share_price: '275.00', published: false, projects: [] }),
    )
    t.match((await run(CooperativeShow, solar.key)).stdout, /^coordinates +47\.7, 10\.3$/m)
    t.match((await run(CooperativeShow, wind.key)).stdout, /^coordinates +-$/m)
  })

  await t.test('an unknown cooperative is not found', async (t) => {
    for (const command of [CooperativeShow, CooperativePublish, CooperativeUnpublish]) {
      t.equal((await run(command, 'nowhere')).exitCode, 3)
    }
    t.equal((await run(CooperativeSetPrice, 'nowhere', '1.00')).exitCode, 3)
  })

  await t.test('--limit shortens the list of cooperatives', async (t) => {
    t.equal((await run(CooperativeList, '--limit', '1', '--json')).json.length, 1)
    t.match((await run(CooperativeList)).stdout, /^KEY +NAME +PUBLISHED +PRICE +ID$/m)
  })
}
