/** Of ours none has half as many levels, and what is nested deeper may overflow the stack of whatever looks into it. */
const mostLevels = 100
/** Of ours none has half as many: a page has at most 100 items. */
const mostEntries = 200

/** Why a body is not looked into: it is somebody else's, and each part of it takes time. */
export function findOversize(body: unknown, levels = mostLevels): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  if (levels === 0) return `is nested more than ${mostLevels} levels deep`
  const entries = Array.isArray(body) ? body : Object.values(body)
  if (entries.length > mostEntries) {
    return `has more than ${mostEntries} fields or entries in one place`
  }
  for (const entry of entries) {
    const found = findOversize(entry, levels - 1)
    if (found !== undefined) return found
  }
  return undefined
}
