import { stringify as stringifySorted } from 'safe-stable-stringify'

export interface JsonVariant {
  readonly value: string
  /** What has become of the JSON that was signed. */
  readonly detail: string
}

/** The same JSON as other programs write it; none when it is no JSON. */
export function jsonVariants(text: string): JsonVariant[] {
  const json = parse(text)
  if (json === undefined) return []
  const compact = JSON.stringify(json)
  const variants: (JsonVariant | undefined)[] = [
    typeof json === 'string' ? { value: json, detail: quoted } : undefined,
    { value: compact, detail: signedAs('compact, as JSON.stringify and the service write it') },
    { value: JSON.stringify(inOrderOfService(json)), detail: reordered },
    { value: JSON.stringify(json, undefined, 2), detail: signedAs('indented by two spaces') },
    { value: JSON.stringify(json, undefined, 4), detail: signedAs('indented by four spaces') },
    { value: JSON.stringify(json, undefined, '\t'), detail: signedAs('indented by tabs') },
    { value: stringifySorted(json) ?? '', detail: signedAs('with its keys sorted') },
    { value: stringifySorted(json, undefined, 2) ?? '', detail: signedAs('sorted and indented') },
    {
      value: spaced(json),
      detail: signedAs('with spaces after commas and colons, as Python does'),
    },
    {
      value: escaped(spaced(json)),
      detail: signedAs('with spaces and \\u escapes, as Python does'),
    },
    { value: escaped(compact), detail: signedAs('with \\u escapes') },
    {
      value: compact.replaceAll('/', '\\/'),
      detail: signedAs('with escaped slashes, as PHP does'),
    },
    { value: JSON.stringify(text), detail: signedAs('as a text inside of another JSON') },
  ]
  return variants.filter((variant) => variant !== undefined)
}

const quoted = 'It was made a text inside of another JSON.'
const reordered = 'It was parsed and written again, with its keys in another order.'

function signedAs(how: string): string {
  return `It was parsed and written again: the signature is that of the same JSON ${how}.`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** spec: Envelope and data per type, in their order; a test event has its endpoint before `terminal`. */
const orderOfService = [
  ['id', 'type', 'created_at', 'data'],
  ['webhook_endpoint_id', 'share_purchase_id', 'investor_id', 'cooperative_id', 'share_count'],
  ['status', 'terminal'],
  ['total', 'total_currency', 'reason'],
].flat()

function inOrderOfService(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json
  const rank = (key: string) => orderOfService.indexOf(key) >>> 0
  const entries = Object.entries(json).sort(([left], [right]) => rank(left) - rank(right))
  return Object.fromEntries(entries.map(([key, value]) => [key, inOrderOfService(value)]))
}

/** No line end within a text survives JSON unescaped, so those that are left are between its parts. */
function spaced(json: unknown): string {
  return JSON.stringify(json, undefined, 1).replace(/,\n */g, ', ').replace(/\n */g, '')
}

function escaped(text: string): string {
  return text.replace(
    /[\u0080-\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
