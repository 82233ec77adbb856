import { boolean, object, optional } from 'superstruct'
import type { Client } from '../domain/oauth/client.ts'
import type { Organization } from '../domain/organizations/organization.ts'
import { Problem } from '../domain/problem.ts'
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts'
import {
  createOrganization,
  type DeletedOrganization,
  deleteOrganization,
  disableOrganization,
  enableOrganization,
  listOrganizations,
  readOrganization,
  renameOrganization,
  updateOrganization,
} from '../usecases/organizations/organizations.ts'
import * as given from '../wire/fields.ts'
import { bool, id, instant, listOf, many, text, textOrNull, view } from '../wire/view.ts'
import { operation } from './operation.ts'

const organization = view<Organization>()('Organization', {
  organization_id: id('Organization id.', (it) => it.organizationId),
  name: text('Name, which is unique regardless of case.', (it) => it.name),
  investor_mail: bool('Whether investors get e-mails about their orders.', (it) => it.investorMail),
  self_service: bool(
    'Whether the partner may decide its own orders in staging.',
    (it) => it.selfService,
  ),
  disabled: bool(
    'Whether the organization is disabled. If it is, the service refuses its tokens, and its webhooks wait.',
    (it) => it.disabled,
  ),
  created_at: instant('Time of creation.', (it) => it.createdAt),
  updated_at: instant('Time of the last change.', (it) => it.updatedAt),
})

const deletedClient = view<Client>()('Deleted client', {
  client_id: id('Client id.', (it) => it.clientId),
  name: textOrNull('Name that distinguishes the client from others.', (it) => it.name),
})

const deletedEndpoint = view<WebhookEndpoint>()('Deleted webhook endpoint', {
  webhook_endpoint_id: id('Id of the endpoint.', (it) => it.webhookEndpointId),
  url: text('URL of the endpoint.', (it) => it.url),
})

const deleted = view<DeletedOrganization>()('Deleted organization', {
  organization_id: id('Organization id.', (it) => it.organization.organizationId),
  name: text('Organization name.', (it) => it.organization.name),
  clients: listOf(
    deletedClient,
    'Clients that were deleted with the organization.',
    (it) => it.clients,
  ),
  webhooks: listOf(
    deletedEndpoint,
    'Endpoints that were deleted with the organization.',
    (it) => it.endpoints,
  ),
})

/** An id or an exact name. */
const one = object({ organization: given.text() })
const needsOrganization = { role: 'administrator', problems: ['ORGANIZATION_NOT_FOUND'] } as const

export const organizationOperations = {
  'organization.create': operation({
    role: 'administrator',
    summary: 'Create a partner organization.',
    problems: ['NAME_TAKEN'],
    input: object({ name: given.distinctName(), investor_mail: optional(boolean()) }),
    answer: organization,
    run: (service, { name, investor_mail }) =>
      createOrganization(service, { name, investorMail: investor_mail }),
  }),
  'organization.list': operation({
    role: 'viewer',
    summary: 'List partner organizations.',
    input: object({}),
    answer: many(organization),
    run: listOrganizations,
  }),
  'organization.show': operation({
    ...needsOrganization,
    role: 'viewer',
    summary: 'Show a partner organization.',
    input: one,
    answer: organization,
    run: (service, input) => readOrganization(service, input.organization),
  }),
  'organization.update': operation({
    ...needsOrganization,
    summary: "Change a partner organization's settings.",
    input: object({
      organization: given.text(),
      investor_mail: optional(boolean()),
      self_service: optional(boolean()),
    }),
    answer: organization,
    run: async (service, input) => {
      const { investor_mail: investorMail, self_service: selfService } = input
      if (investorMail === undefined && selfService === undefined) {
        throw new Problem('VALIDATION_ERROR', 'Send at least one of: investor_mail, self_service.')
      }
      return updateOrganization(service, {
        organization: input.organization,
        investorMail,
        selfService,
      })
    },
  }),
  'organization.rename': operation({
    ...needsOrganization,
    summary: 'Rename a partner organization.',
    problems: ['ORGANIZATION_NOT_FOUND', 'NAME_TAKEN'],
    input: object({ organization: given.text(), name: given.distinctName() }),
    answer: organization,
    run: (service, input) => renameOrganization(service, input.organization, input.name),
  }),
  'organization.disable': operation({
    ...needsOrganization,
    summary: 'Disable a partner organization: its tokens are refused, and its webhooks wait.',
    input: one,
    answer: organization,
    run: (service, input) => disableOrganization(service, input.organization),
  }),
  'organization.enable': operation({
    ...needsOrganization,
    summary: 'Enable a disabled partner organization.',
    input: one,
    answer: organization,
    run: (service, input) => enableOrganization(service, input.organization),
  }),
  'organization.delete': operation({
    ...needsOrganization,
    summary:
      'Delete a partner organization that has no investors, and its clients and webhook endpoints.',
    problems: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_NOT_EMPTY'],
    input: object({ organization: given.text(), dry_run: optional(boolean()) }),
    answer: deleted,
    run: (service, input) =>
      deleteOrganization(service, { organization: input.organization, dryRun: input.dry_run }),
  }),
}
