import t from 'tap'
import { anything } from '../../../fixtures/builders/subject.ts'
import { requestToken } from '../../../fixtures/world/token-request.ts'
import { createWorld, type World } from '../../../fixtures/world/world.ts'
import { Problem } from '../../../src/domain/problem.ts'
import { readClient, rotateClientSecret } from '../../../src/usecases/oauth/clients.ts'

/**
 * Reads the last uses in a write, because writes run one after the other, so it waits for all
 * records of uses.
 */
async function lastUses({ service, partner }: World): Promise<(string | null)[]> {
  await service.store.write(anything, async () => undefined)
  const { secrets } = await readClient(service, partner.clientId)
  return secrets.map(({ lastUsedAt }) => lastUsedAt)
}

t.test('the use of a secret is recorded at most once a minute', async (t) => {
  const world = await createWorld()
  await rotateClientSecret(world.service, world.partner.clientId)
  t.strictSame(await lastUses(world), [null, null])
  await requestToken(world)
  t.strictSame(await lastUses(world), ['2026-11-20T10:00:00.000Z', null])
  world.clock.advance(59)
  await requestToken(world)
  t.strictSame(await lastUses(world), ['2026-11-20T10:00:00.000Z', null])
  world.clock.advance(1)
  await Promise.all([requestToken(world), requestToken(world)])
  t.strictSame(await lastUses(world), ['2026-11-20T10:01:00.000Z', null])
})

t.test('a refused request does not count as a use', async (t) => {
  const world = await createWorld()
  const { clientId } = world.partner
  await requestToken(world, { form: { client_id: clientId, client_secret: 'wrong' }, headers: {} })
  t.strictSame(await lastUses(world), [null])
})

t.test('recording the use of a secret never delays a token or makes it fail', async (t) => {
  const world = await createWorld()
  const { store } = world.service
  let release = () => {}
  const held = store.write(anything, () => new Promise<void>((resolve) => (release = resolve)))
  t.equal((await requestToken(world)).status, 200, 'while no write ends')
  release()
  await held
  store.write = () => Promise.reject(new Problem('SERVICE_UNAVAILABLE', 'The disk is full.'))
  world.clock.advance(60)
  t.equal((await requestToken(world)).status, 200, 'while every write fails')
})
