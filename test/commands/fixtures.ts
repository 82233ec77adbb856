import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse, stringify } from 'yaml'
import CooperativeSetPrice from '../../commands/cooperative/set-price.ts'
import FixturesApply from '../../commands/fixtures/apply.ts'
import FixturesExport from '../../commands/fixtures/export.ts'
import OrganizationList from '../../commands/organization/list.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import { completeProvision } from '../../fixtures/builders/investors.ts'
import {
  type CommandContext,
  noSeed,
  runnerOn,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'

const partners = `organizations:
  - name: Demo Bank
    clients: [{ name: full }]
`
const cooperatives = `cooperatives:
  - key: solar-allgaeu
    name: Solar Allgäu eG
    energy_category: solar
    share_price: '250.00'
    description: "A text so long that it would be written over several lines.\\r\\n \\nTwo"
`

function webhook(url: string): string {
  return `organizations:
  - name: Demo Bank
    webhooks:
      - url: ${url}
`
}

function order(terms: Readonly<Record<string, unknown>>): string {
  const share_purchases = [{ cooperative: 'solar-allgaeu', share_count: 5, ...terms }]
  const investors = [{ ...completeProvision(), share_purchases }]
  return stringify({ organizations: [{ name: 'Demo Bank', investors }] })
}

const files = {
  'partners.yaml': partners,
  'cooperatives.yaml': cooperatives,
  'equator.yaml': `${cooperatives.replace('solar-allgaeu', 'equator')}    dividend_rate_percent: -0.0
    coordinates: { latitude: -0.0, longitude: 9.4 }
`,
  'orders.yaml': order({ status: 'settled' }),
  'some-terms.yaml': order({ price_per_share: '200.00', entry_fee: '0.00' }),
  'wrong.yaml': `${cooperatives}    colour: yellow\n`,
  'webhook.yaml': webhook('https://93.184.215.14/hooks'),
  'private.yaml': webhook('https://10.0.0.1/hooks'),
}

withAndWithoutService(t, { files, seed: noSeed, test })

async function test(t: Test, { run, file }: CommandContext<unknown>): Promise<void> {
  await t.test('a file with any error changes nothing', async (t) => {
    const refused = await run(FixturesApply, file('partners.yaml'), file('wrong.yaml'), '--json')
    t.equal(refused.exitCode, 4)
    t.match(refused.json.error.message, /wrong\.yaml:7: cooperatives\[0\]\.colour: unknown key/)
    t.strictSame((await run(OrganizationList, '--json')).json, [])
  })

  await t.test('new credentials are shown once', async (t) => {
    const applied = await run(FixturesApply, file('partners.yaml'), '--json')
    t.equal(applied.exitCode, 0)
    t.match(applied.json.created, { organizations: 1, clients: 1, cooperatives: 0 })
    const [client] = applied.json.clients
    t.match(client, { organization: 'Demo Bank', client_id: String, client_secret: /^\S{43}$/ })
    t.notMatch(applied.stderr, client.client_secret)
  })

  await t.test('applying a file again changes nothing', async (t) => {
    const again = await run(FixturesApply, file('partners.yaml'), file('cooperatives.yaml'))
    t.match(again.stdout, /^KIND +CREATED +UPDATED +UNCHANGED$/m)
    t.match(again.stdout, /^organizations +0 +0 +1$/m)
    t.match(again.stdout, /^cooperatives +1 +0 +0$/m)
    const third = await run(FixturesApply, file('partners.yaml'), '--json')
    t.strictSame(third.json.clients, [])
  })

  await t.test('a webhook in a file gets a signing secret if its address is allowed', async (t) => {
    const refused = await run(FixturesApply, file('private.yaml'), '--json')
    t.equal(refused.exitCode, 4)
    t.equal(refused.json.error.code, 'WEBHOOK_URL_REFUSED')
    t.match(refused.json.error.message, /private\.yaml:4: organizations\[0\]\.webhooks\[0\]\.url/)
    const applied = await run(FixturesApply, file('webhook.yaml'))
    t.match(applied.stdout, /^webhooks +1 +0 +0$/m)
    t.match(applied.stdout, /^signing_secret +whsec_\S{43}$/m)
    t.match(applied.stdout, 'cannot be shown again')
    t.strictSame((await run(FixturesApply, file('webhook.yaml'), '--json')).json.webhooks, [])
  })

  await t.test('an export is YAML or JSON without secrets, and can be applied', async (t) => {
    const [yaml, json] = [await run(FixturesExport), await run(FixturesExport, '--json')]
    t.strictSame(parse(yaml.stdout), json.json)
    t.notMatch(yaml.stdout, 'secret')
    const elsewhere = t.testdir({ 'exported.yaml': yaml.stdout, data: {} })
    const runElsewhere = runnerOn(join(elsewhere, 'data'))
    const applied = await runElsewhere(FixturesApply, join(elsewhere, 'exported.yaml'), '--json')
    t.match(applied.json.created, { organizations: 1, clients: 1, cooperatives: 1 })
    t.equal((await runElsewhere(FixturesExport)).stdout, yaml.stdout)
  })

  await t.test('an export has orders at the price at which they were placed', async (t) => {
    await run(FixturesApply, file('orders.yaml'))
    const [before] = (await run(PurchaseList, '--json')).json
    t.equal(before.total, '1250.00')
    await run(CooperativeSetPrice, 'solar-allgaeu', '400.00')
    const exported = await run(FixturesExport)
    const elsewhere = t.testdir({ 'exported.yaml': exported.stdout, data: {} })
    const runElsewhere = runnerOn(join(elsewhere, 'data'))
    t.equal((await runElsewhere(FixturesApply, join(elsewhere, 'exported.yaml'))).exitCode, 0)
    const [after] = (await runElsewhere(PurchaseList, '--json')).json
    t.match(after, { price_per_share: '250.00', total: '1250.00', status: 'settled' })
    t.equal((await runElsewhere(FixturesExport)).stdout, exported.stdout)
  })

  await t.test(
    'an order with only a part of its terms is refused with file and line [D49]',
    async (t) => {
      const refused = await run(FixturesApply, file('some-terms.yaml'), '--json')
      t.equal(refused.exitCode, 4)
      const place = /some-terms\.yaml:\d+: organizations\[0\]\.investors\[0\]\.share_purchases\[0\]/
      t.match(refused.json.error.message, new RegExp(`${place.source}\\.total: is required`))
      t.match(refused.json.error.message, new RegExp(`${place.source}\\.consents: is required`))
    },
  )

  await t.test('minus zero counts as zero', async (t) => {
    t.match((await run(FixturesApply, file('equator.yaml'), '--json')).json.created, {
      cooperatives: 1,
    })
    const again = await run(FixturesApply, file('equator.yaml'), '--json')
    t.match(again.json, { updated: { cooperatives: 0 }, unchanged: { cooperatives: 1 } })
  })

  await t.test('the text output shows what was created, with secrets', async (t) => {
    const runElsewhere = runnerOn(t.testdir())
    const applied = await runElsewhere(FixturesApply, file('partners.yaml'))
    t.match(applied.stdout, /^client_secret +\S{43}$/m)
    t.match(applied.stdout, 'cannot be shown again')
  })

  await t.test('orders with a history need --past, which keeps their dates', async (t) => {
    const given = { given: true, given_at: '2019-03-01T09:00:00Z' }
    const at = '2019-03-04T09:00:00.000Z'
    const legacy = order({
      price_per_share: 100,
      entry_fee: 0,
      total: 500,
      applicant_type: 'private',
      sepa_mandate: {
        signed_at: '2019-03-03T09:00:00Z',
        reference: 'OLD-1',
        debtor_iban: 'DE89370400440532013000',
      },
      statute_consent_given_at: '2019-03-03T09:00:00Z',
      consents: { terms: given, privacy: given },
      history: [{ status: 'submitted', at }],
    })
    const directory = t.testdir({ 'legacy.yaml': legacy, 'coop.yaml': cooperatives, data: {} })
    const elsewhere = runnerOn(join(directory, 'data'))
    const files = [join(directory, 'coop.yaml'), join(directory, 'legacy.yaml')]
    const refused = await elsewhere(FixturesApply, ...files, '--json')
    t.equal(refused.exitCode, 4)
    t.match(refused.json.error.message, /legacy\.yaml:\d+: .*share_purchases\[0\]: .*--past/)
    const dry = await elsewhere(FixturesApply, ...files, '--past', '--dry-run', '--json')
    t.match(dry.json, { dry_run: true, created: { share_purchases: 1 } })
    t.equal((await elsewhere(FixturesApply, ...files, '--past')).exitCode, 0)
    const [placed] = (await elsewhere(PurchaseList, '--json')).json
    t.match(placed, { created_at: at, updated_at: at })
  })
}
