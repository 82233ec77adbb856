import type { AccessToken } from '../../domain/oauth/access-token.ts'
import { Problem } from '../../domain/problem.ts'
import type { Service } from '../service.ts'
import { issueToken } from './issue-token.ts'
import { readClient } from './read-client.ts'

/** The operator's right: without the secret, and not rate limited. */
export async function issueTestToken(service: Service, clientId: string): Promise<AccessToken> {
  const client = await readClient(service, clientId)
  if (client.disabled) throw disabled()
  return issueToken(service, { client, scopes: client.grantedScopes })
}

function disabled(): Problem {
  return new Problem(
    'CLIENT_DISABLED',
    'The client is disabled, so its tokens are refused. Enable it first: `coopshare client enable`.',
  )
}
