// The ids, keys and tokens of a world, by name. Requests in the corpus contain these names in braces,
// because the values differ from world to world.
import type { Dice } from '../dice.ts'

const mostOfOne = 40
const mostOfAnAnswer = 400

/** For each field, the kind of its values. Fields of the same kind share their values. */
const kinds: Readonly<Record<string, string>> = {
  ...{
    organization: 'organization_id',
    receiver: 'webhook_endpoint_id',
    order: 'share_purchase_id',
  },
  client: 'client_id',
  cooperative: 'cooperative_id',
  investor: 'investor_id',
  investorId: 'investor_id',
  purchaseId: 'share_purchase_id',
  after: 'event_id',
  organization_id: 'organization_id',
  client_id: 'client_id',
  secret_id: 'secret_id',
  cooperative_id: 'cooperative_id',
  investor_id: 'investor_id',
  event_id: 'event_id',
  share_purchase_id: 'share_purchase_id',
  webhook_endpoint_id: 'webhook_endpoint_id',
  client_secret: 'client_secret',
  kid: 'kid',
  operator: 'operator_id',
  operator_id: 'operator_id',
  proposed_at: 'proposed_at',
  key: 'key',
  partner_customer_ref: 'partner_customer_ref',
  request_id: 'request_id',
}

/** The fields whose values an answer can teach. */
const ownKinds = new Set(Object.values(kinds))

export class Names {
  readonly #values = new Map<string, string[]>()

  /** Sets the value that `fill` puts in the place of the name. */
  set(name: string, value: string): void {
    this.#values.set(name, [value, ...(this.#values.get(name) ?? [])].slice(0, mostOfOne))
  }

  add(name: string, value: string): void {
    const known = this.#values.get(name) ?? []
    this.#values.set(name, known)
    if (known.includes(value)) return
    known.push(value)
    if (known.length > mostOfOne) known.splice(1, 1)
  }

  first(name: string): string {
    return this.#values.get(name)?.[0] ?? ''
  }

  /** Returns a value for a field or a parameter; undefined if no value fits. */
  pick(dice: Dice, field: string): string | undefined {
    const known = this.#values.get(kinds[field] ?? field)
    if (!known) return undefined
    return dice.chance(0.8) ? known[0] : dice.pick(known)
  }

  /** Adds the values that an answer contains. */
  learn(answer: unknown): void {
    let left = mostOfAnAnswer
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || left <= 0) return
      for (const [name, inner] of Object.entries(value)) {
        left -= 1
        if (typeof inner === 'object') visit(inner)
        else if (typeof inner === 'string' && ownKinds.has(name)) this.add(name, inner)
      }
    }
    visit(answer)
  }

  fill(text: string): string {
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => this.#values.get(name)?.[0] ?? whole)
  }

  /** Replaces values with their names, so that a finding can be sent to another world. */
  strip(text: string): string {
    let stripped = text
    for (const [name, values] of this.#values) {
      if (name === 'key' || name === 'partner_customer_ref') continue
      for (const value of values) {
        if (value.length >= 8) stripped = stripped.replaceAll(value, `{${name}}`)
      }
    }
    return stripped
  }
}
