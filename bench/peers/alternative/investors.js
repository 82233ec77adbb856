// The routes of investors.
import { randomUUID } from 'node:crypto'
import { InvestorAnswer, ProfileAnswer } from './answers.js'
import { isUuid } from './ids.js'
import { Problem, refuseParameter, schemaProblem } from './problems.js'
import { createProfile, digestOf, renderInvestor, renderProfile } from './profile.js'
import { Profile, Provision } from './schemas.js'

const answered = { response: { '2xx': InvestorAnswer } }

export function investorNotFound() {
  return new Problem('MANAGED_INVESTOR_NOT_FOUND', 'None of your investors has this id.')
}

export async function investors(app, { store }) {
  const write = { config: { scopes: ['investors:write'] } }
  const read = { config: { scopes: ['investors:read'] }, schema: answered }

  app.post(
    '/v1/investors',
    { ...write, schema: { body: Provision, ...answered } },
    async ({ caller, body }, reply) => {
      const added = await store.addInvestor(createInvestor(caller, body))
      if (added) return reply.code(201).send(renderInvestor(added))
      return renderInvestor(await replay(store, caller, body))
    },
  )

  app.get('/v1/investors', read, async ({ caller, query }) => {
    const { partner_customer_ref: reference } = query
    if (typeof reference !== 'string') refuseParameter('partner_customer_ref is required once.')
    const investor = await store.findInvestorByReference(caller.organizationId, reference)
    if (!investor) throw investorNotFound()
    return renderInvestor(investor)
  })

  app.get('/v1/investors/:investorId', read, async ({ caller, params }) =>
    renderInvestor(await requireInvestor(store, caller, params)),
  )

  app.put(
    '/v1/investors/:investorId/profile',
    {
      ...write,
      schema: { body: Profile, response: { 200: ProfileAnswer } },
      attachValidation: true,
    },
    async (request) => {
      const { caller, params, body, validationError } = request
      const investor = await requireInvestor(store, caller, params)
      if (validationError) throw schemaProblem(validationError, 'profile.')
      const changed = await store.replaceProfile({
        ...{ organizationId: caller.organizationId, investorId: investor.investor_id },
        ...{ email: body.email ?? investor.email, profile: createProfile(body) },
      })
      return renderProfile(changed)
    },
  )
}

export async function requireInvestor(store, { organizationId }, { investorId }) {
  const investor = isUuid(investorId) && (await store.findInvestor(organizationId, investorId))
  if (!investor) throw investorNotFound()
  return investor
}

function createInvestor({ organizationId }, { partner_customer_ref, email, profile }) {
  return {
    investor_id: randomUUID(),
    organization_id: organizationId,
    partner_customer_ref,
    email: email ?? profile?.email ?? null,
    profile: profile ? createProfile(profile, { email }) : null,
    provision_digest: digestOf({ email, profile }),
  }
}

/** Registering the same investor again answers as before; other details are a conflict. */
async function replay(store, { organizationId }, { partner_customer_ref: ref, email, profile }) {
  const investor = await store.findInvestorByReference(organizationId, ref)
  const isSame = investor.provision_digest === digestOf({ email, profile })
  if (isSame || (!profile && (!email || email === investor.email))) return investor
  throw new Problem(
    'MANAGED_INVESTOR_PROFILE_CONFLICT',
    'The investor exists with other details. Replace the profile with a PUT instead.',
  )
}
