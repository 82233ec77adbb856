import { decodeProtectedHeader } from 'jose'
import t from 'tap'
import { requestToken } from '../../../fixtures/token-request.ts'
import { createWorld, type World } from '../../../fixtures/world.ts'
import { ensureSigningKey } from '../../../src/usecases/oauth/ensure-signing-key.ts'
import { listSigningKeys } from '../../../src/usecases/oauth/list-signing-keys.ts'
import { revokeSigningKey } from '../../../src/usecases/oauth/revoke-signing-key.ts'
import { rotateSigningKey } from '../../../src/usecases/oauth/rotate-signing-key.ts'

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
  'a new key is published at once, signs after 300 s, and the old one retires with its last token',
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
    t.strictSame(await kidsShown(world), [old, fresh], 'the last token is good for another second')
    world.clock.advance(1)
    t.strictSame(await kidsShown(world), [fresh])
    t.strictSame(await statesOf(world), ['retired', 'signing'])
  },
)

t.test('a clock that was ahead at the first start keeps nobody from a token', async (t) => {
  const world = await createWorld()
  world.clock.advance(-90)
  t.equal((await requestToken(world)).status, 200)
  t.strictSame(await statesOf(world), ['signing'])
})

t.test('the last token that the old key signs is good for its whole life', async (t) => {
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
  'now: the new key signs at once, and both are shown until the old tokens have expired',
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
  'of several rotations the newest key signs, and one that never signed is gone',
  async (t) => {
    const world = await createWorld()
    const old = await signerOf(world)
    await rotateSigningKey(world.service)
    world.clock.advance(200)
    const { kid: second } = await rotateSigningKey(world.service)
    t.strictSame(await kidsShown(world), [old, second])
    t.strictSame(await statesOf(world), ['signing', 'published'])

    world.clock.advance(200)
    t.equal(await signerOf(world), old, 'until the new key has been shown for 300 s')
    const { kid: newest } = await rotateSigningKey(world.service, { now: true })
    t.strictSame(await kidsShown(world), [old, newest])
    t.strictSame(await statesOf(world), ['retiring', 'signing'])
    t.equal(await signerOf(world), newest)
    world.clock.advance(899)
    t.strictSame(await kidsShown(world), [old, newest], 'the last token is good for another second')
    world.clock.advance(1)
    t.strictSame(await kidsShown(world), [newest])
  },
)

t.test('a key that retires is not shown longer for a later rotation', async (t) => {
  const world = await createWorld()
  const old = await signerOf(world)
  const { kid: second } = await rotateSigningKey(world.service, { now: true })
  world.clock.advance(600)
  const { kid: third } = await rotateSigningKey(world.service, { now: true })
  t.strictSame(await kidsShown(world), [old, second, third])
  world.clock.advance(300)
  t.strictSame(await kidsShown(world), [second, third])
})

t.test('a retired key is gone with the next rotation', async (t) => {
  const world = await createWorld()
  await rotateSigningKey(world.service, { now: true })
  world.clock.advance(900)
  t.strictSame(await statesOf(world), ['retired', 'signing'])
  await rotateSigningKey(world.service)
  t.strictSame(await statesOf(world), ['signing', 'published'])
})

t.test(
  'the first start of a store makes a key that signs at once; later starts make none',
  async (t) => {
    const world = await createWorld()
    const { store } = world.service
    const [made] = await store.read(({ signingKeys }) => signingKeys.list())
    await store.write('test', ({ signingKeys }) => signingKeys.remove(made?.kid ?? ''))
    await ensureSigningKey(world.service)
    const first = await signerOf(world)
    t.not(first, made?.kid)
    await ensureSigningKey(world.service)
    t.strictSame(await kidsShown(world), [first])
  },
)

t.test('the private half is sealed: no record and no answer has it', async (t) => {
  const { service, ...world } = await createWorld()
  const [key] = await service.store.read(({ signingKeys }) => signingKeys.list())
  const { d, p } = JSON.parse(service.vault.open(key?.sealedPrivateJwk as never))
  const { text } = await world.request('GET', '/oauth2/jwks')
  for (const said of [JSON.stringify(key), text]) {
    for (const secret of [d, p]) t.notMatch(said, secret)
  }
})

async function statusWith(world: World, token: string): Promise<number> {
  return (await world.request('GET', '/v1/me', { token })).status
}

async function tokenOf(world: World): Promise<string> {
  return (await requestToken(world)).body.access_token
}

t.test('a key that is revoked is in no key set, and its tokens are 401 at once', async (t) => {
  const world = await createWorld()
  const [old = '', token] = [await signerOf(world), await tokenOf(world)]
  t.equal(await statusWith(world, token), 200, 'it is known already')
  const { key, signer } = await revokeSigningKey(world.service, old)
  t.equal(key.kid, old)
  t.equal(await statusWith(world, token), 401)
  t.strictSame(await kidsShown(world), [signer.kid], 'another one was made in the same write')
  t.strictSame(await statesOf(world), ['revoked', 'signing'])
  t.equal(await signerOf(world), signer.kid)
  t.equal(await statusWith(world, await tokenOf(world)), 200)
  // The clock of another instance may be behind.
  world.clock.advance(-60)
  t.strictSame(await kidsShown(world), [signer.kid])
})

t.test('with a successor that is published already, that one signs at once', async (t) => {
  const world = await createWorld()
  const old = (await signerOf(world)) ?? ''
  const { kid: successor } = await rotateSigningKey(world.service)
  const { signer } = await revokeSigningKey(world.service, old)
  t.equal(signer.kid, successor)
  t.equal(await signerOf(world), successor)
  t.strictSame(await kidsShown(world), [successor])
  await rotateSigningKey(world.service)
  t.strictSame(await statesOf(world), ['signing', 'published'], 'the next rotation removes it')
})

t.test('a successor that is revoked leaves the key that signs as it was', async (t) => {
  const world = await createWorld()
  const old = (await signerOf(world)) ?? ''
  const { kid: successor } = await rotateSigningKey(world.service)
  await revokeSigningKey(world.service, successor)
  world.clock.advance(300 + 900)
  t.equal(await signerOf(world), old)
  t.strictSame(await kidsShown(world), [old])
  t.equal(await statusWith(world, await tokenOf(world)), 200)
})

t.test('a key that retires can be revoked; the one that signs goes on', async (t) => {
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

t.test('a key that is not there is not revoked', async (t) => {
  const world = await createWorld()
  await t.rejects(revokeSigningKey(world.service, 'unknown'), { code: 'SIGNING_KEY_NOT_FOUND' })
  t.strictSame(await statesOf(world), ['signing'])
})
