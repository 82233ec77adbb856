import {
  maximumDepth,
  maximumFields,
  OversizeProblem,
  tooDeep,
  tooManyFields,
} from './check-shape.ts'

interface Level {
  /** undefined in a list */
  readonly keys: Set<string> | undefined
  /** The current key or index. */
  at: string | number
}

const [quote, comma] = [0x22, 0x2c]
const [openingBrace, closingBrace, openingBracket, closingBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Returns the path of the first duplicate key, of which JSON.parse silently keeps the last. Scans
 * once, without recursion. Values that are too large are refused before JSON.parse spends time on
 * them. For malformed JSON the result is meaningless, and it may throw a SyntaxError.
 */
export function findRepeatedKey(
  json: string,
  { refusesOversize = false } = {},
): string | undefined {
  const levels: Level[] = []
  let isKeyNext = false
  for (let index = 0; index < json.length; index++) {
    switch (json.charCodeAt(index)) {
      case quote: {
        const level = levels.at(-1)
        const end = endOfString(json, index)
        if (end < 0) return undefined
        if (isKeyNext && level?.keys) {
          level.at = readString(json, index, end)
          if (level.keys.has(level.at)) return pathOf(levels)
          if (refusesOversize && level.keys.size === maximumFields) throw oversize(tooManyFields)
          level.keys.add(level.at)
          isKeyNext = false
        }
        index = end
        break
      }
      case openingBrace:
      case openingBracket:
        if (levels.length > maximumDepth) {
          if (refusesOversize) throw oversize(tooDeep)
          return undefined
        }
        isKeyNext = json.charCodeAt(index) === openingBrace
        levels.push({ keys: isKeyNext ? new Set() : undefined, at: 0 })
        break
      case closingBrace:
      case closingBracket:
        levels.pop()
        isKeyNext = false
        break
      case comma: {
        const level = levels.at(-1)
        if (typeof level?.at === 'number') level.at++
        isKeyNext = level?.keys !== undefined
        break
      }
    }
  }
  return undefined
}

function oversize(fault: string): OversizeProblem {
  return new OversizeProblem({ path: [], fault })
}

/**
 * Returns the position of the closing quote, or -1. An odd number of backslashes escapes a quote.
 */
export function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end
}

function isEscaped(json: string, end: number): boolean {
  let first = end
  while (json[first - 1] === '\\') first--
  return (end - first) % 2 === 1
}

export function readString(json: string, start: number, end: number): string {
  const raw = json.slice(start + 1, end)
  return raw.includes('\\') ? JSON.parse(json.slice(start, end + 1)) : raw
}

const longestPath = 200

function pathOf(levels: readonly Level[]): string {
  const path = levels.map(({ at }) => at).join('.')
  return path.length > longestPath ? `${path.slice(0, longestPath)}…` : path
}
