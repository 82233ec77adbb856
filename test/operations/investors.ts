import t from 'tap'
import { completeProvision } from '../../fixtures/builders/investors.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  collectionOf,
  createMarket,
  get,
  type Market,
  placeAccepted,
  provision,
  sharePurchaseBody,
} from '../../fixtures/world/market.ts'
import { recordingMailer } from '../../fixtures/world/recorders.ts'
import { createWebhookMarket } from '../../fixtures/world/webhook-market.ts'
import { runOperation } from '../../src/operations/operations.ts'
import { suggest } from '../../src/usecases/investors/find-investors.ts'
import { renewSearchTerms } from '../../src/usecases/investors/renew-search-terms.ts'

const berlin = 'DE89370400440532013000'
const hamburg = 'DE02200505501015871393'

interface Found {
  readonly found: readonly {
    readonly investor_id: string
    readonly matched: readonly string[]
    readonly name: string | null
    readonly partner_customer_ref: string | null
    readonly share_purchases: readonly { readonly share_purchase_id: string }[]
  }[]
  readonly more: number
  readonly is_more_counted: boolean
}

function run<Output = Record<string, unknown>>(market: Market, name: string, input: object) {
  return runOperation(market.world.service, name, input) as Promise<Output>
}

async function find(market: Market, text: string, more: object = {}) {
  return run<Found>(market, 'find', { text, ...more })
}

async function foundIds(market: Market, text: string): Promise<readonly string[]> {
  return (await find(market, text)).found.map(({ investor_id }) => investor_id)
}

async function decideAll(market: Market, ...ids: readonly string[]): Promise<void> {
  for (const share_purchase_id of ids) {
    await run(market, 'purchase.approve', { share_purchase_id })
    await run(market, 'purchase.settle', { share_purchase_id })
  }
}

function person(ref: string, names: object, iban = berlin) {
  const { profile } = completeProvision()
  const email = `${ref}@mail.example`
  const bank_account = { iban, account_holder: 'Somebody' }
  return {
    partner_customer_ref: ref,
    email: undefined,
    profile: { ...(profile as object), email, bank_account, ...names },
  }
}

t.test('an operator finds a caller by the data that the caller can name', async (t) => {
  const market = await createMarket()
  const { world } = market
  const names = { first_name: 'Zoë René', last_name: 'Groß-Müller' }
  const id = await provision(world, person('K-4711', names, hamburg))
  await provision(world, person('K-4712', { first_name: 'Zoë', last_name: 'Other' }))
  const placed = await world.request('POST', `/v1/investors/${id}/share-purchases`, {
    token: world.partner.token,
    body: sharePurchaseBody(market, {
      sepa_mandate: { signed_at: '2026-01-10T09:30:00+01:00', reference: 'Mandate-77' },
    }),
  })
  const order = placed.body.share_purchase_id
  const event = (await run<{ event_id: string }[]>(market, 'event.list', {}))[0]?.event_id ?? ''
  for (const [text, matched] of [
    ['k-4711', 'partner_customer_ref'],
    ['zoe gross', 'name'],
    ['MÜLLER', 'name'],
    ['Groß-Müller, Zoë René', 'name'],
    [' K-4711@mail.example ', 'email'],
    ['de02 2005 0550 1015 8713 93', 'iban'],
    ['mandate-77', 'mandate_reference'],
    [id, 'investor_id'],
    [order, 'share_purchase_id'],
    [event, 'event_id'],
  ] as const) {
    const { found, more } = await find(market, text)
    t.equal(found.length, 1, text)
    t.match(found[0], { investor_id: id, partner_customer_ref: 'K-4711' }, text)
    t.ok(found[0]?.matched.includes(matched), `${text} is ${matched}`)
    t.equal(more, 0, text)
    t.match(
      found[0]?.share_purchases[0],
      exactArrays({
        share_purchase_id: order,
        history: [
          { status: 'submitted', event: { event_id: event, deliveries: [{ kind: 'mail' }] } },
        ],
      }),
      'the result has the order and its history',
    )
  }
  t.strictSame(await foundIds(market, 'zoe nobody'), [], 'all words must match')
  t.strictSame(await foundIds(market, 'DE02200505501015871394'), [], 'an IBAN must be complete')
})

// cspell:disable
t.test('three letters of each word find a person, the words as typed first [D64]', async (t) => {
  const market = await createMarket()
  const { world } = market
  const register = async (first_name: string, last_name: string) => {
    world.clock.advance(1)
    return provision(world, person(`${first_name}-${last_name}`, { first_name, last_name }))
  }
  const ann = await register('Ann', 'Hofmann')
  const anna = await register('Anna', 'Hofmeister')
  const muller = await register('Li', 'Müller')
  const company = {
    name: 'Sonnenschein Energiegenossenschaft',
    legal_form: 'eG',
    tax_id: '12/345/67890',
  }
  const sun = await provision(world, person('K-9', { last_name: 'Zander', company }))
  for (const [text, ids] of [
    ['hof', [anna, ann]],
    ['Hofm', [anna, ann]],
    ['hofma', [ann]],
    ['ann hofm', [ann, anna]],
    ['hofm ann', [anna, ann]],
    ['mueller', [muller]],
    ['Muller', [muller]],
    ['MÜLL', [muller]],
    ['muel', [muller]],
    ['li', [muller]],
    ['li mül', [muller]],
    ['sonnen', [sun, market.investorId]],
    ['energiegenossenschaft', [sun]],
    ['ho', []],
    ['ann ho', []],
    ['ofm', []],
  ] as const) {
    t.strictSame(await foundIds(market, text), ids, text)
  }
  const first = await find(market, 'ann', { limit: 1 })
  t.match(first, exactArrays({ found: [{ investor_id: ann, matched: ['name'] }], more: 1 }))
  const erase = { investor_id: ann, reason: 'Asked to.' }
  await run(market, 'investor.erase', erase)
  t.strictSame(await foundIds(market, 'hofma'), [], 'an erased person has no terms')
  const reason = { investor_id: anna, reason: 'Anna asked' }
  await t.rejects(run(market, 'investor.erase', reason), { code: 'VALIDATION_ERROR' })
})

// cspell:enable
t.test('find names partners, clients, cooperatives and events', async (t) => {
  const market = await createMarket()
  const { world, cooperative } = market
  const order = await placeAccepted(market)
  const organization_id = world.partner.organizationId
  const { name } = await run<{ name: string }>(market, 'organization.show', {
    organization: organization_id,
  })
  const [client] = await run<{ client_id: string; organization_id: string }[]>(
    market,
    'client.list',
    { organization: organization_id },
  )
  const [event] = await run<{ event_id: string }[]>(market, 'event.list', {})
  const word = (text: string) => text.split(/\W+/)[0]?.slice(0, 3) ?? ''
  for (const [text, expected] of [
    [word(name), { organizations: [{ organization_id, name }] }],
    [organization_id.slice(-8), { organizations: [{ organization_id }] }],
    [client?.client_id ?? '', { clients: [{ client_id: client?.client_id, organization_id }] }],
    [cooperative.key, { cooperatives: [{ cooperative_id: cooperative.id }] }],
    [cooperative.name, { cooperatives: [{ cooperative_id: cooperative.id }] }],
    [cooperative.id, { cooperatives: [{ cooperative_id: cooperative.id }] }],
    [
      event?.event_id.slice(0, 8) ?? '',
      { events: [{ event_id: event?.event_id, share_purchase_id: order }] },
    ],
  ] as const) {
    t.match(await run(market, 'find', { text }), expected, text)
  }
})

// cspell:disable
t.test('suggestions are few, and follow each letter that is typed', async (t) => {
  const market = await createMarket()
  const { service } = market.world
  for (let at = 0; at < 8; at += 1) {
    const names = { first_name: at === 5 ? 'Zoë' : 'Anna', last_name: `Schmidt${'abcdefgh'[at]}` }
    await provision(market.world, person(`S-${at}`, names))
  }
  const order = await placeAccepted(market)
  const names = async (text: string) =>
    (await suggest(service, text, 5)).persons.map(({ investor }) => investor.profile?.lastName)
  t.equal((await names('sch')).length, 5)
  t.strictSame(await names('schmidtc'), ['Schmidtc'])
  t.strictSame(await names('schmidt z'), ['Schmidtf'], 'a letter of the next word selects')
  t.strictSame(await names('zoe sc'), ['Schmidtf'])
  t.strictSame(await names('sc'), [])
  t.strictSame(await names('--'), [], 'nobody is bothered while typing')
  t.match(await suggest(service, order, 5), exactArrays({ orders: [{ sharePurchaseId: order }] }))
})

// cspell:enable
t.test('persons from a store of an earlier version are found by beginnings later on', async (t) => {
  const market = await createMarket()
  const { service } = market.world
  const id = await provision(market.world, person('O-1', { last_name: 'Earlier' }))
  const gone = await provision(market.world, person('O-2', { last_name: 'Earliest' }))
  await run(market, 'investor.erase', { investor_id: gone })
  await service.store.write(anything, async ({ investors, settings }) => {
    const stored = await investors.find(id)
    const kept = await settings.get()
    if (!stored || !kept) throw new Error('There is no such record.')
    const { searchVersion: _, ...former } = kept
    await settings.put(former)
    // The former terms had 16 characters.
    const searchTerms = stored.searchTerms.filter(({ length }) => length === 16)
    await investors.put({ ...stored, searchTerms })
  })
  t.strictSame(await foundIds(market, 'earl'), [])
  t.strictSame(await foundIds(market, 'earlier'), [id], 'whole words are found')
  await renewSearchTerms(service)
  t.strictSame(await foundIds(market, 'earl'), [id])
  const { searchVersion } = (await service.store.read(({ settings }) => settings.get())) ?? {}
  t.equal(searchVersion, 2)
})

t.test('the first characters of an id and an issued mandate reference find an order', async (t) => {
  const market = await createMarket()
  const order = await placeAccepted(market)
  const prefix = order.slice(0, 30)
  for (const text of [prefix, prefix.toUpperCase(), order.replaceAll('-', '').toUpperCase()]) {
    t.strictSame(await foundIds(market, text), [market.investorId], text)
  }
  t.strictSame(await foundIds(market, order.slice(0, 5)), [], 'five characters are too few')
})

t.test('find shows the number of further matches, and refuses unsearchable texts', async (t) => {
  const market = await createMarket()
  for (let number = 0; number < 4; number += 1) {
    await provision(market.world, person(`M-${number}`, { last_name: 'Common' }))
  }
  const { found, more, is_more_counted } = await find(market, 'common', { limit: 3 })
  t.strictSame([found.length, more, is_more_counted], [3, 1, true])
  await t.rejects(
    find(market, ' -- '),
    { code: 'VALIDATION_ERROR' },
    'a text without a letter or digit',
  )
  await t.rejects(find(market, ''), { code: 'VALIDATION_ERROR' })
})

t.test('a changed profile is found by its current values', async (t) => {
  const market = await createMarket()
  const { token } = market.world.partner
  const id = await provision(market.world, person('C-1', { last_name: 'Before' }))
  const { profile } = person('C-1', { last_name: 'After' })
  const path = `/v1/investors/${id}/profile`
  const { status } = await market.world.request('PUT', path, { token, body: profile })
  t.equal(status, 200)
  t.strictSame(await foundIds(market, 'Before'), [])
  t.strictSame(await foundIds(market, 'after'), [id])
})

t.test('investors are listed newest first, by partner and time', async (t) => {
  const market = await createMarket()
  const { world, investorId } = market
  const { clock, partner, otherPartner } = world
  clock.advance(60)
  const since = clock.now()
  const later = await provision(world, { partner_customer_ref: 'later' })
  const { token, organizationId: organization } = otherPartner
  const other = await provision(world, { partner_customer_ref: 'other' }, token)
  const list = async (input: object) =>
    (await run<{ investor_id: string }[]>(market, 'investor.list', input)).map(
      ({ investor_id }) => investor_id,
    )
  t.strictSame(await list({}), [other, later, investorId])
  t.strictSame(await list({ sort: 'created_at' }), [investorId, later, other])
  t.strictSame(await list({ limit: 1 }), [other])
  t.strictSame(await list({ after: other, limit: 1 }), [later])
  t.strictSame(await list({ organization }), [other])
  t.strictSame(await list({ organization: partner.organizationId, since }), [later])
  t.strictSame(await list({ until: since }), [investorId])
})

t.test('an export has everything about a person, with the whole IBAN', async (t) => {
  const market = await createMarket()
  const id = await provision(market.world, person('E-1', { last_name: 'Export' }, hamburg))
  const order = await placeAccepted({ ...market, investorId: id })
  await decideAll(market, order)
  t.match(
    await run(market, 'investor.export', { investor_id: id }),
    exactArrays({
      investor: { name: /Export$/, profile: { bank_account: { iban: hamburg } } },
      holdings: [{ shares: 5, pending_shares: 0 }],
      share_purchases: [
        {
          share_purchase_id: order,
          debtor_iban: hamburg,
          history: [{ status: 'submitted' }, { status: 'approved' }, { status: 'settled' }],
          events: [{ body: /submitted/ }, { body: /approved/ }, { body: /settled/ }],
        },
      ],
    }),
  )
  t.match(
    await run(market, 'investor.show', { investor_id: id }),
    exactArrays({
      email: 'E-1@mail.example',
      share_purchases: [{ debtor_iban_masked: /^DE/ }],
    }),
  )
  const unknown = { investor_id: '0198c0de-0000-7000-8000-00000000ffff' }
  await t.rejects(run(market, 'investor.show', unknown), { code: 'INVESTOR_NOT_FOUND' })
  await t.rejects(run(market, 'investor.export', { investor_id: 'x' }), {
    code: 'INVESTOR_NOT_FOUND',
  })
})

t.test(
  'the data of an erased person is removed, except for the data that bookkeeping needs',
  async (t) => {
    const market = await createMarket()
    const { world } = market
    const { token } = world.partner
    const wanted = person('D-1', { first_name: 'Greta', last_name: 'Forgotten' }, hamburg)
    const id = await provision(world, wanted)
    const own = { ...market, investorId: id }
    const order = await placeAccepted(own)
    await decideAll(market, order)
    const { records } = await readAll(market)
    t.match(records, /D-1/, 'the reference was stored')
    for (const reason of [
      'Call of Greta',
      'MRS FORGÖTTEN asked',
      'Customer D-1.',
      'Customer "D-1"',
      `From ${hamburg}`,
    ])
      await t.rejects(run(market, 'investor.erase', { investor_id: id, reason }), {
        code: 'VALIDATION_ERROR',
        extra: { errors: { reason: /would stay/ } },
      })
    const erase = { investor_id: id, reason: 'Asked to.', although_member: true }
    const erased = await run(market, 'investor.erase', erase)
    t.match(
      erased,
      exactArrays({
        investor_id: id,
        was_erased_before: false,
        kept: [
          { what: 'share_purchases', count: 1, why: /HGB/ },
          { what: 'holdings', count: 1 },
        ],
      }),
    )

    for (const path of [
      `/v1/investors/${id}`,
      `/v1/investors/${id}/holdings`,
      collectionOf(own),
      '/v1/investors?partner_customer_ref=D-1',
    ]) {
      const { status, body } = await get(market, path)
      t.match({ status, body }, { status: 404, body: { code: 'MANAGED_INVESTOR_NOT_FOUND' } }, path)
    }
    t.match(await get(market, `${collectionOf(own)}/${order}`), {
      status: 404,
      body: { code: 'SHARE_PURCHASE_NOT_FOUND' },
    })
    const again = await world.request('POST', collectionOf(own), {
      token,
      body: sharePurchaseBody(market),
    })
    t.equal(again.body.code, 'MANAGED_INVESTOR_NOT_FOUND', 'nobody can place an order for them')

    t.match(await run(market, 'purchase.show', { share_purchase_id: order }), {
      status: 'settled',
      share_count: 5,
      total: /\d/,
      debtor_iban_masked: '',
    })
    t.match(
      await run(market, 'investor.show', { investor_id: id }),
      exactArrays({
        name: null,
        email: null,
        partner_customer_ref: null,
        erased_at: world.clock.now(),
        erased_because: 'Asked to.',
        holdings: [{ shares: 5 }],
        share_purchases: [{ share_purchase_id: order, debtor_iban_masked: null }],
      }),
    )
    for (const text of ['D-1', 'Forgotten', 'D-1@mail.example', hamburg]) {
      t.strictSame(await foundIds(market, text), [], text)
    }
    t.strictSame(await foundIds(market, order), [id], 'the order is found by its id')
    const after = await readAll(market)
    t.notMatch(after.records, /D-1|DE02/, 'no personal data is stored')
    t.notOk(after.opened.includes(hamburg), 'no encrypted value contains it')

    const anotherPerson = await provision(world, wanted)
    t.not(anotherPerson, id, 'the reference can register another person')
    t.strictSame(await foundIds(market, 'D-1'), [anotherPerson])
    t.match(
      await run(market, 'investor.erase', { investor_id: id }),
      { was_erased_before: true, reason: 'Asked to.' },
      'the erasure can be repeated',
    )
    t.match(
      await run(market, 'investor.erase', { investor_id: id, reason: 'Article 17' }),
      { was_erased_before: true, reason: 'Article 17' },
      'the reason can be corrected',
    )
    t.match(
      await run(market, 'investor.list', { erased: true }),
      exactArrays([{ investor_id: id }]),
    )
  },
)

t.test('a person with damaged data does not hide other persons', async (t) => {
  const market = await createMarket()
  const { service, partner } = market.world
  const other = await provision(market.world, person('other-1', { last_name: 'Undamaged' }))
  await service.store.write(anything, async ({ investors }) => {
    const stored = await investors.get(partner.organizationId, market.investorId)
    if (!stored) throw new Error('There is no such investor.')
    await investors.put({ ...stored, encryptedPersonalData: service.vault.encrypt('{') })
  })
  const gone = { name: null, email: null, company: null, is_damaged: true }
  t.match(
    await run(market, 'investor.list', {}),
    exactArrays([
      { investor_id: other, is_damaged: false },
      { investor_id: market.investorId, ...gone },
    ]),
  )
  const input = { investor_id: market.investorId }
  t.match(await run(market, 'investor.show', input), gone)
  t.match(await run(market, 'find', { text: market.investorId }), exactArrays({ found: [gone] }))
  await t.rejects(run(market, 'investor.export', input), { code: 'STORE_DAMAGED' })
  t.match(await run(market, 'investor.erase', input), { was_erased_before: false })
  t.match(await run(market, 'investor.show', input), { name: null, is_damaged: false })
})

/**
 * Reads all records of persons and orders as text, with the parts that the key of the store
 * decrypts.
 */
async function readAll({ world: { service, partner } }: Market) {
  const { organizationId } = partner
  return service.store.read(async ({ investors, sharePurchases }) => {
    const persons = await investors.listByOrganization(organizationId)
    const orders = await sharePurchases.list({})
    const opened = persons.flatMap(({ encryptedKey, encryptedPersonalData }) =>
      service.vault.of(encryptedKey).decrypt(encryptedPersonalData),
    )
    return { records: JSON.stringify([persons, orders]), opened: opened.join(' ') }
  })
}

t.test('a person with open orders is not erased until they are decided', async (t) => {
  const market = await createMarket()
  const input = { investor_id: market.investorId }
  const order = await placeAccepted(market)
  const open = { code: 'INVESTOR_HAS_OPEN_ORDERS', message: new RegExp(`${order} \\(submitted\\)`) }
  await t.rejects(run(market, 'investor.erase', input), open)
  await run(market, 'purchase.reject', { share_purchase_id: order, reason: 'Not wanted.' })
  t.match(await run(market, 'investor.erase', input), { was_erased_before: false })
})

t.test('a member is erased only with a flag and a reason [D61]', async (t) => {
  const market = await createMarket()
  const { investorId: investor_id, cooperative } = market
  const input = { investor_id }
  const order = await placeAccepted(market)
  const although = { ...input, although_member: true, reason: 'The board keeps its own list.' }
  await t.rejects(
    run(market, 'investor.erase', although),
    { code: 'INVESTOR_HAS_OPEN_ORDERS' },
    'open orders come first, with the flag as well',
  )
  await decideAll(market, order)
  const refused = {
    code: 'INVESTOR_IS_MEMBER',
    message: new RegExp(`${cooperative.key} \\(5\\).*section 30.*--although-member --reason`),
  }
  await t.rejects(run(market, 'investor.erase', input), refused)
  await t.rejects(run(market, 'investor.erase', { ...input, reason: 'Asked.' }), refused)
  await t.rejects(run(market, 'investor.erase', { ...although, although_member: false }), refused)
  for (const reason of [undefined, null]) {
    await t.rejects(run(market, 'investor.erase', { ...although, reason }), {
      code: 'VALIDATION_ERROR',
      extra: { errors: { reason: /^is needed/ } },
    })
  }
  await t.rejects(run(market, 'investor.erase', { ...although, reason: ' ' }), {
    code: 'VALIDATION_ERROR',
  })
  t.match(await run(market, 'investor.show', input), { erased_at: null, name: /Frieda/ })
  const erased = await run(market, 'investor.erase', although)
  t.match(erased, { was_erased_before: false, reason: 'The board keeps its own list.' })
  t.match(
    await run(market, 'investor.erase', { ...input, reason: 'Article 17' }),
    { was_erased_before: true, reason: 'Article 17' },
    'to repeat it needs no flag',
  )
})

t.test('a person whose orders have all ended without shares is no member [D61]', async (t) => {
  const market = await createMarket()
  const share_purchase_id = await placeAccepted(market)
  await run(market, 'purchase.cancel', { share_purchase_id })
  const input = { investor_id: market.investorId, although_member: true, reason: 'Asked.' }
  t.match(await run(market, 'investor.erase', input), { was_erased_before: false })
})

t.test('when an erasure and an order are simultaneous, one of them is refused', async (t) => {
  const market = await createMarket()
  const { token } = market.world.partner
  for (let round = 0; round < 5; round += 1) {
    const investorId = await provision(market.world, { partner_customer_ref: `race-${round}` })
    const path = collectionOf({ ...market, investorId })
    const [erasure, order] = await Promise.allSettled([
      run(market, 'investor.erase', { investor_id: investorId }),
      market.world.request('POST', path, { token, body: sharePurchaseBody(market) }),
    ])
    const isPlaced = order.status === 'fulfilled' && order.value.status === 201
    t.equal(erasure.status, isPlaced ? 'rejected' : 'fulfilled', `round ${round}`)
  }
})

t.test('e-mails to a person who was erased are not sent', async (t) => {
  const mailer = recordingMailer()
  const market = await createWebhookMarket(t, { mailer })
  await decideAll(market, await placeAccepted(market))
  const although = { although_member: true, reason: 'Asked to.' }
  await run(market, 'investor.erase', { investor_id: market.investorId, ...although })
  await market.dispatcher.dispatchDue()
  t.strictSame(mailer.mails, [])
})
