import type { Investor } from '../domain/investors/investor.ts'
import type { Client } from '../domain/oauth/client.ts'
import { renderFate } from '../domain/share-purchases/fate-text.ts'
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts'
import type { FixtureChange } from '../usecases/fixtures/fixture-run.ts'
import { renderCooperativeDefinition } from './cooperative-definition.ts'
import { renderBankAccount } from './exported-fixtures.ts'
import { renderProfileSections } from './investors.ts'
import { toWirePath } from './problems.ts'

type Scalar = string | number | boolean | null

export type RenderedField =
  | { readonly field: string; readonly before: Scalar; readonly after: Scalar }
  /** Values of persons, secrets and images stay hidden: only the field is named. */
  | { readonly field: string; readonly hidden: true }

export type RenderedKind =
  | 'organization'
  | 'client'
  | 'webhook'
  | 'cooperative'
  | 'investor'
  | 'share_purchase'

export interface RenderedFixtureChange {
  readonly kind: RenderedKind
  /** An id, the name of an organization, the URL of a webhook, or the key of a cooperative. */
  readonly name: string
  readonly outcome: 'created' | 'updated'
  /** The path in the file: `organizations.0.investors.3`. */
  readonly path: string
  /** The changed fields; empty for new records. */
  readonly fields: readonly RenderedField[]
}

export function renderFixtureChange(change: FixtureChange): RenderedFixtureChange {
  const path = toWirePath(change.path)
  const outcome = change.before ? 'updated' : 'created'
  return { ...describe(change), outcome, path }
}

function describe(change: FixtureChange): Pick<RenderedFixtureChange, 'kind' | 'name' | 'fields'> {
  switch (change.kind) {
    case 'organizations': {
      const { before, after } = change
      const render = (each: typeof after) => ({
        name: each.name,
        investor_mail: each.investorMail,
        self_service: each.selfService,
        disabled: each.disabled,
      })
      const fields = before ? fieldsOf(render(before), render(after)) : []
      return { kind: 'organization', name: after.name, fields }
    }
    case 'clients': {
      const { before, after } = change
      const fields = before ? clientFields(before, after) : []
      return { kind: 'client', name: after.clientId, fields }
    }
    case 'webhooks': {
      const { before, after } = change
      const fields = before ? endpointFields(before, after) : []
      return { kind: 'webhook', name: after.url, fields }
    }
    case 'cooperatives': {
      const { before, after, images } = change
      const changed = (definition: typeof after) => renderCooperativeDefinition(definition)
      const fields = before
        ? [...fieldsOf(changed(before), changed(after)), ...images.map(toWirePath).map(hidden)]
        : []
      return { kind: 'cooperative', name: after.key, fields }
    }
    case 'investors': {
      const { before, after } = change
      const fields = before ? fieldsOf(personOf(before), personOf(after)) : []
      const names = fields.map(({ field }) => hidden(field))
      const fate = before ? fieldsOf(fateOf(before), fateOf(after)) : []
      return { kind: 'investor', name: after.investorId, fields: [...names, ...fate] }
    }
    case 'sharePurchases':
      return { kind: 'share_purchase', name: change.after.sharePurchaseId, fields: [] }
  }
}

function hidden(field: string): RenderedField {
  return { field, hidden: true }
}

function clientFields(before: Client, after: Client): readonly RenderedField[] {
  const render = ({ name, kind, grantedScopes, disabled }: Client) => ({
    name,
    kind,
    scopes: grantedScopes.join(' '),
    disabled,
  })
  const hasNewSecret = after.secrets.length !== before.secrets.length
  const secret = hasNewSecret ? [hidden('client_secret')] : []
  return [...fieldsOf(render(before), render(after)), ...secret]
}

function endpointFields(before: WebhookEndpoint, after: WebhookEndpoint): readonly RenderedField[] {
  const render = ({ eventTypes, pausedAt }: WebhookEndpoint) => ({
    types: eventTypes?.join(' ') ?? null,
    paused: pausedAt !== null,
  })
  const hasNewSecret = after.sealedSigningSecret !== before.sealedSigningSecret
  const secret = hasNewSecret ? [hidden('signing_secret')] : []
  return [...fieldsOf(render(before), render(after)), ...secret]
}

function fateOf({ fate }: Investor) {
  return { fate: fate ? renderFate(fate) : null }
}

function personOf({ email, profile }: Investor) {
  return { email, profile: profile && renderProfileSections(profile, renderBankAccount) }
}

/** All paths where the two differ. Missing values are null. */
function fieldsOf(before: object, after: object): RenderedField[] {
  const [left, right] = [new Map(scalarsOf(before)), new Map(scalarsOf(after))]
  const names = [...new Set([...left.keys(), ...right.keys()])]
  return names.flatMap((field) => {
    const values = { before: left.get(field) ?? null, after: right.get(field) ?? null }
    return values.before === values.after ? [] : [{ field, ...values }]
  })
}

function* scalarsOf(value: unknown, path = ''): Generator<[string, Scalar]> {
  if (typeof value !== 'object' || value === null) return yield [path, value as Scalar]
  for (const [key, member] of Object.entries(value)) {
    yield* scalarsOf(member, path === '' ? key : `${path}.${key}`)
  }
}
