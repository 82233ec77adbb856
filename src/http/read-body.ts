import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { H3Event } from 'h3'
import type { Failure, Struct } from 'superstruct'
import { Problem } from '../domain/problem.ts'
import { type Sent, Unfit } from '../domain/sent.ts'
import { checkShape, OversizeProblem, shapeErrors, validParts } from '../wire/check-shape.ts'
import { findRepeatedKey } from '../wire/find-repeated-key.ts'
import { isPercentEncoded } from './query.ts'
import { isRepeated } from './repeated-headers.ts'

interface ReadShapeOptions {
  /** A prefix of all paths in `errors`. Spec gap: see DECISIONS.md, D14. */
  readonly prefix?: string
  /** Hints for unknown fields of these names at the top level. */
  readonly hints?: Readonly<Record<string, string>>
  /** Whether a missing body counts as an empty object. */
  readonly isOptional?: boolean
}

/**
 * Reads and checks the body; throws 413, 415 and 400 in the order of DECISIONS.md, D16. The use case reports what does
 * not fit the shape, because 404 comes before 422, and because all wrong fields are reported together.
 */
export async function readShape<Value, Schema>(
  event: H3Event,
  shape: Struct<Value, Schema>,
  options: ReadShapeOptions = {},
): Promise<Sent<Value>> {
  const body = await (options.isOptional ? readOptionalJson(event) : readJson(event))
  const [failures, value] = checkShape(body, shape)
  if (!failures) return value
  const { prefix } = options
  const toPath = ({ path }: Failure) =>
    [...(prefix ? [prefix] : []), ...path.map(String)].join('.') || 'body'
  rejectUnknownField(failures, toPath, options.hints)
  return new Unfit(validParts<Value>(body, failures), shapeErrors(failures, toPath))
}

function rejectUnknownField(
  failures: readonly Failure[],
  toPath: (failure: Failure) => string,
  hints: Readonly<Record<string, string>> = {},
): void {
  // superstruct reports an unknown field as one of type never.
  const unknown = failures.find((failure) => failure.type === 'never')
  if (!unknown) return
  const name = unknown.path.join('.')
  const hint = Object.hasOwn(hints, name) ? ` ${hints[name]}` : ''
  throw new Problem('MALFORMED_REQUEST_BODY', `Unknown field: ${toPath(unknown)}.${hint}`)
}

/** Refuses a body in routes without one. Some clients cannot omit the body, so `{}` and `null` are accepted. */
export async function readNoBody(event: H3Event): Promise<void> {
  const body = await readOptionalJson(event)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem('MALFORMED_REQUEST_BODY', 'This request must not have a body.')
  }
  const [unknown] = Object.keys(body)
  if (unknown !== undefined) {
    throw new Problem('MALFORMED_REQUEST_BODY', `Unknown field: ${unknown}.`)
  }
}

export const maximumBodyBytes = 64 * 1024
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Uses JSON.parse, because h3's readBody silently drops keys such as `__proto__`. */
async function readJson(event: H3Event): Promise<unknown> {
  requireJson(event)
  return parseJson(await readBytes(event, maximumBodyBytes))
}

async function readOptionalJson(event: H3Event): Promise<unknown> {
  const bytes = await readBytes(event, maximumBodyBytes)
  if (bytes.byteLength === 0) return {}
  requireJson(event)
  // Some clients send null for no body.
  return parseJson(bytes) ?? {}
}

/** Refuses duplicate keys, because their value is ambiguous. */
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

function requireJson(event: H3Event): void {
  if (isEncoded(event)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.')
  }
  if (isRepeated(event.req, 'content-type')) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', repeatedContentType)
  }
  if (mediaTypeOf(event) !== 'application/json') {
    throw new Problem(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body with Content-Type: application/json.',
    )
  }
}

export const repeatedContentType = 'Send the header Content-Type only once.'

/** Returns the media type without parameters. */
export function mediaTypeOf(event: H3Event): string | undefined {
  return event.req.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
}

/** RFC 9110 8.4: `identity` means no encoding. */
export function isEncoded(event: H3Event): boolean {
  const encoding = event.req.headers.get('content-encoding')?.trim().toLowerCase()
  return encoding !== undefined && encoding !== '' && encoding !== 'identity'
}

/** Stops reading at `limit`, regardless of Content-Length. */
export async function readBytes(event: H3Event, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of streamBytes(event, limit)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The same as it arrives. Nothing may be done with it before the end, because a part may be missing, or forged. */
async function* streamBytes(event: H3Event, limit: number): AsyncGenerator<Uint8Array> {
  const tooLarge = () =>
    new Problem('PAYLOAD_TOO_LARGE', `The request body is larger than ${limit} bytes.`)
  if (Number(event.req.headers.get('content-length')) > limit) throw tooLarge()
  // All routes read their bodies here, so that no signed request has a body that its signature does not prove.
  const { signedDigest } = event.context
  const hash = signedDigest === undefined ? undefined : createHash('sha256')
  let length = 0
  try {
    for await (const chunk of chunksOf(event)) {
      length += chunk.byteLength
      if (length > limit) throw tooLarge()
      hash?.update(chunk)
      yield chunk
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    // A disconnected caller is not an internal error.
    throw new Problem('MALFORMED_REQUEST_BODY', 'The request body ended early.')
  }
  if (hash && hash.digest('hex') !== signedDigest) {
    throw new Problem('UNAUTHENTICATED', 'The body does not match the signature.')
  }
}

/** The text of a body as it arrives. Each part is a few kilobytes long. */
export async function* streamText(event: H3Event, limit: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new Problem('MALFORMED_REQUEST_BODY', 'The request body is not UTF-8 text.')
    }
  }
  for await (const chunk of streamBytes(event, limit)) yield decode(chunk)
  yield decode()
}

/** The maximum number of fields in a form. Millions of empty fields would take seconds, and all other callers would wait. */
const mostFields = 2000

const boundaryForm =
  /^multipart\/form-data;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'+./-]{1,70}))\s*$/i

/** The fields of a form, and the files in it, in their order. */
export async function readFormFields(
  event: H3Event,
  limit: number,
): Promise<readonly (readonly [name: string, value: string | File])[]> {
  const [, quoted, plain] = boundaryForm.exec(event.req.headers.get('content-type') ?? '') ?? []
  const boundary = quoted ?? plain
  const isPlain = mediaTypeOf(event) === 'application/x-www-form-urlencoded'
  if (!isPlain && boundary === undefined) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send the form of the page.')
  }
  const bytes = Buffer.from(await readBytes(event, limit))
  if (isPlain) {
    requireFewFields(bytes, '&')
    const text = bytes.toString()
    // Only the decoder adds this mark; a form escapes it.
    if (text.includes('\ufffd') || !isPercentEncoded(text)) return unreadableForm()
    return [...new URLSearchParams(text)]
  }
  requireFewFields(bytes, `--${boundary}`)
  // With this boundary, the parser reads exactly the parts that were counted.
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  const form = await new Response(bytes, { headers }).formData().catch(unreadableForm)
  const fields = [...form]
  // The parser replaces bytes that are not UTF-8 by this mark.
  if (fields.some(([, value]) => typeof value === 'string' && value.includes('\ufffd'))) {
    return unreadableForm()
  }
  return fields
}

function requireFewFields(bytes: Buffer, mark: string): void {
  let at = -1
  for (let count = 0; count <= mostFields; count += 1) {
    at = bytes.indexOf(mark, at + 1)
    if (at < 0) return
  }
  throw new Problem('MALFORMED_REQUEST_BODY', `The form has more than ${mostFields} fields.`)
}

function unreadableForm(): never {
  throw new Problem('MALFORMED_REQUEST_BODY', 'The form cannot be read.')
}

type Request = H3Event['req']

function chunksOf({ req }: H3Event): AsyncIterable<Uint8Array> {
  const ahead = readAheadOf.get(req)
  if (!ahead) return restOf(req)
  return ahead.isWhole ? Readable.from(ahead.chunks) : joined(ahead.chunks, restOf(req))
}

/** Reads Node's stream where possible, because h3's web stream costs more than everything else. */
function restOf(request: Request): AsyncIterable<Uint8Array> {
  const { req } = request.runtime?.node ?? {}
  // Reading `body`, even without using it, creates the web stream.
  return req?.iterator({ destroyOnReturn: false }) ?? request.body ?? Readable.from([])
}

async function* joined(
  chunks: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* chunks
  yield* rest
}

interface ReadAhead {
  readonly chunks: readonly Uint8Array[]
  /** Whether these chunks are the whole body. */
  readonly isWhole: boolean
}

const readAheadOf = new WeakMap<Request, ReadAhead>()

/** The beginning of the body, or all of it, if it was read ahead. */
export function bodyReadAhead({ req }: H3Event): string {
  return Buffer.concat(readAheadOf.get(req)?.chunks ?? []).toString()
}

/** Reads a body before its route does, up to `limit` or a little more. The route then reads the same bytes. */
export async function readAhead(request: Request, limit: number): Promise<ReadAhead> {
  const chunks: Uint8Array[] = []
  let length = 0
  let isWhole = true
  try {
    for await (const chunk of restOf(request)) {
      chunks.push(chunk)
      length += chunk.byteLength
      if (length <= limit) continue
      isWhole = false
      break
    }
  } catch {
    // The route gets the same fault, and answers with it.
    isWhole = false
  }
  const ahead = { chunks, isWhole }
  readAheadOf.set(request, ahead)
  return ahead
}
