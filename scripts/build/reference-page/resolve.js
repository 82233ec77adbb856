// Replaces the references in a document by what they name, in place of the library's resolver, which
// would be an eighth of the page and can load other documents.
export default async function resolve(document) {
  /** Objects of the document with their copies, because schemas may contain themselves. */
  const copies = new Map()
  const copy = (value) => {
    if (typeof value !== 'object' || value === null) return value
    if (copies.has(value)) return copies.get(value)
    if (typeof value.$ref === 'string') return follow(value)
    const made = Array.isArray(value) ? [] : {}
    copies.set(value, made)
    for (const [key, each] of Object.entries(value)) made[key] = copy(each)
    return Object.assign(made, simplify(made))
  }
  const follow = ({ $ref, ...beside }) => {
    const named = $ref.split('/').slice(1).map(unescapePointer)
    const target = copy(named.reduce((at, key) => at[key], document))
    return Object.keys(beside).length === 0 ? target : { ...target, ...copy(beside) }
  }
  return copy(document)
}

/** A schema with a description of its own, or one that allows null, is shown as one schema instead of as a choice. */
function simplify(schema) {
  const { allOf, anyOf, ...beside } = schema
  const choices = (allOf ?? anyOf)?.filter?.(({ type }) => type !== 'null')
  if (choices?.length !== 1) return {}
  const [only] = choices
  const type = anyOf?.length === 2 ? [only.type, 'null'].flat() : only.type
  return { ...only, ...beside, type, allOf: only.allOf, anyOf: only.anyOf }
}

/** RFC 6901. */
const unescapePointer = (key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
