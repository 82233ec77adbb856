import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, decodeProtectedHeader, exportJWK } from 'jose'
import t from 'tap'
import { anything } from '../../../fixtures/builders/subject.ts'
import { requestToken } from '../../../fixtures/world/token-request.ts'
import { createWorld, type World } from '../../../fixtures/world/world.ts'
import { systemRandomness, useRandomness } from '../../../src/machine/random.ts'
import {
  ensureSigningKey,
  generateKeyPair,
  listSigningKeys,
  revokeSigningKey,
  rotateSigningKey,
} from '../../../src/usecases/oauth/signing-keys.ts'

async function statesOf({ service }: World): Promise<string[]> {
  return (await listSigningKeys(service)).map(({ state }) => state)
}

async function signerOf(world: World): Promise<string | undefined> {
  const { body } = await requestToken(world)
  return decodeProtectedHeader(body.access_token).kid
}

async function kidsShown(world: World): Promise<string[]> {
  const { body } = await world.request('GET', '/.well-known/jwks.json')
  return body.keys.map(({ kid }: { kid: string }) => kid)
}

t.test(
  'a new key is published immediately and signs after 300 s, and the old key retires with its last token [D27]',
  async (t) => {
    const world = await createWorld()
    const old = await signerOf(world)
    const { kid: fresh } = await rotateSigningKey(world.service)
    t.strictSame(await kidsShown(world), [old, fresh])
    t.strictSame(await statesOf(world), ['signing', 'published'])

    world.clock.advance(299)
    t.equal(await signerOf(world), old)
    world.clock.advance(1)
    t.equal(await signerOf(world), fresh)
    t.strictSame(await statesOf(world), ['retiring', 'signing'])

    world.clock.advance(899)
    t.strictSame(await kidsShown(world), [old, fresh], 'the last token is valid for another second')
    world.clock.advance(1)
    t.strictSame(await kidsShown(world), [fresh])
    t.strictSame(await statesOf(world), ['retired', 'signing'])
  },
)

t.test('a clock that was fast at the first start does not prevent tokens [D27]', async (t) => {
  const world = await createWorld()
  world.clock.advance(-90)
  t.equal((await requestToken(world)).status, 200)
  t.strictSame(await statesOf(world), ['signing'])
})

t.test('the last token of the old key is valid until it expires', async (t) => {
  const world = await createWorld()
  await rotateSigningKey(world.service)
  world.clock.advance(299)
  const { access_token: token } = (await requestToken(world)).body
  const statusAfter = async (seconds: number) => {
    world.clock.advance(seconds)
    return (await world.request('GET', '/v1/me', { token })).status
  }
  t.equal(await statusAfter(0), 200)
  t.equal(await statusAfter(899), 200)
  t.equal(await statusAfter(1), 401)
})

t.test(
  'with --now the new key signs immediately, and the old key stays published [D27]',
  async (t) => {
    const world = await createWorld()
    const old = await signerOf(world)
    const { kid: fresh, state } = await rotateSigningKey(world.service, { now: true })
    t.equal(state, 'signing')
    t.equal(await signerOf(world), fresh)
    t.strictSame(await kidsShown(world), [old, fresh])
    world.clock.advance(900)
    t.strictSame(await kidsShown(world), [fresh])
  },
)

t.test(
  'after several rotations the newest key signs, and a key that never signed is removed',
  async (t) => {
    const world = await createWorld()
    const old = await signerOf(world)
    await rotateSigningKey(world.service)
    world.clock.advance(200)
    const { kid: second } = await rotateSigningKey(world.service)
    t.strictSame(await kidsShown(world), [old, second])
    t.strictSame(await statesOf(world), ['signing', 'published'])

    world.clock.advance(200)
    t.equal(await signerOf(world), old, 'until the new key has been published for 300 s')
    const { kid: newest } = await rotateSigningKey(world.service, { now: true })
    t.strictSame(await kidsShown(world), [old, newest])
    t.strictSame(await statesOf(world), ['retiring', 'signing'])
    t.equal(await signerOf(world), newest)
    world.clock.advance(899)
    t.strictSame(
      await kidsShown(world),
      [old, newest],
      'the last token is valid for another second',
    )
    world.clock.advance(1)
    t.strictSame(await kidsShown(world), [newest])
  },
)

t.test('a later rotation does not prolong a retiring key', async (t) => {
  const world = await createWorld()
  const old = await signerOf(world)
  const { kid: second } = await rotateSigningKey(world.service, { now: true })
  world.clock.advance(600)
  const { kid: third } = await rotateSigningKey(world.service, { now: true })
  t.strictSame(await kidsShown(world), [old, second, third])
  world.clock.advance(300)
  t.strictSame(await kidsShown(world), [second, third])
})

t.test('the next rotation removes a retired key', async (t) => {
  const world = await createWorld()
  await rotateSigningKey(world.service, { now: true })
  world.clock.advance(900)
  t.strictSame(await statesOf(world), ['retired', 'signing'])
  await rotateSigningKey(world.service)
  t.strictSame(await statesOf(world), ['signing', 'published'])
})

t.test(
  'the first start creates a key that signs immediately, and later starts create none',
  async (t) => {
    const world = await createWorld()
    const { store } = world.service
    const [made] = await store.read(({ signingKeys }) => signingKeys.list())
    await store.write(anything, ({ signingKeys }) => signingKeys.remove(made?.kid ?? ''))
    await ensureSigningKey(world.service)
    const first = await signerOf(world)
    t.not(first, made?.kid)
    await ensureSigningKey(world.service)
    t.strictSame(await kidsShown(world), [first])
  },
)

t.test(
  'the private half of a key is encrypted in every record and absent from every answer',
  async (t) => {
    const { service, ...world } = await createWorld()
    const [key] = await service.store.read(({ signingKeys }) => signingKeys.list())
    const { d, p } = JSON.parse(service.vault.decrypt(key?.encryptedPrivateJwk as never))
    const { text } = await world.request('GET', '/oauth2/jwks')
    for (const said of [JSON.stringify(key), text]) {
      for (const secret of [d, p]) t.notMatch(said, secret)
    }
  },
)

async function statusWith(world: World, token: string): Promise<number> {
  return (await world.request('GET', '/v1/me', { token })).status
}

async function tokenOf(world: World): Promise<string> {
  return (await requestToken(world)).body.access_token
}

t.test(
  'a revoked key leaves every key set, and its tokens get 401 immediately [D28]',
  async (t) => {
    const world = await createWorld()
    const [old = '', token] = [await signerOf(world), await tokenOf(world)]
    t.equal(await statusWith(world, token), 200, 'the key set already has the new key')
    const { key, signer } = await revokeSigningKey(world.service, old)
    t.equal(key.kid, old)
    t.equal(await statusWith(world, token), 401)
    t.strictSame(await kidsShown(world), [signer.kid], 'the same write has created another key')
    t.strictSame(await statesOf(world), ['revoked', 'signing'])
    t.equal(await signerOf(world), signer.kid)
    t.equal(await statusWith(world, await tokenOf(world)), 200)
    // The clock of another instance may be slow.
    world.clock.advance(-60)
    t.strictSame(await kidsShown(world), [signer.kid])
  },
)

t.test('a published successor signs immediately after a revocation [D28]', async (t) => {
  const world = await createWorld()
  const old = (await signerOf(world)) ?? ''
  const { kid: successor } = await rotateSigningKey(world.service)
  const { signer } = await revokeSigningKey(world.service, old)
  t.equal(signer.kid, successor)
  t.equal(await signerOf(world), successor)
  t.strictSame(await kidsShown(world), [successor])
  await rotateSigningKey(world.service)
  t.strictSame(await statesOf(world), ['signing', 'published'], 'the next rotation removes the key')
})

t.test('the revocation of a successor does not change the signing key [D28]', async (t) => {
  const world = await createWorld()
  const old = (await signerOf(world)) ?? ''
  const { kid: successor } = await rotateSigningKey(world.service)
  await revokeSigningKey(world.service, successor)
  world.clock.advance(300 + 900)
  t.equal(await signerOf(world), old)
  t.strictSame(await kidsShown(world), [old])
  t.equal(await statusWith(world, await tokenOf(world)), 200)
})

t.test('a retiring key can be revoked, and the signing key continues to sign [D28]', async (t) => {
  const world = await createWorld()
  const [old = '', token] = [await signerOf(world), await tokenOf(world)]
  const { kid: successor } = await rotateSigningKey(world.service, { now: true })
  t.equal(await statusWith(world, token), 200)
  for (let time = 0; time < 2; time += 1) {
    const { signer } = await revokeSigningKey(world.service, old)
    t.equal(signer.kid, successor, 'a second time changes nothing')
  }
  t.equal(await statusWith(world, token), 401)
  t.strictSame(await statesOf(world), ['revoked', 'signing'])
})

t.test('an unknown key is not revoked', async (t) => {
  const world = await createWorld()
  await t.rejects(revokeSigningKey(world.service, 'unknown'), { code: 'SIGNING_KEY_NOT_FOUND' })
  t.strictSame(await statesOf(world), ['signing'])
})

/** A short key, which takes little time to find. */
async function keyWhoseId(isFit: (kid: string) => boolean): Promise<KeyObject> {
  for (;;) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 512 })
    if (isFit(await calculateJwkThumbprint(await exportJWK(privateKey)))) return privateKey
  }
}

t.test('no key has an id that a command would read as a flag', async (t) => {
  const keys = [
    await keyWhoseId((kid) => kid[0] === '-'),
    await keyWhoseId((kid) => kid[0] !== '-'),
  ]
  const generateRsaKey = async () => keys.shift() ?? systemRandomness.generateRsaKey()
  useRandomness({ ...systemRandomness, generateRsaKey })
  t.teardown(() => useRandomness(systemRandomness))
  t.match((await generateKeyPair()).kid, /^[^-]/)
  t.equal(keys.length, 0)
})
