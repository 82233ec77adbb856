/** In a file for people, what is not set is left out. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const set = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(set.map(([key, member]) => [key, withoutNulls(member)]))
}
