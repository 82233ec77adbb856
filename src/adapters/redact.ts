/** A net below LogFields, which has no such fields: names under which no log shows a value. */
const confidential: ReadonlySet<string> = new Set([
  'access_token',
  'authorization',
  'client_secret',
  'clientSecret',
  'debtor_iban',
  'debtorIban',
  'email',
  'iban',
  'password',
  'secret',
  'signing_secret',
  'signingSecret',
  'tax_id',
  'taxId',
  'token',
])

/** At the top and one level below, not in lists. pino's own way takes as long as all the rest of a line. */
export function redact(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactTo(2, fields)
}

function redactTo(depth: number, fields: object): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    shown[name] = confidential.has(name) ? '[Redacted]' : redactInside(depth - 1, value)
  }
  return shown
}

function redactInside(depth: number, value: unknown): unknown {
  return depth > 0 && hasNames(value) ? redactTo(depth, value) : value
}

function hasNames(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return !Array.isArray(value) && !(value instanceof Error)
}
