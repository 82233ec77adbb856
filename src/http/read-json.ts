import { Readable } from 'node:stream'
import type { H3Event } from 'h3'
import { Problem } from '../domain/problem.ts'
import { OversizeProblem } from '../operations/shapes/check-shape.ts'
import { findRepeatedKey } from '../operations/shapes/find-repeated-key.ts'

export const maximumBodyBytes = 64 * 1024
const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON body of a request. JSON.parse and not h3's readBody, which quietly drops keys such as `__proto__`. */
export async function readJson(event: H3Event): Promise<unknown> {
  requireJson(event)
  return parseJson(await readBytes(event, maximumBodyBytes))
}

/** Refuses an object that has a key twice, because nobody knows which value was meant. */
export function parseJson(bytes: Uint8Array): unknown {
  const [value, repeated] = decodeJson(bytes)
  if (repeated === undefined) return value
  throw new Problem('MALFORMED_REQUEST_BODY', `Duplicate field: ${repeated}.`)
}

function decodeJson(bytes: Uint8Array): [value: unknown, repeated: string | undefined] {
  try {
    const text = decoder.decode(bytes)
    const repeated = findRepeatedKey(text, { refusesOversize: true })
    return [JSON.parse(text), repeated]
  } catch (error) {
    if (error instanceof OversizeProblem) throw error
    throw new Problem(
      'MALFORMED_REQUEST_BODY',
      'The request body is not well-formed JSON in UTF-8.',
    )
  }
}

export function requireJson(event: H3Event): void {
  if (isEncoded(event)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.')
  }
  if (mediaTypeOf(event) !== 'application/json') {
    throw new Problem(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body with Content-Type: application/json.',
    )
  }
}

/** Without its parameters. */
export function mediaTypeOf(event: H3Event): string | undefined {
  return event.req.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
}

/** RFC 9110 8.4: identity is no encoding at all. */
export function isEncoded(event: H3Event): boolean {
  const encoding = event.req.headers.get('content-encoding')?.trim().toLowerCase()
  return encoding !== undefined && encoding !== '' && encoding !== 'identity'
}

/** Stops reading at `limit`, whatever Content-Length says. */
export async function readBytes(event: H3Event, limit: number): Promise<Uint8Array> {
  const tooLarge = () => {
    event.context.isCutOff = true
    return new Problem('PAYLOAD_TOO_LARGE', `The request body is larger than ${limit} bytes.`)
  }
  if (Number(event.req.headers.get('content-length')) > limit) throw tooLarge()
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of chunksOf(event)) {
      length += chunk.byteLength
      if (length > limit) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Problem ? error : endedEarly()
  }
  return Buffer.concat(chunks)
}

/** A caller that hangs up is no fault of ours. */
function endedEarly(): Problem {
  return new Problem('MALFORMED_REQUEST_BODY', 'The request body ended early.')
}

/** From Node itself where a socket is read: the web stream that h3 puts around it takes longer than all of the reading. */
function chunksOf({ req, runtime }: H3Event): AsyncIterable<Uint8Array> {
  return runtime?.node?.req.iterator({ destroyOnReturn: false }) ?? req.body ?? Readable.from([])
}
