import type { Failure, StructError } from 'superstruct'

/** What does not fit. Of a list in the place of an object only that: superstruct looks for the object's fields in it all the same. */
export function listFailures(error: StructError): Failure[] {
  const failures = error.failures()
  const lists = failures.filter(({ type, value }) => type === 'object' && Array.isArray(value))
  return failures.filter(({ path }) => !lists.some((list) => isBelow(path, list.path)))
}

function isBelow(path: Failure['path'], above: Failure['path']): boolean {
  return path.length > above.length && above.every((segment, index) => segment === path[index])
}
