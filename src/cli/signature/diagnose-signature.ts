import { createHmac } from 'node:crypto'
import { isRenderedEnvelope } from '../../usecases/webhooks/envelope.ts'
import { bodyVariants } from './body-variants.ts'
import { parseSignatureHeader, type SignatureHeader } from './parse-signature-header.ts'
import { type Payload, payloadVariants } from './payload-variants.ts'
import { malformedSignature, readSignature } from './read-signature.ts'
import { secretVariants } from './secret-variants.ts'
import type { SignatureFault, Variant } from './signature-fault.ts'
import { type Ageing, timeFaults } from './time-faults.ts'

export interface SignatureToDiagnose extends Ageing {
  readonly header: string
  readonly secret: string
  readonly body: Buffer
}

export interface Diagnosis {
  readonly isValid: boolean
  /** As in the header; null when there is none. */
  readonly t: string | null
  readonly faults: readonly SignatureFault[]
}

/** Verifies a signature (spec: Signature), and finds out what is wrong with one that is not good. */
export function diagnoseSignature(given: SignatureToDiagnose): Diagnosis {
  const header = parseSignatureHeader(given.header)
  const faults = [
    ...header.faults,
    ...timeFaults(header.t, given),
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

/** The faults of the way in which one of the signatures was made: of several ways, the one with the fewest. */
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

/** More mistakes than that at once are quicker found by looking than by trying. */
const mostMistakes = 2

/** Those with the fewest mistakes first. */
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
  return isRenderedEnvelope(body.toString()) ? wrongSecret : noMatch
}

const emptyBody: SignatureFault = {
  code: 'empty_body',
  detail: 'The body is empty. Something has read it before: take the raw bytes first.',
}

const wrongSecret: SignatureFault = {
  code: 'wrong_secret',
  detail:
    'The body is written as the service writes it, so most likely the secret is another one: was it rotated, or is it that of another endpoint? If it is the right one, this is the body of another delivery, or a value in it was changed.',
}

const noMatch: SignatureFault = {
  code: 'no_match',
  detail:
    'The body is not written as the service writes it, and not as a usual parser would write it again. Either it was changed, or the secret is another one. Take the raw bytes first.',
}
