import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { VectorFault } from '../../wire/signature-vectors.ts'
import { diagnoseSignature } from '../signature/diagnose-signature.ts'
import {
  ageFaults,
  parseSignatureHeader,
  type SignatureFault,
  type SignatureFaultCode,
} from '../signature/parse-signature.ts'
import type { WebhookEvent } from './webhook-event.ts'

export interface WebhookToVerify {
  /** The raw body, before any code has parsed it. */
  readonly body: string | Uint8Array | ArrayBuffer
  /** The headers of the request, as fetch, Node.js or a framework has them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The signing secret. While it is being replaced, both secrets. */
  readonly secrets: readonly (string | undefined)[]
  /** The largest accepted difference between the signature and the clock; by default 300. */
  readonly toleranceSeconds?: number | undefined
  /** The time of the verification; by default the clock of the machine. */
  readonly now?: Date | undefined
}

/** Why a webhook is refused: the `reason` of the published signature vectors. */
export type WebhookFault = VectorFault

/** The webhook was not signed by the service with one of your secrets, or not just now. Answer it with 400 or 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookFault

  constructor(code: WebhookFault, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Verifies the signature of a webhook and returns its event.
 * @throws WebhookVerificationError
 */
export function verifyWebhook({
  body,
  headers,
  secrets,
  toleranceSeconds = 300,
  now = new Date(),
}: WebhookToVerify): WebhookEvent {
  const bytes = bytesOf(body)
  const keys = secrets.filter((secret) => secret !== undefined).filter((secret) => secret !== '')
  if (keys.length === 0) throw new TypeError('verifyWebhook needs at least one signing secret.')
  const header = headerOf(headers)
  const { t, v1, faults } = parseSignatureHeader(header)
  const ageing = { toleranceSeconds, atSeconds: Math.floor(now.getTime() / 1000) }
  const [fault] = [
    ...faults,
    ...(v1.length > 0 && v1.every((value) => value === '') ? [emptySignature] : []),
    ...ageFaults(t, ageing),
  ]
  if (fault) throw refusal(fault)
  for (const secret of keys) {
    const made = createHmac('sha256', secret).update(`${t}.`).update(bytes).digest('hex')
    if (v1.some((value) => isSame(value, made))) return eventIn(bytes)
  }
  throw refusal(explain({ header, keys, body: bytes, ...ageing }))
}

function bytesOf(body: WebhookToVerify['body']): Buffer {
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof ArrayBuffer) return Buffer.from(body)
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  throw new TypeError(
    'verifyWebhook needs the raw body: a string, a Buffer or other bytes. Take it before a JSON parser does.',
  )
}

function headerOf(headers: WebhookToVerify['headers']): string {
  const name = 'x-service-webhook-signature'
  if (typeof headers.get === 'function') return headers.get(name) ?? ''
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return found === undefined ? '' : String(found)
}

const emptySignature: SignatureFault = { code: 'missing_v1', detail: 'v1 is empty.' }

/** Takes the same time wherever the two differ. */
function isSame(given: string, made: string): boolean {
  return given.length === made.length && timingSafeEqual(Buffer.from(given), Buffer.from(made))
}

interface Refused {
  readonly header: string
  readonly keys: readonly string[]
  readonly body: Buffer
  readonly toleranceSeconds: number
  readonly atSeconds: number
}

/** Events of the service are far smaller. A longer body is not examined, so that a forged one stays cheap. */
const longestExaminedBytes = 16 * 1024

const unexplained: readonly SignatureFaultCode[] = ['wrong_secret', 'no_match', 'empty_body']

/** Says why no secret makes this signature. */
function explain({ keys, body, ...given }: Refused): SignatureFault {
  if (body.length > longestExaminedBytes)
    return { code: 'no_match', detail: 'The body is longer than any event of the service.' }
  const found = keys.flatMap(
    (secret) => diagnoseSignature({ ...given, secret, body, maximumMistakes: 1 }).faults,
  )
  const explained = found.find(({ code }) => !unexplained.includes(code))
  return explained ?? (found[0] as SignatureFault)
}

/** Vectors have fewer names for what a receiver can find. */
const otherNames: Partial<Record<SignatureFaultCode, WebhookFault>> = {
  header_name: 'missing_t',
  repeated_t: 'malformed_t',
  text_encoding: 'altered_body',
  empty_body: 'altered_body',
  no_match: 'altered_body',
  secret_form: 'wrong_secret',
}

function refusal({ code, detail }: SignatureFault): WebhookVerificationError {
  return new WebhookVerificationError(otherNames[code] ?? (code as WebhookFault), detail)
}

/** A body that is signed is an event. Members that a test leaves out are empty. */
function eventIn(bytes: Buffer): WebhookEvent {
  const empty = { id: '', type: '', created_at: '', data: {} }
  try {
    return { ...empty, ...JSON.parse(bytes.toString()) }
  } catch {
    return empty as unknown as WebhookEvent
  }
}
