import type { Client, ClientKind } from '../../domain/oauth/client.ts'
import { inOrder } from '../../domain/oauth/requested-scopes.ts'
import { type Scope, scopes } from '../../domain/oauth/scope.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import type { Service } from '../service.ts'
import { type MintedSecret, mintSecret } from './mint-secret.ts'

export interface CreateClient {
  /** An id or an exact name. */
  readonly organization: string
  readonly name?: string | null | undefined
  readonly kind?: ClientKind | undefined
  readonly grantedScopes?: readonly Scope[] | undefined
}

export interface MintedClient extends MintedSecret {
  readonly client: Client
}

export async function createClient(
  service: Service,
  { organization, name = null, kind = 'partner', grantedScopes = scopes }: CreateClient,
): Promise<MintedClient> {
  const minted = mintSecret(service)
  const createdAt = service.clock.now()
  return service.store.write(organization, async (records) => {
    const { organizationId } = await requireOrganization(records, organization)
    const client: Client = {
      clientId: service.random.id(),
      organizationId,
      name,
      kind,
      grantedScopes: inOrder(grantedScopes),
      secrets: [minted.secret],
      disabled: false,
      createdAt,
      updatedAt: createdAt,
    }
    await records.clients.put(client)
    return { client, ...minted }
  })
}
