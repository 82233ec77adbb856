import { createHmac } from 'node:crypto'
import { isRenderedEvent } from '../../wire/events.ts'
import {
  type Ageing,
  ageFaults,
  malformedSignature,
  parseSignatureHeader,
  readSignature,
  type SignatureFault,
  type SignatureHeader,
  type Variant,
} from './signature-header.ts'
import { bodyVariants, type Payload, payloadVariants, secretVariants } from './variants.ts'

export interface SignatureToDiagnose extends Ageing {
  readonly header: string
  readonly secret: string
  readonly body: Buffer
}

export interface Diagnosis {
  readonly isValid: boolean
  /** The text from the header. */
  readonly t: string | null
  readonly faults: readonly SignatureFault[]
}

/** spec: Signature. */
export function diagnoseSignature(given: SignatureToDiagnose): Diagnosis {
  const header = parseSignatureHeader(given.header)
  const faults = [
    ...header.faults,
    ...ageFaults(header.t, given),
    ...signatureFaults(header, given),
  ]
  return { isValid: faults.length === 0, t: header.t ?? null, faults }
}

function signatureFaults(
  header: SignatureHeader,
  given: SignatureToDiagnose,
): readonly SignatureFault[] {
  if (header.v1.length === 0) return []
  const signatures = header.v1.map(readSignature).filter((read) => read !== undefined)
  if (signatures.length === 0) return header.v1.map(malformedSignature)
  const found = findMaking(header, given, signatures)
  return found ?? (header.t === undefined ? [] : [unexplained(given)])
}

/** Finds the way with the fewest mistakes that produces one of the signatures. */
function findMaking(
  { t }: SignatureHeader,
  { secret, body }: SignatureToDiagnose,
  signatures: readonly Variant<Buffer>[],
): readonly SignatureFault[] | undefined {
  const ways = waysOf(secretVariants(secret), bodyVariants(body), payloadVariants(t))
  for (const { key, payload, faults } of ways) {
    const made = createHmac('sha256', key).update(payload()).digest()
    const signature = signatures.find(({ value }) => value.equals(made))
    if (signature) return [...(signature.fault ? [signature.fault] : []), ...faults]
  }
  return undefined
}

interface Way {
  readonly key: string | Buffer
  readonly payload: () => Buffer
  readonly faults: readonly SignatureFault[]
}

/** Trying more mistakes at once takes too long. */
const mostMistakes = 2

function waysOf(
  secrets: readonly Variant<string | Buffer>[],
  bodies: readonly Variant<Buffer>[],
  payloads: readonly Variant<Payload>[],
): Way[] {
  const ways = secrets.flatMap((secret) =>
    bodies.flatMap((body) => payloads.map((payload) => wayOf(secret, body, payload))),
  )
  return ways
    .filter(({ faults }) => faults.length <= mostMistakes)
    .sort((left, right) => left.faults.length - right.faults.length)
}

function wayOf(
  secret: Variant<string | Buffer>,
  body: Variant<Buffer>,
  payload: Variant<Payload>,
): Way {
  const faults = [secret.fault, body.fault, payload.fault].filter((fault) => fault !== undefined)
  return { key: secret.value, payload: () => payload.value(body.value), faults }
}

function unexplained({ body }: SignatureToDiagnose): SignatureFault {
  if (body.length === 0) return emptyBody
  return isRenderedEvent(body.toString()) ? wrongSecret : noMatch
}

const emptyBody: SignatureFault = {
  code: 'empty_body',
  detail: 'The body is empty. Other code has read it before: take the raw bytes first.',
}

const wrongSecret: SignatureFault = {
  code: 'wrong_secret',
  detail:
    'The body has the format of the service, so the secret is probably wrong: was it rotated, or does it belong to another endpoint? If the secret is right, the body belongs to another delivery or a value in it was changed.',
}

const noMatch: SignatureFault = {
  code: 'no_match',
  detail:
    'The body does not have the format of the service, nor that of a common JSON library. Either the body was changed or the secret is wrong. Take the raw bytes first.',
}
