import { boolean, object, optional } from 'superstruct'
import { type ListedSigningKey, listSigningKeys } from '../usecases/oauth/list-signing-keys.ts'
import { revokeSigningKey } from '../usecases/oauth/revoke-signing-key.ts'
import { rotateSigningKey } from '../usecases/oauth/rotate-signing-key.ts'
import { operation } from './operation.ts'
import { text } from './shapes/text.ts'

export const keyOperations = {
  'key.list': operation({
    input: object({}),
    run: async (service) => (await listSigningKeys(service)).map(renderKey),
  }),
  'key.rotate': operation({
    input: object({ now: optional(boolean()) }),
    run: async (service, { now }) => renderKey(await rotateSigningKey(service, { now })),
  }),
  'key.revoke': operation({
    input: object({ kid: text() }),
    run: async (service, { kid }) => {
      const { key, signer } = await revokeSigningKey(service, kid)
      return { ...renderKey({ ...key, state: 'revoked' }), signing_kid: signer.kid }
    },
  }),
}

function renderKey({ kid, state, createdAt, signsFrom, retiredAt }: ListedSigningKey) {
  return { kid, state, created_at: createdAt, signs_from: signsFrom, retired_at: retiredAt }
}
