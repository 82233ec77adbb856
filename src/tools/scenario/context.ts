import { demoCredentials } from '../../cli/serve/initial-data.ts'
import { isUuid } from '../../domain/ids.ts'
import { Problem } from '../../domain/problem.ts'
import { findInvestor } from '../../usecases/investors/investors.ts'
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
  const list = operator.call('client.list', byId ? {} : { organization: asked })
  const clients = await withKnownNames(list, `organization "${asked}"`, async () =>
    (await operator.call('organization.list', {})).map(({ name }) => name),
  )
  return clients
    .filter(({ client_id, disabled, kind }) =>
      byId ? client_id === asked : !disabled && kind === 'partner',
    )
    .toSorted((left, right) => right.granted_scopes.length - left.granted_scopes.length)
    .map((client) => ({ clientId: client.client_id, organizationId: client.organization_id }))
}

/** @param wanted the key or the id */
export async function findCooperative({ service }: ScenarioContext, wanted: string) {
  const reading = service.operator.call('cooperative.show', { cooperative: wanted })
  return withKnownNames(reading, `cooperative "${wanted}"`, async () =>
    (await service.operator.call('cooperative.list', {})).map(({ key, id }) => key ?? id),
  )
}

export async function findNamedInvestor(
  { service }: ScenarioContext,
  organizationId: string,
  partnerCustomerRef: string,
) {
  const finding = findInvestor(service.service, { organizationId, partnerCustomerRef })
  return withKnownNames(finding, `investor "${partnerCustomerRef}"`, async () => {
    const selection = {
      organization: organizationId,
      sort: 'created_at',
      limit: namedAtMost + 1,
    } as const
    const references: string[] = []
    for await (const investors of service.operator.list('investor.list', selection)) {
      references.push(...investors.flatMap((one) => one.partner_customer_ref ?? []))
    }
    return references
  })
}

const namedAtMost = 20
const notFound = ['ORGANIZATION_NOT_FOUND', 'COOPERATIVE_NOT_FOUND', 'MANAGED_INVESTOR_NOT_FOUND']

/** The advice of the service is about the user's own store, which no scenario uses. */
async function withKnownNames<Found>(
  finding: Promise<Found>,
  wanted: string,
  listNames: () => Promise<readonly string[]>,
): Promise<Found> {
  try {
    return await finding
  } catch (error) {
    if (!(error instanceof Problem && notFound.includes(error.code))) throw error
    const names = await listNames()
    const more = names.length > namedAtMost ? ', …' : ''
    const known = names.slice(0, namedAtMost).join(', ') || 'none'
    throw new Mismatch(`There is no ${wanted}. Known here: ${known}${more}.`)
  }
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

/** @param order its name in an earlier step, or its id */
export async function findEvent(context: ScenarioContext, type: string, order: string) {
  const orderId = orderIdOf(context, order)
  const { operator } = context.service
  for await (const events of operator.list('event.list', { type: type as never })) {
    const found = events.find(({ share_purchase_id }) => share_purchase_id === orderId)
    if (found) return found
  }
  throw new Mismatch(`The order ${order} has no event ${type}.`)
}
