import type { Failure, StructError } from 'superstruct'

/** What does not fit. Of a list in the place of an object only that: superstruct looks for the object's fields in it all the same. */
export function listFailures(error: StructError): Failure[] {
  const failures = error.failures()
  const lists = failures.filter(({ type, value }) => type === 'object' && Array.isArray(value))
  const listPaths = new Set(lists.map(({ path }) => textOf(path)))
  const isInList = ({ path }: Failure) =>
    path.some((_, depth) => listPaths.has(textOf(path.slice(0, depth))))
  return failures.filter((failure) => !isInList(failure))
}

function textOf(path: Failure['path']): string {
  return JSON.stringify(path)
}
