import { createHash } from 'node:crypto'
import t from 'tap'
import { completeProfile, completeProvision } from '../../fixtures/builders/investors.ts'
import {
  createMarket,
  type Market,
  place,
  provision,
  sharePurchaseBody,
} from '../../fixtures/world/market.ts'
import { createWorld, type World } from '../../fixtures/world/world.ts'
import { provisionInvestor } from '../../src/usecases/investors/provision-investor.ts'
import { placeSharePurchase } from '../../src/usecases/share-purchases/place-share-purchase.ts'
import { readProvision } from '../../src/wire/investors.ts'
import { readSharePurchaseRequest } from '../../src/wire/share-purchases.ts'

const body = completeProvision({
  profile: completeProfile({ phone: undefined, tax_id: undefined }),
})

/** Reads the body as a later version would, whose additional fields were not sent. */
function readLater(fields: Record<string, unknown> = {}) {
  const read = readProvision(body)
  const { profile } = read
  if (!profile?.address || !profile.bankAccount) throw new Error('The profile is complete.')
  const notGiven = { given: false, givenAt: null }
  const later = {
    ...profile,
    nickname: null,
    employer: null,
    address: { ...profile.address, addition: null },
    bankAccount: { ...profile.bankAccount, nickname: null },
    consents: { ...profile.consents, newsletter: notGiven },
    ...fields,
  }
  return { ...read, profile: later }
}

t.test('the first request is still a replay after the profile gains a field [D11]', async (t) => {
  const { world, investorId } = await createProvisioned()
  await replaceProfile(world, investorId)
  const { organizationId } = world.partner
  const replayed = await provisionInvestor(world.service, { organizationId, ...readLater() })
  t.match(replayed, { isNew: false, investor: { investorId } })
  for (const sent of [
    { nickname: 'Friedl' },
    { employer: { name: 'Windkraft Beispiel GmbH' } },
    { consents: { ...readLater().profile.consents, newsletter: { given: true, givenAt: null } } },
  ]) {
    const other = provisionInvestor(world.service, { organizationId, ...readLater(sent) })
    await t.rejects(other, { code: 'MANAGED_INVESTOR_PROFILE_CONFLICT' })
  }
})

t.test('the stored profile is still a replay after the profile gains a field', async (t) => {
  const { world, investorId } = await createProvisioned()
  const repeated = { ...readLater(), email: null }
  const { organizationId } = world.partner
  const replayed = await provisionInvestor(world.service, { organizationId, ...repeated })
  t.match(replayed, { isNew: false, investor: { investorId } })
})

t.test('a repeated order is still a replay after orders gain a field [D11]', async (t) => {
  const market = await createMarket()
  const first = await placeWithKey(market)
  t.equal(first.status, 201)
  const again = (fields: object, ofMandate: object) => placeLater(market, fields, ofMandate)
  const replayed = await again({ comment: null, gift: null }, { city: null })
  t.match(replayed, {
    isReplay: true,
    sharePurchase: { sharePurchaseId: first.body.share_purchase_id },
  })
  for (const [fields, ofMandate] of [
    [{ comment: 'For Otto' }, {}],
    [{}, { city: 'Kempten' }],
  ] as const) {
    await t.rejects(again(fields, ofMandate), { code: 'IDEMPOTENCY_KEY_CONFLICT' })
  }
})

// A previous version may have computed the digests in the store, so those of a body must never change.
t.test('the digests of a provision are the same in each version [D11]', async (t) => {
  const { world, investorId } = await createProvisioned()
  const digested = `{"address":{"city":"Kempten","houseNumber":"12a","postalCode":"87435","street":"Sonnenallee"},"bankAccount":{"iban":"DE12500105170648489890"},"birthDate":"1984-02-29","consents":{"dataSharing":true,"privacy":true,"terms":true},"firstName":"Frieda","lastName":"Sonnenschein"}`
  const givenAt = '2026-01-05T10:00:00.000Z'
  t.strictSame(await readFirstSent(world, investorId), {
    email: sha256('{"email":"frieda.sonnenschein@mail.example"}'),
    profile: sha256(digested),
    givenAt: { terms: givenAt, privacy: givenAt, dataSharing: givenAt },
  })
})

t.test('no part that was not sent is digested', async (t) => {
  const world = await createWorld()
  const investorId = await provision(world, { profile: null, email: null })
  const first = { email: null, profile: null, givenAt: {} }
  t.strictSame(await readFirstSent(world, investorId), first)
})

async function readFirstSent({ service, partner }: World, investorId: string): Promise<unknown> {
  const stored = await service.store.read(({ investors }) =>
    investors.get(partner.organizationId, investorId),
  )
  if (!stored) throw new Error('The investor is stored.')
  const { encryptedKey, encryptedPersonalData } = stored
  return JSON.parse(service.vault.of(encryptedKey).decrypt(encryptedPersonalData)).firstSent
}

t.test('the digest of an order is the same in each version', async (t) => {
  const market = await createMarket()
  await placeWithKey(market)
  const { cooperative, investorId } = market
  const { service, partner } = market.world
  const [record, investor] = await service.store.read(({ idempotencyRecords, investors }) =>
    Promise.all([
      idempotencyRecords.get(partner.organizationId, 'key-1'),
      investors.get(partner.organizationId, investorId),
    ]),
  )
  if (!record || !investor) throw new Error('The key and the investor are stored.')
  const digested = `{"applicantType":"private","cooperativeId":"${cooperative.id}","investorId":"${investorId}","sepaMandate":{"signedAt":"2026-01-10T08:30:00.000Z"},"shareCount":5,"statuteConsentGivenAt":"2026-01-10T08:29:00.000Z"}`
  const vault = service.vault.of(investor.encryptedKey)
  t.equal(vault.decrypt(record.encryptedRequestDigest), sha256(digested))
})

async function createProvisioned() {
  const world = await createWorld()
  return { world, investorId: await provision(world, body) }
}

/** Replaces the profile. Afterwards only the digest shows what was first sent. */
async function replaceProfile(world: World, investorId: string): Promise<void> {
  const { token } = world.partner
  const path = `/v1/investors/${investorId}/profile`
  const answer = await world.request('PUT', path, {
    token,
    body: completeProfile({ first_name: 'Friederike' }),
  })
  if (answer.status !== 200) throw new Error(`The profile was not replaced: ${answer.text}`)
}

function placeWithKey(market: Market) {
  return place(market, {}, { headers: { 'idempotency-key': 'key-1' } })
}

function placeLater({ world, ...market }: Market, fields: object, ofMandate: object) {
  const { organizationId } = world.partner
  const read = readSharePurchaseRequest(sharePurchaseBody({ world, ...market }) as never)
  const request = { ...read, ...fields, sepaMandate: { ...read.sepaMandate, ...ofMandate } }
  return placeSharePurchase(world.service, {
    organizationId,
    investorId: market.investorId,
    request,
    idempotencyKey: 'key-1',
  })
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
