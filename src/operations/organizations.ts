import { boolean, object, optional } from 'superstruct'
import type { Organization } from '../domain/organizations/organization.ts'
import { Problem } from '../domain/problem.ts'
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
import { distinctName, text } from '../wire/fields.ts'
import { operation } from './operation.ts'

/** `organization` is an id or an exact name. */
export const organizationOperations = {
  'organization.create': operation({
    input: object({ name: distinctName(), investor_mail: optional(boolean()) }),
    run: async (service, { name, investor_mail }) =>
      renderOrganization(await createOrganization(service, { name, investorMail: investor_mail })),
  }),
  'organization.list': operation({
    input: object({}),
    run: async (service) => (await listOrganizations(service)).map(renderOrganization),
  }),
  'organization.show': operation({
    input: object({ organization: text() }),
    run: async (service, { organization }) =>
      renderOrganization(await readOrganization(service, organization)),
  }),
  'organization.update': operation({
    input: object({
      organization: text(),
      investor_mail: optional(boolean()),
      self_service: optional(boolean()),
    }),
    run: async (service, { organization, investor_mail, self_service }) => {
      if (investor_mail === undefined && self_service === undefined) throw noSetting()
      const update = { organization, investorMail: investor_mail, selfService: self_service }
      return renderOrganization(await updateOrganization(service, update))
    },
  }),
  'organization.rename': operation({
    input: object({ organization: text(), name: distinctName() }),
    run: async (service, { organization, name }) =>
      renderOrganization(await renameOrganization(service, organization, name)),
  }),
  'organization.disable': operation({
    input: object({ organization: text() }),
    run: async (service, { organization }) =>
      renderOrganization(await disableOrganization(service, organization)),
  }),
  'organization.enable': operation({
    input: object({ organization: text() }),
    run: async (service, { organization }) =>
      renderOrganization(await enableOrganization(service, organization)),
  }),
  'organization.delete': operation({
    input: object({ organization: text(), dry_run: optional(boolean()) }),
    run: async (service, { organization, dry_run: dryRun }) =>
      renderDeleted(await deleteOrganization(service, { organization, dryRun })),
  }),
}

function renderDeleted({ organization, clients, endpoints }: DeletedOrganization) {
  return {
    organization_id: organization.organizationId,
    name: organization.name,
    clients: clients.map(({ clientId: client_id, name }) => ({ client_id, name })),
    webhooks: endpoints.map(({ webhookEndpointId: webhook_endpoint_id, url }) => ({
      webhook_endpoint_id,
      url,
    })),
  }
}

function noSetting(): Problem {
  return new Problem('VALIDATION_ERROR', 'Send at least one of: investor_mail, self_service.')
}

function renderOrganization(organization: Organization) {
  return {
    organization_id: organization.organizationId,
    name: organization.name,
    investor_mail: organization.investorMail,
    self_service: organization.selfService,
    disabled: organization.disabled,
    created_at: organization.createdAt,
    updated_at: organization.updatedAt,
  }
}
