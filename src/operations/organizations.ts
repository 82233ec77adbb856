import { boolean, object, optional } from 'superstruct'
import type { Organization } from '../domain/organizations/organization.ts'
import { Problem } from '../domain/problem.ts'
import {
  createOrganization,
  listOrganizations,
  readOrganization,
  updateOrganization,
} from '../usecases/organizations/organizations.ts'
import { text } from '../wire/fields.ts'
import { operation } from './operation.ts'

/** `organization` is an id or an exact name. */
export const organizationOperations = {
  'organization.create': operation({
    input: object({ name: text(), investor_mail: optional(boolean()) }),
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
    created_at: organization.createdAt,
    updated_at: organization.updatedAt,
  }
}
