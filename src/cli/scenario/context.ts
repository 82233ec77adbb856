import { isUuid } from '../../domain/ids.ts'
import { demoCredentials } from '../serve/initial-data.ts'
import { Mismatch } from './mismatch.ts'
import type { Scenario } from './read-scenario.ts'
import type { BuiltInReceiver, ScenarioService } from './scenario-service.ts'
import type { Variables } from './variables.ts'

/** A running scenario, as its steps see it. */
export interface ScenarioContext {
  readonly scenario: Scenario
  readonly service: ScenarioService
  /** undefined if events go elsewhere. */
  readonly receiver: BuiltInReceiver | undefined
  readonly variables: Variables
  /** The clients of organizations, as the first step with each organization found them. */
  readonly clients: Map<string | undefined, PartnerClient>
  /** Access tokens that steps have named. */
  readonly tokens: Map<string, string>
  /** The time of the clock at the start. Mandates are signed then. */
  readonly startedAt: string
}

/** @param name of an order in an earlier step, or an id */
export function orderIdOf({ variables }: ScenarioContext, name: string): string {
  const named = variables.get(name)
  if (typeof named === 'string') return named
  if (isUuid(name)) return name
  throw new Mismatch(`No earlier step has placed an order named ${name}.`)
}

export interface PartnerClient {
  readonly clientId: string
  readonly organizationId: string
}

/**
 * An organization has the same client in all steps: otherwise a step that expects this client to be disabled would
 * send the request of another one.
 * @param wanted a client id or an organization
 */
export async function findClient(
  context: ScenarioContext,
  wanted?: string,
): Promise<PartnerClient> {
  const asked = wanted ?? defaultClientOf(context.scenario)
  const client = context.clients.get(asked) ?? (await listClients(context, asked))[0]
  if (!client) throw new Mismatch(`There is no enabled client of ${asked ?? 'any organization'}.`)
  context.clients.set(asked, client)
  return client
}

/** Clients with the most scopes first. */
async function listClients(
  { service }: ScenarioContext,
  asked: string | undefined,
): Promise<PartnerClient[]> {
  const { operator } = service
  const byId = asked !== undefined && isUuid(asked)
  const clients = await operator.call('client.list', byId ? {} : { organization: asked })
  return clients
    .filter(({ client_id, disabled, kind }) =>
      byId ? client_id === asked : !disabled && kind === 'partner',
    )
    .toSorted((left, right) => right.granted_scopes.length - left.granted_scopes.length)
    .map((client) => ({ clientId: client.client_id, organizationId: client.organization_id }))
}

function defaultClientOf({ given, fixtures }: Scenario): string | undefined {
  const [first] = fixtures?.input.organizations ?? []
  const organization = given.webhooks?.organization ?? first?.name
  return organization ?? (given.demo ? demoCredentials.client_id : undefined)
}

/** Sets the variables with which a first step can send an app the address and the credentials. */
export async function setServiceVariables(context: ScenarioContext): Promise<void> {
  const { scenario, service, variables } = context
  variables.set('COOPSHARE_URL', service.baseUrl)
  const signingSecret = service.webhook?.signingSecret
  if (signingSecret !== undefined) variables.set('COOPSHARE_SIGNING_SECRET', signingSecret)
  const [client] = await listClients(context, defaultClientOf(scenario))
  if (!client) return
  variables.set('COOPSHARE_CLIENT_ID', client.clientId)
  const secret = secretOf(scenario, client)
  if (secret !== undefined) variables.set('COOPSHARE_CLIENT_SECRET', secret)
}

function secretOf({ fixtures }: Scenario, { clientId }: PartnerClient): string | undefined {
  if (clientId === demoCredentials.client_id) return demoCredentials.client_secret
  const organizations = fixtures?.input.organizations ?? []
  const clients = organizations.flatMap((organization) => organization.clients ?? [])
  return clients.find(({ client_id }) => client_id === clientId)?.client_secret ?? undefined
}

export async function issueToken({ service }: ScenarioContext, client_id: string): Promise<string> {
  const { access_token } = await service.operator.call('token.issue', { client_id })
  return access_token
}

export async function findEvent(
  { service }: ScenarioContext,
  { type, orderId }: { readonly type: string; readonly orderId: string },
) {
  for await (const events of service.operator.list('event.list', { type: type as never })) {
    const found = events.find(({ share_purchase_id }) => share_purchase_id === orderId)
    if (found) return found
  }
  return undefined
}
