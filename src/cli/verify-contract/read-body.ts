import { readAtMost } from '../read-at-most.ts'
import { findOversize } from './oversize.ts'
import type { Answer } from './pinned-contract.ts'

/** Of ours none has more than a picture's 1 MiB. */
const mostMebibytes = 8

type ReadBody = Pick<Answer, 'text' | 'body' | 'unread'>

/** A body that is too large is not read any further, which also ends the connection. */
export async function readBody(stream: AsyncIterable<Uint8Array>): Promise<ReadBody> {
  const bytes = await readAtMost(stream, mostMebibytes * 1024 * 1024)
  if (!bytes) return unread(`the body has more than ${mostMebibytes} MiB`)
  const text = new TextDecoder().decode(bytes)
  const body = parsed(text)
  const oversize = findOversize(body)
  return oversize === undefined ? { text, body } : unread(`the body ${oversize}`)
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
