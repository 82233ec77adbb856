import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createWorld, type World } from '../../fixtures/world/world.ts'
import { runOperation } from '../../src/operations/operations.ts'

function run(world: World, name: string, input: unknown) {
  // biome-ignore lint/suspicious/noExplicitAny: the answer is JSON, and the assertions look into it.
  return runOperation(world.service, name, input) as Promise<any>
}

t.test('client create returns the client and its secret', async (t) => {
  const world = await createWorld()
  const scopes = ['projects:read', 'cooperatives:read']
  const client = await run(world, 'client.create', {
    organization: 'Demo Bank',
    name: 'web',
    scopes,
  })
  t.match(client.client_secret, /^[\w-]{43}$/)
  t.strictSame(client, {
    client_id: client.client_id,
    organization_id: world.partner.organizationId,
    name: 'web',
    kind: 'partner',
    disabled: false,
    granted_scopes: ['cooperatives:read', 'projects:read'],
    created_at: world.clock.now(),
    updated_at: world.clock.now(),
    secret_id: client.secret_id,
    client_secret: client.client_secret,
  })
})

t.test('the store has the digest of a secret, never the secret', async (t) => {
  const world = await createWorld()
  const { clientId, clientSecret } = world.partner
  const record = await world.service.store.read(({ clients }) => clients.get(clientId))
  t.match(record?.secrets[0]?.digest, /^[0-9a-f]{64}$/)
  t.notMatch(JSON.stringify(record), clientSecret)
})

t.test('client show has each secret, its age and its last use', async (t) => {
  const world = await createWorld()
  const { clientId: client_id } = world.partner
  const createdAt = world.clock.now()
  world.clock.advance(5)
  const { secret_id } = await run(world, 'client.rotate_secret', { client_id })
  const { secrets, updated_at } = await run(world, 'client.show', { client_id })
  t.match(
    secrets,
    exactArrays([
      { created_at: createdAt, last_used_at: null },
      { secret_id, created_at: world.clock.now(), last_used_at: null },
    ]),
  )
  t.equal(updated_at, world.clock.now())
})

const refusals: readonly [
  title: string,
  name: string,
  input: Record<string, unknown>,
  code: string,
  next: string,
][] = [
  [
    'no such organization',
    'client.create',
    { organization: 'Nobody' },
    'ORGANIZATION_NOT_FOUND',
    'organization list',
  ],
  [
    'another case',
    'organization.show',
    { organization: 'DEMO BANK' },
    'ORGANIZATION_NOT_FOUND',
    'Did you mean "Demo Bank"?',
  ],
  ['no such client', 'client.show', { client_id: 'nobody' }, 'CLIENT_NOT_FOUND', 'client list'],
  [
    'a name in a different case',
    'organization.create',
    { name: 'demo bank' },
    'NAME_TAKEN',
    'another name',
  ],
  [
    'no scopes at all',
    'client.create',
    { organization: 'Demo Bank', scopes: [] },
    'VALIDATION_ERROR',
    'scopes',
  ],
  [
    'an unknown scope',
    'client.create',
    { organization: 'Demo Bank', scopes: ['admin'] },
    'VALIDATION_ERROR',
    'scopes.0',
  ],
  ['an unknown key', 'key.rotate', { when: 'now' }, 'VALIDATION_ERROR', 'when'],
]

t.test('a refusal says what to do next', async (t) => {
  const world = await createWorld()
  for (const [title, name, input, code, next] of refusals) {
    const error = await run(world, name, input).catch((thrown) => thrown)
    t.equal(error.code, code, title)
    t.match(error.message, next, title)
  }
})

t.test('a client has at most two active secrets, and the last one cannot be revoked', async (t) => {
  const world = await createWorld()
  const { clientId: client_id } = world.partner
  const codeOf = (answer: Promise<unknown>) =>
    answer.then(
      () => 'done',
      ({ code }) => code,
    )
  const rotations = [1, 2, 3].map(() => codeOf(run(world, 'client.rotate_secret', { client_id })))
  t.strictSame((await Promise.all(rotations)).sort(), [
    'SECRET_LIMIT_REACHED',
    'SECRET_LIMIT_REACHED',
    'done',
  ])
  const { secrets } = await run(world, 'client.show', { client_id })
  const revocations = secrets.map(({ secret_id }: { secret_id: string }) =>
    codeOf(run(world, 'client.revoke_secret', { client_id, secret_id })),
  )
  t.strictSame((await Promise.all(revocations)).sort(), ['LAST_SECRET', 'done'])
  const unknown = run(world, 'client.revoke_secret', { client_id, secret_id: 'x' })
  t.equal(await codeOf(unknown), 'CLIENT_SECRET_NOT_FOUND')
})

t.test('key list says when each key signs and when it retires', async (t) => {
  const world = await createWorld()
  const { kid } = await run(world, 'key.rotate', {})
  t.match(
    await run(world, 'key.list', {}),
    exactArrays([
      { state: 'signing', retired_at: '2026-11-20T10:20:00.000Z' },
      { kid, state: 'published', signs_from: '2026-11-20T10:05:00.000Z', retired_at: null },
    ]),
  )
})

t.test('a disabled client gets no token', async (t) => {
  const world = await createWorld()
  const { clientId: client_id } = world.partner
  await run(world, 'client.disable', { client_id })
  const error = await run(world, 'token.issue', { client_id }).catch((thrown) => thrown)
  t.match(error, { code: 'CLIENT_DISABLED', message: 'client enable' })
})

t.test('ids of organizations, clients and secrets are read without regard to case', async (t) => {
  const world = await createWorld()
  const { clientId, organizationId } = world.partner
  const client_id = clientId.toUpperCase()
  await run(world, 'client.rotate_secret', { client_id })
  const { secrets } = await run(world, 'client.show', { client_id })
  const secret_id = secrets[0].secret_id.toUpperCase()
  await run(world, 'client.revoke_secret', { client_id, secret_id })
  t.equal((await run(world, 'client.show', { client_id })).secrets.length, 1)
  const organization = organizationId.toUpperCase()
  const { organization_id } = await run(world, 'organization.show', { organization })
  t.equal(organization_id, organizationId)
})
