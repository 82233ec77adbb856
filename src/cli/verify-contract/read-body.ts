import type { Answer } from './pinned-contract.ts'

/** Of ours none has more than a picture's 1 MiB. */
const mostMebibytes = 8
/** Of ours none has half as many, and what is nested deeper may overflow the stack of whatever looks into it. */
const mostLevels = 100

type ReadBody = Pick<Answer, 'text' | 'body' | 'unread'>

/** A body that is too large is not read any further. */
export async function readBody(stream: AsyncIterable<Uint8Array>): Promise<ReadBody> {
  const text = await readText(stream)
  if (text === undefined) return unread(`the body has more than ${mostMebibytes} MiB`)
  const body = parsed(text)
  if (!isNested(body, mostLevels)) return { text, body }
  return unread(`the body is nested more than ${mostLevels} levels deep`)
}

function unread(why: string): ReadBody {
  return { text: '', body: '', unread: why }
}

async function readText(stream: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.byteLength
    // Leaving the loop also ends the connection, with whatever is still to come.
    if (length > mostMebibytes * 1024 * 1024) return undefined
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
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
