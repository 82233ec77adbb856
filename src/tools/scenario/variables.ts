import { Mismatch } from './mismatch.ts'

/** Names that steps use as `$NAME` (capital letters) or `${name}`. */
export type Variables = Map<string, unknown>

const oneVariable = /^(?:\$\{(\w+)\}|\$([A-Z][A-Z_]*))$/
const variables = /\$\{(\w+)\}|\$([A-Z][A-Z_]*)/g

/**
 * Replaces variables in each text of a value. A text that is a single variable becomes its value,
 * with the type of the value.
 */
export function substitute<Value>(value: Value, known: Variables): Value {
  return replaceIn(value, known) as Value
}

function replaceIn(value: unknown, known: Variables): unknown {
  if (typeof value === 'string') return replaceInText(value, known)
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, known))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceIn(item, known)]),
  )
}

function replaceInText(text: string, known: Variables): unknown {
  const [whole, name, capital] = oneVariable.exec(text) ?? []
  if (whole !== undefined) return requireVariable(name ?? capital ?? '', known)
  return text.replaceAll(variables, (_, name: string | undefined, capital: string | undefined) =>
    String(requireVariable(name ?? capital ?? '', known)),
  )
}

function requireVariable(name: string, known: Variables): unknown {
  if (known.has(name)) return known.get(name)
  const names = [...known.keys()].join(', ') || 'none'
  throw new Mismatch(`The variable ${name} is unknown. Known here: ${names}.`)
}

/** Whether the value of the text is known only when its step is taken. */
export function hasVariable(text: string): boolean {
  return text.search(variables) !== -1
}

/** Whether the variable occurs in any text of the value. */
export function mentions(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') {
    return [...value.matchAll(variables)].some(([, name, capital]) => (name ?? capital) === wanted)
  }
  return typeof value === 'object' && value !== null
    ? Object.values(value).some((item) => mentions(item, wanted))
    : false
}

/** @param captures names with paths such as `items.0.id` */
export function capture(
  captures: Readonly<Record<string, string>> | undefined,
  body: unknown,
  known: Variables,
): void {
  for (const [name, path] of Object.entries(captures ?? {})) {
    const value = valueAt(body, path)
    if (value === undefined) {
      throw new Mismatch(`The answer has nothing at ${path}, so ${name} cannot be taken from it.`, {
        actual: body,
      })
    }
    known.set(name, value)
  }
}

export function valueAt(body: unknown, path: string): unknown {
  const segments = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  return segments.reduce<unknown>(
    (value, segment) => (Object(value) as Readonly<Record<string, unknown>>)[segment],
    body,
  )
}
