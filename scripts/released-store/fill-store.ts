import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { companySections, completeProfile } from '../../fixtures/investors.ts'
import { type Json, type Program, type Send, signIn, until } from './program.ts'
import { type MailServer, startMailServer, startReceiver } from './receivers.ts'

/** What partners know, and send again when the store is served by a later program. */
export interface Known {
  readonly clients: readonly Json[]
  /** Requests that were answered, and may be sent again; the second of them under its Idempotency-Key. */
  readonly provisions: readonly Sent[]
  readonly orders: readonly (Sent & { readonly key: string })[]
}

export interface Sent {
  readonly client_id: string
  readonly path: string
  readonly body: Json
  readonly answer: Json
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
const sun = {
  key: 'sun',
  name: 'Sonnenfirst eG',
  description: 'Roofs of schools.',
  city: 'Kempten (Allgäu)',
  postal_code: '87435',
  energy_category: 'solar',
  energy_type: 'photovoltaics',
  share_price: '250.00',
  share_value: '250.00',
  entry_fee: '15.00',
  minimum_shares: 2,
  dividend_type: 'fixed',
  dividend_rate_percent: 3.5,
  affiliation: 'affiliated',
  coordinates: { latitude: 47.7286, longitude: 10.3158 },
  hero_image: 'hero.svg',
  logo_image: 'logo.svg',
  published: true,
  projects: [
    {
      name: 'Schuldächer',
      type: 'rooftop solar',
      energy_category: 'solar',
      city: 'Kempten',
      capacity_kw: 312,
      annual_yield_mwh: 318,
      co2_savings_tons: 127.5,
      commissioned_on: '2019-05-14',
      image: 'logo.svg',
    },
  ],
}
const wind = {
  key: 'wind',
  name: 'Marschwind eG',
  energy_category: 'wind',
  share_price: '1000.00',
  published: true,
}
const heat = {
  key: 'heat',
  name: 'Wärmering eG',
  energy_category: 'heat',
  share_price: '70.00',
  published: true,
}

const instants = {
  sepa_mandate: { signed_at: '2026-01-10T09:30:00+01:00' },
  statute_consent_given_at: '2026-01-10T09:29:00+01:00',
}

interface Market {
  readonly program: Program
  readonly receiverUrl: string
  readonly mailServer: MailServer
  readonly bank: Json
  readonly insurer: Json
  readonly known: { readonly provisions: Sent[]; readonly orders: (Sent & { key: string })[] }
}

/** A small store with something of everything, by commands and requests. Takes a minute, because deliveries have to die. */
export async function fillStore(program: Program, directory: string): Promise<Known> {
  const receiver = await startReceiver()
  const mailServer = await startMailServer()
  const { bank, insurer } = await openMarket(program, directory)
  const known: Market['known'] = { provisions: [], orders: [] }
  const market: Market = { program, receiverUrl: receiver.url, mailServer, bank, insurer, known }
  await trade(market)
  await letSomeDie(market)
  await program.run('store', 'compact')
  const order = await letSomeFailOnce(market)
  await leaveSomeUndelivered(market, order)
  receiver.stop()
  mailServer.stop()
  return { clients: [bank, insurer], ...known }
}

/** Organizations, clients, keys and the catalogue. */
async function openMarket({ run }: Program, directory: string) {
  await run('organization', 'create', 'Demo Bank')
  await run('organization', 'create', 'Nordlicht Versicherung')
  await run('organization', 'create', 'Ohne Kunden')
  await run('organization', 'update', 'Ohne Kunden', '--no-investor-mail')
  const create = (organization: string, ...argv: string[]) =>
    run('client', 'create', '--organization', organization, ...argv)
  const first = await create('Demo Bank', '--name', 'full')
  const second = await run('client', 'rotate-secret', first.client_id)
  const insurer = await create('Nordlicht Versicherung')
  const disabled = await create('Demo Bank', '--name', 'old', '--scope', 'cooperatives:read')
  await run('client', 'disable', disabled.client_id)
  await create('Demo Bank', '--kind', 'internal')
  await run('key', 'rotate')
  await run('key', 'rotate', '--now')
  await writeFile(join(directory, 'hero.svg'), svg)
  await writeFile(join(directory, 'logo.svg'), svg)
  const file = join(directory, 'cooperatives.json')
  await writeFile(file, JSON.stringify([sun, wind, { ...heat, logo_image: 'logo.svg' }]))
  await run('cooperative', 'import', file)
  await run('cooperative', 'set-price', 'wind', '1100.00')
  await writeFile(file, JSON.stringify([heat]))
  await run('cooperative', 'import', file)
  return { bank: { ...first, client_secret: second.client_secret }, insurer }
}

/** Everything that goes well: investors of all kinds, and orders in every status. */
async function trade(market: Market): Promise<void> {
  const { program, bank, insurer, receiverUrl } = market
  const { run } = program
  const serving = await program.serve('--allow-private-webhooks')
  const bankSends = await signIn(serving, bank)
  const insurerSends = await signIn(serving, insurer)
  await run('webhook', 'register', `${receiverUrl}/bank`, '--organization', 'Demo Bank')
  for (const path of ['/insurer', '/removed']) {
    const url = `${receiverUrl}${path}`
    await run('webhook', 'register', url, '--organization', 'Nordlicht Versicherung')
  }
  const person = await provision(market, bank, bankSends, {
    partner_customer_ref: 'person',
    email: 'frieda@mail.example',
    profile: completeProfile(),
  })
  const company = await provision(market, bank, bankSends, {
    partner_customer_ref: 'company',
    email: 'office@windkraft.example',
    profile: completeProfile({ ...companySections(), tax_id: undefined, phone: undefined }),
  })
  await provision(market, bank, bankSends, {
    partner_customer_ref: 'half',
    profile: {
      ...completeProfile({ address: null, birth_date: undefined }),
      bank_account: { iban: 'FR1420041010050500013M02606' },
    },
  })
  await provision(market, bank, bankSends, { partner_customer_ref: 'empty' })
  const replaced = await provision(market, bank, bankSends, {
    partner_customer_ref: 'replaced',
    email: 'before@mail.example',
  })
  await bankSends('PUT', `/v1/investors/${replaced}/profile`, { body: completeProfile() })
  const insured = await provision(market, insurer, insurerSends, {
    partner_customer_ref: 'person',
    email: 'ayse@mail.example',
    profile: completeProfile({ first_name: 'Ayşe', last_name: 'Karaca' }),
  })

  const [sunId, windId, heatId] = await cooperativeIds(program)
  const bankOrders = (investor: string, cooperative: string, shares: number, key: string) =>
    order(market, bank, bankSends, { investor, cooperative, shares, key })
  const settled = await bankOrders(person, sunId, 5, 'settled')
  await bankOrders(person, sunId, 1, 'submitted')
  const approved = await bankOrders(person, windId, 2, 'approved')
  const rejected = await bankOrders(person, heatId, 3, 'rejected')
  const cancelled = await bankOrders(company, heatId, 4, 'cancelled')
  const both = await bankOrders(company, windId, 7, 'both')
  await order(market, insurer, insurerSends, {
    investor: insured,
    cooperative: sunId,
    shares: 2,
    key: 'settled',
  })
  await run('purchase', 'approve', settled, approved, both)
  await run('purchase', 'settle', settled, both)
  await run('purchase', 'reject', rejected, '--reason', 'The mandate was returned.')
  await bankSends('POST', `/v1/investors/${company}/share-purchases/${cancelled}/cancel`)
  await until(async () => (await run('event', 'list', '--state', 'pending')).length === 0)
  await serving.stop()
}

/** Attempts that fail until none is left, at one endpoint and at the mail server. */
async function letSomeDie(market: Market): Promise<void> {
  const { program, bank, receiverUrl } = market
  const { run } = program
  const failing = [
    '--allow-private-webhooks',
    '--webhook-backoff',
    '1s',
    ...market.mailServer.options,
  ]
  const serving = await program.serve(...failing)
  await run('webhook', 'register', `${receiverUrl}/refusing`, '--organization', 'Demo Bank')
  await place(market, await signIn(serving, bank), 'dead')
  const dead = async (...argv: string[]) =>
    (await run('event', 'list', '--state', 'dead', ...argv)).length > 0
  await until(async () => (await dead()) && (await dead('--mail')))
  await serving.stop()
}

/** Attempts that failed, and are to be made again ten minutes later. Returns the order. */
async function letSomeFailOnce(market: Market): Promise<string> {
  const { program, bank } = market
  const failing = [
    '--allow-private-webhooks',
    '--webhook-backoff',
    '10m',
    ...market.mailServer.options,
  ]
  market.mailServer.refuseWith(450)
  const serving = await program.serve(...failing)
  const placed = await place(market, await signIn(serving, bank), 'failing')
  const event = (await program.run('event', 'list')).at(-1)
  await until(async () => {
    const { attempts, mail } = await program.run('event', 'show', event.event_id)
    return attempts.length === 2 && mail.attempts.length === 1
  })
  await serving.stop()
  return placed
}

/** What is pending, and what waits behind it, when the program ends. */
async function leaveSomeUndelivered({ program: { run }, known }: Market, failing: string) {
  const [first, second] = known.orders.map(({ answer }) => answer.share_purchase_id)
  await run('purchase', 'approve', failing, second)
  await run('purchase', 'settle', failing, second)
  const events = await run('event', 'list')
  const told = events.find((event: Json) => event.share_purchase_id === first)
  await run('event', 'replay', told.event_id)
  await run('cooperative', 'unpublish', 'heat')
  await run('key', 'rotate')
  const endpoints = await run('webhook', 'list')
  const removed = endpoints.find(({ url }: Json) => url.endsWith('/removed'))
  await run('webhook', 'remove', removed.webhook_endpoint_id)
}

/** The id of an investor. */
async function provision({ known }: Market, client: Json, send: Send, body: Json): Promise<string> {
  const { body: answer } = await send('POST', '/v1/investors', { body })
  known.provisions.push({ client_id: client.client_id, path: '/v1/investors', body, answer })
  return answer.investor_id
}

interface Order {
  readonly investor: string
  readonly cooperative: string
  readonly shares: number
  readonly key: string
}

/** The id of an order. */
async function order({ known }: Market, client: Json, send: Send, wanted: Order): Promise<string> {
  const { investor, cooperative, shares, key } = wanted
  const path = `/v1/investors/${investor}/share-purchases`
  const body = { cooperative_id: cooperative, share_count: shares, ...instants }
  const { body: answer } = await send('POST', path, { body, key })
  known.orders.push({ client_id: client.client_id, path, body, key, answer })
  return answer.share_purchase_id
}

/** Another order of the bank's first investor. */
async function place(market: Market, send: Send, key: string): Promise<string> {
  const [, windId] = await cooperativeIds(market.program)
  const investor = market.known.provisions[0]?.answer.investor_id
  return order(market, market.bank, send, { investor, cooperative: windId, shares: 1, key })
}

async function cooperativeIds({ run }: Program): Promise<[string, string, string]> {
  const cooperatives = await run('cooperative', 'list')
  const idOf = (key: string) => cooperatives.find((one: Json) => one.key === key).id
  return [idOf('sun'), idOf('wind'), idOf('heat')]
}
