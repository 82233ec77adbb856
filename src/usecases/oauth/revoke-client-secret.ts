import type { Client } from '../../domain/oauth/client.ts'
import { Problem } from '../../domain/problem.ts'
import type { Service } from '../service.ts'
import { changeClient } from './change-client.ts'

export interface RevokeClientSecret {
  readonly clientId: string
  readonly secretId: string
}

export function revokeClientSecret(
  service: Service,
  { clientId, secretId }: RevokeClientSecret,
): Promise<Client> {
  const change = ({ secrets }: Client) => {
    const left = secrets.filter((secret) => secret.secretId !== secretId.toLowerCase())
    if (left.length === secrets.length) throw notFound(secretId)
    if (left.length === 0) throw lastSecret()
    return { secrets: left }
  }
  return changeClient(service, { clientId, change })
}

function notFound(secretId: string): Problem {
  return new Problem(
    'CLIENT_SECRET_NOT_FOUND',
    `The client has no active secret "${secretId}". \`coopshare client show\` lists them.`,
  )
}

/** Spec gap: see DECISIONS.md, secrets and names. */
function lastSecret(): Problem {
  return new Problem(
    'LAST_SECRET',
    'This is the only active secret. Rotate first, or stop the client: `coopshare client disable`.',
  )
}
