import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import ClientCreate from '../../commands/client/create.ts'
import ClientDisable from '../../commands/client/disable.ts'
import ClientEnable from '../../commands/client/enable.ts'
import ClientList from '../../commands/client/list.ts'
import ClientRevokeSecret from '../../commands/client/revoke-secret.ts'
import ClientRotateSecret from '../../commands/client/rotate-secret.ts'
import ClientSetScopes from '../../commands/client/set-scopes.ts'
import ClientShow from '../../commands/client/show.ts'
import KeyList from '../../commands/key/list.ts'
import KeyRevoke from '../../commands/key/revoke.ts'
import KeyRotate from '../../commands/key/rotate.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import Token from '../../commands/token.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  type CommandContext,
  noSeed,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'
import { scopes } from '../../src/domain/oauth/scope.ts'

withAndWithoutService(t, { seed: noSeed, test })

async function test(t: Test, { run }: CommandContext<unknown>): Promise<void> {
  await run(OrganizationCreate, 'Demo Bank')
  const of = ['--organization', 'Demo Bank']
  const created = await run(ClientCreate, ...of, '--json')
  const { client_id: id, client_secret: secret, secret_id: secretId } = created.json

  await t.test(
    'a new client has all seven scopes, and its secret is shown once [S-authentication-4] [D46]',
    async (t) => {
      t.strictSame(created.json.granted_scopes, scopes)
      t.equal(Buffer.from(secret, 'base64url').length, 32)
      for (const command of [ClientList, ClientShow]) {
        const shown = await run(command, ...(command === ClientShow ? [id] : []), '--json')
        t.notMatch(shown.stdout, secret)
      }
      t.notMatch(created.stderr, secret, 'output for the log of a script has no secret')
      t.match(created.stderr, 'cannot be shown again')
    },
  )

  await t.test('the text output also shows the secret', async (t) => {
    const shown = await run(ClientCreate, ...of, '--name', 'catalogue', '--scope', 'projects:read')
    t.match(shown.stdout, /^client_secret +\S{43}$/m)
    t.match(shown.stdout, /^granted_scopes +projects:read$/m)
    t.match(shown.stdout, 'cannot be shown again')
  })

  await t.test('--limit and --organization narrow the list of clients', async (t) => {
    await run(OrganizationCreate, 'Nordlicht Versicherung')
    await run(ClientCreate, '--organization', 'Nordlicht Versicherung', '--kind', 'internal')
    const listed = async (...flags: string[]) => (await run(ClientList, ...flags, '--json')).json
    t.equal((await listed()).length, 3)
    t.equal((await listed('--limit', '2')).length, 2)
    t.match(
      await listed('--organization', 'Nordlicht Versicherung'),
      exactArrays([{ kind: 'internal', organization: 'Nordlicht Versicherung' }]),
    )
    t.match(
      (await run(ClientList)).stdout,
      /^ID +NAME +KIND +DISABLED +PARTNER +ORGANIZATION +SCOPES$/m,
    )
  })

  await t.test('scopes change without a new client', async (t) => {
    const changed = await run(ClientSetScopes, '--scope', 'projects:read', id, '--json')
    t.match(changed.json, exactArrays({ client_id: id, granted_scopes: ['projects:read'] }))
    const unknown = await run(ClientSetScopes, id, '--scope', 'admin')
    t.equal(unknown.exitCode, 2)
  })

  await t.test(
    'a second secret is active beside the first until the first is revoked',
    async (t) => {
      const rotated = await run(ClientRotateSecret, id, '--json')
      t.match(rotated.json, { client_id: id, client_secret: String, secret_id: String })
      t.equal((await run(ClientRotateSecret, id)).exitCode, 4, 'a third secret is refused')
      const shown = await run(ClientShow, id, '--json')
      t.match(
        shown.json.secrets,
        exactArrays([
          { secret_id: secretId, created_at: String, last_used_at: null },
          { secret_id: rotated.json.secret_id },
        ]),
      )
      t.equal((await run(ClientRevokeSecret, id, secretId)).exitCode, 0)
      t.equal((await run(ClientRevokeSecret, id, secretId)).exitCode, 3)
      t.equal((await run(ClientRevokeSecret, id, rotated.json.secret_id)).exitCode, 4)
      t.match((await run(ClientShow, id)).stdout, /^SECRET +CREATED +LAST USED$/m)
    },
  )

  await t.test('a token can be printed for testing', async (t) => {
    const { json } = await run(Token, id, '--json')
    t.match(json, { expires_in: 900, scope: 'projects:read' })
    t.match(decodeJwt(json.access_token), { client_id: id, token_type: 'client' })
    const plain = await run(Token, id)
    t.equal(decodeJwt(plain.stdout)['client_id'], id, 'the token alone, so that a shell can use it')
  })

  await t.test('a disabled client gets no token until it is enabled', async (t) => {
    t.match((await run(ClientDisable, id, '--json')).json, { client_id: id, disabled: true })
    t.equal((await run(Token, id)).exitCode, 4)
    t.match((await run(ClientEnable, id, '--json')).json, { client_id: id, disabled: false })
    t.equal((await run(Token, id)).exitCode, 0)
  })

  await t.test('an unknown client is not found', async (t) => {
    for (const command of [ClientShow, ClientDisable, ClientEnable, ClientRotateSecret, Token]) {
      const answer = await run(command, 'nobody', '--json')
      t.equal(answer.exitCode, 3, command.summary ?? '')
      t.equal(answer.json.error.code, 'CLIENT_NOT_FOUND')
    }
  })

  await t.test('a new key is published and signs later, or immediately with --now', async (t) => {
    const [first] = (await run(KeyList, '--json')).json
    const second = (await run(KeyRotate, '--json')).json
    t.strictSame([first.state, second.state], ['signing', 'published'])
    const third = (await run(KeyRotate, '--now', '--json')).json
    t.equal(third.state, 'signing')
    t.match((await run(KeyList)).stdout, new RegExp(`^${third.kid} +signing`, 'm'))
  })

  await t.test('a key is revoked by its id, and an unknown id is refused [D28]', async (t) => {
    let kid = '-'
    // One in 64 ids begins with a hyphen, and `--` would have to stand before it.
    while (kid.startsWith('-')) kid = (await run(KeyRotate, '--now', '--json')).json.kid
    const revoked = await run(KeyRevoke, kid, '--json')
    t.match(revoked.json, { kid, state: 'revoked', signing_kid: String })
    const listed = (await run(KeyList)).stdout
    t.match(listed, new RegExp(`^${kid} +revoked`, 'm'))
    t.match(listed, new RegExp(`^${revoked.json.signing_kid} +signing`, 'm'))
    t.equal(
      (await run(KeyRevoke, kid)).stdout.trim(),
      `Revoked ${kid}. Its access tokens are refused; ${revoked.json.signing_kid} signs new ones.`,
      'even if it was revoked before',
    )
    const unknown = await run(KeyRevoke, 'unknown')
    t.equal(unknown.exitCode, 3)
    t.match(unknown.stderr, 'There is no signing key "unknown".')
  })
}
