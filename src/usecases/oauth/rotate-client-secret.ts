import { type Client, maximumSecrets } from '../../domain/oauth/client.ts'
import { Problem } from '../../domain/problem.ts'
import type { Service } from '../service.ts'
import { changeClient } from './change-client.ts'
import type { MintedClient } from './create-client.ts'
import { mintSecret } from './mint-secret.ts'

/** A second active secret; the old one is revoked once traffic has moved (spec: Secret rotation). */
export async function rotateClientSecret(
  service: Service,
  clientId: string,
): Promise<MintedClient> {
  const minted = mintSecret(service)
  const change = ({ secrets }: Client) => {
    if (secrets.length >= maximumSecrets) throw limitReached()
    return { secrets: [...secrets, minted.secret] }
  }
  return { client: await changeClient(service, { clientId, change }), ...minted }
}

function limitReached(): Problem {
  return new Problem(
    'SECRET_LIMIT_REACHED',
    'The client already has two active secrets. Revoke one first: `coopshare client revoke-secret`.',
  )
}
