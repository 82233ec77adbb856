import { createHash } from 'node:crypto'
import { stringify } from 'safe-stable-stringify'

/**
 * The stored digest that identifies a repeated request. Null fields are left out, so that digests
 * stay valid when a later version adds fields. @param nulls paths of fields that are digested
 * although null, as the first version did; never extended
 */
export function digestRequest(request: object, nulls: ReadonlySet<string>): string {
  return createHash('sha256')
    .update(stringify(withoutUnsent(request, nulls)) ?? '')
    .digest('base64url')
}

function withoutUnsent(section: object, nulls: ReadonlySet<string>, path = ''): object {
  const sent = Object.entries(section).filter(
    ([name, value]) => value !== null || nulls.has(path + name),
  )
  return Object.fromEntries(
    sent.map(([name, value]) => [
      name,
      isSection(value) ? withoutUnsent(value, nulls, `${path}${name}.`) : value,
    ]),
  )
}

function isSection(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A strong entity tag, including quotes (RFC 9110 8.8.3). */
export function strongEtag(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`
}
