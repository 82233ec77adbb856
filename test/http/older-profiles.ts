import t, { type Test } from 'tap'
import { completeProfile, completeProvision } from '../../fixtures/builders/investors.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { createWorld, type World } from '../../fixtures/world/world.ts'
import type { Sealed } from '../../src/domain/text.ts'

/** The request omits these fields, so an older program would have stored the same profile. */
const leftOut = completeProvision({
  profile: completeProfile({ phone: undefined, tax_id: undefined }),
})

/** Paths in the encrypted personal data. Add a row for each field that a later version adds. */
const fields: readonly string[] = [
  'firstSent',
  'profile.phone',
  'profile.taxId',
  'profile.company',
  'profile.consents.representationAuthorization',
  'profile.bankAccount.isBankOutstanding',
]

for (const field of fields) {
  t.test(`an investor that was stored without ${field} is unchanged`, async (t) => {
    const world = await createWorld()
    const first = await provision(world)
    t.equal(first.status, 201)
    // The digests are removed, because with them the service would not compare the stored profile.
    await takeAway(t, world, first.body.investor_id, ['firstSent', field])
    const replayed = await provision(world)
    t.equal(replayed.status, 200, replayed.text)
    t.strictSame(replayed.body, first.body)
    const { token } = world.partner
    const read = await world.request('GET', `/v1/investors/${first.body.investor_id}`, { token })
    t.strictSame(read.body, first.body)
  })
}

t.test('investors without keys of their own are read with their own data', async (t) => {
  const world = await createWorld()
  const { token } = world.partner
  const refs = ['customer-1', 'customer-2']
  for (const ref of refs) {
    const body = completeProvision({ partner_customer_ref: ref, email: `${ref}@example.org` })
    const { body: investor } = await world.request('POST', '/v1/investors', { token, body })
    await takeKey(world, investor.investor_id)
  }
  const emailOf = async (ref: string) => {
    const path = `/v1/investors?partner_customer_ref=${ref}`
    return (await world.request('GET', path, { token })).body.email
  }
  // Reading an investor again must not show the one that was read in between.
  for (const ref of [...refs, ...refs]) t.equal(await emailOf(ref), `${ref}@example.org`)
})

function provision(world: World) {
  return world.request('POST', '/v1/investors', { token: world.partner.token, body: leftOut })
}

/** Encrypts the personal data with the key of the store, as release 0.1.0 did. */
async function takeKey({ service, partner }: World, investorId: string): Promise<void> {
  const { store, vault } = service
  await store.write(anything, async ({ investors }) => {
    const stored = await investors.get(partner.organizationId, investorId)
    if (!stored) throw new Error('There is no such investor.')
    const { sealedKey, searchTerms, ...older } = stored
    const plain = vault.of(sealedKey).open(stored.sealedPersonalData)
    await investors.put({ ...older, sealedPersonalData: vault.seal(plain) })
  })
}

async function takeAway(
  t: Test,
  { service: { store, vault }, partner }: World,
  investorId: string,
  paths: readonly string[],
): Promise<void> {
  const stored = await store.read(({ investors }) =>
    investors.get(partner.organizationId, investorId),
  )
  if (!stored) throw new Error('There is no such investor.')
  const own = vault.of(stored.sealedKey)
  const personalData = JSON.parse(own.open(stored.sealedPersonalData))
  for (const path of new Set(paths)) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    const section = names.reduce((parent, name) => parent[name], personalData)
    t.ok(last in section, `${path} was there`)
    delete section[last]
  }
  const sealedPersonalData: Sealed = own.seal(JSON.stringify(personalData))
  await store.write(anything, ({ investors }) => investors.put({ ...stored, sealedPersonalData }))
}
