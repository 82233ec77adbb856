import { renderFate } from '../domain/share-purchases/fate-text.ts'
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

type RenderedKind =
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
      const fields = fieldsOf(change, ({ name, investorMail, selfService, disabled }) => ({
        name,
        investor_mail: investorMail,
        self_service: selfService,
        disabled,
      }))
      return { kind: 'organization', name: change.after.name, fields }
    }
    case 'clients': {
      const shown = fieldsOf(change, ({ name, kind, grantedScopes, disabled }) => ({
        name,
        kind,
        scopes: grantedScopes.join(' '),
        disabled,
      }))
      const secret = fieldsOf(change, ({ secrets }) => ({ client_secret: secrets.length }))
      const fields = [...shown, ...secret.map(hidden)]
      return { kind: 'client', name: change.after.clientId, fields }
    }
    case 'webhooks': {
      const shown = fieldsOf(change, ({ eventTypes, pausedAt }) => ({
        types: eventTypes?.join(' ') ?? null,
        paused: pausedAt !== null,
      }))
      const secret = fieldsOf(change, ({ encryptedSigningSecret }) => ({
        signing_secret: encryptedSigningSecret,
      }))
      const fields = [...shown, ...secret.map(hidden)]
      return { kind: 'webhook', name: change.after.url, fields }
    }
    case 'cooperatives': {
      const { before, after, images } = change
      const changedImages = before ? images : []
      const fields = [
        ...fieldsOf(change, renderCooperativeDefinition),
        ...changedImages.map((image) => hidden({ field: toWirePath(image) })),
      ]
      return { kind: 'cooperative', name: after.key, fields }
    }
    case 'investors': {
      const personal = fieldsOf(change, ({ email, profile }) => ({
        email,
        profile: profile && renderProfileSections(profile, renderBankAccount),
      }))
      const shown = fieldsOf(change, ({ fate }) => ({ fate: fate ? renderFate(fate) : null }))
      const fields = [...personal.map(hidden), ...shown]
      return { kind: 'investor', name: change.after.investorId, fields }
    }
    case 'sharePurchases':
      return { kind: 'share_purchase', name: change.after.sharePurchaseId, fields: [] }
  }
}

function hidden({ field }: { readonly field: string }): RenderedField {
  return { field, hidden: true }
}

interface Change<Stored> {
  readonly before: Stored | undefined
  readonly after: Stored
}

/** All paths where a record has changed; none for a new record. Missing values are null. */
function fieldsOf<Stored>(
  { before, after }: Change<Stored>,
  render: (stored: Stored) => object,
): RenderedField[] {
  if (!before) return []
  const [left, right] = [new Map(scalarsOf(render(before))), new Map(scalarsOf(render(after)))]
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
