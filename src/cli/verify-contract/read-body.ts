import { readAtMost } from '../read-at-most.ts'
import type { Answer } from './pinned-contract.ts'

/** Of ours none has more than a picture's 1 MiB. */
const mostMebibytes = 8
/** Of ours none has half as many, and what is nested deeper may overflow the stack of whatever looks into it. */
const mostLevels = 100

type ReadBody = Pick<Answer, 'text' | 'body' | 'unread'>

/** A body that is too large is not read any further, which also ends the connection. */
export async function readBody(stream: AsyncIterable<Uint8Array>): Promise<ReadBody> {
  const bytes = await readAtMost(stream, mostMebibytes * 1024 * 1024)
  if (!bytes) return unread(`the body has more than ${mostMebibytes} MiB`)
  const text = new TextDecoder().decode(bytes)
  const body = parsed(text)
  if (!isNested(body, mostLevels)) return { text, body }
  return unread(`the body is nested more than ${mostLevels} levels deep`)
}

function unread(why: string): ReadBody {
  return { text: '', body: '', unread: why }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isNested(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isNested(inner, levels - 1))
}
