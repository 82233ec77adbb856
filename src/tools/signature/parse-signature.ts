import { text, view } from '../../wire/view.ts'

export type SignatureFaultCode =
  | 'header_name'
  | 'header_spaces'
  | 'missing_t'
  | 'malformed_t'
  | 'repeated_t'
  | 'milliseconds'
  | 'stale'
  | 'future'
  | 'missing_v1'
  | 'malformed_v1'
  | 'upper_case'
  | 'base64'
  | 'reserialised_body'
  | 'line_ends'
  | 'text_encoding'
  | 'empty_body'
  | 'secret_form'
  | 'signed_payload'
  | 'wrong_secret'
  | 'no_match'

export interface SignatureFault {
  readonly code: SignatureFaultCode
  readonly detail: string
}

export const signatureFault = view<SignatureFault>()('Signature fault', {
  code: text('Code of the fault.', (it) => it.code),
  detail: text('Explanation for people.', (it) => it.detail),
})

/** One possible way of making a value. The right way has no fault. */
export interface Variant<Value> {
  readonly value: Value
  readonly fault?: SignatureFault
}

export interface SignatureHeader {
  /** The first t of the header. */
  readonly t: string | undefined
  readonly v1: readonly string[]
  readonly faults: readonly SignatureFault[]
}

const headerName = /^\s*x-service-webhook-signature\s*:\s*/i

/** spec: Delivery headers, `t=<unix-seconds>,v1=<hex-hmac>`. Other pairs belong to later schemes. */
export function parseSignatureHeader(text: string): SignatureHeader {
  const value = text.replace(headerName, '')
  const pairs = value.split(',').map((text) => {
    const [key = '', ...rest] = text.trim().split('=')
    return { key: key.trim(), value: rest.join('=').trim() }
  })
  const valuesOf = (key: string) => pairs.filter((pair) => pair.key === key).map((p) => p.value)
  const [ts, v1] = [valuesOf('t'), valuesOf('v1')]
  const faults = [
    ...(value === text ? [] : [headerFault('header_name')]),
    ...(/\s/.test(value) ? [headerFault('header_spaces')] : []),
    ...(ts.length > 1 ? [headerFault('repeated_t')] : []),
    ...timestampFaults(ts[0]),
    ...(v1.length === 0 ? [headerFault('missing_v1')] : []),
  ]
  return { t: ts[0], v1, faults }
}

function timestampFaults(t: string | undefined): SignatureFault[] {
  if (t === undefined) return [headerFault('missing_t')]
  if (/^\d{1,11}$/.test(t)) return []
  return [headerFault(/^\d{12,14}$/.test(t) ? 'milliseconds' : 'malformed_t')]
}

const headerFaultDetails = {
  header_name: 'The header name comes before the value. Give only the value: t=…,v1=…',
  header_spaces: 'The header contains spaces. The service sends none: t=…,v1=…',
  repeated_t: 'The header contains more than one t. The first one was used.',
  missing_t: 'The header contains no t. It must be t=<unix seconds>,v1=<hex>.',
  malformed_t: 't is not a number of seconds since 1970.',
  milliseconds: 't is in milliseconds. It must be in seconds.',
  missing_v1: 'The header contains no v1. It must be t=<unix seconds>,v1=<hex>.',
} satisfies Partial<Record<SignatureFaultCode, string>>

function headerFault(code: keyof typeof headerFaultDetails): SignatureFault {
  return { code, detail: headerFaultDetails[code] }
}

export interface Ageing {
  readonly toleranceSeconds: number
  /** Time of the verification, in seconds since 1970. */
  readonly atSeconds: number
}

/** spec: Signature. A malformed t already has a fault. */
export function ageFaults(t: string | undefined, ageing: Ageing): SignatureFault[] {
  const { toleranceSeconds, atSeconds } = ageing
  if (t === undefined || !/^\d{1,11}$/.test(t)) return []
  const age = atSeconds - Number(t)
  if (Math.abs(age) <= toleranceSeconds) return []
  const allowed = `the tolerance is ${toleranceSeconds} s`
  return age > 0
    ? [{ code: 'stale', detail: `t is ${age} s old; ${allowed}. ${staleHint}` }]
    : [{ code: 'future', detail: `t is ${-age} s in the future; ${allowed}. Is a clock wrong?` }]
}

const staleHint =
  'Was the event stored before it was verified, or is a clock wrong? Use --at to verify as of another time.'

const bytesOfSha256 = 32

/** undefined if v1 is malformed. */
export function readSignature(v1: string): Variant<Buffer> | undefined {
  if (/^[\da-f]{64}$/.test(v1)) return { value: Buffer.from(v1, 'hex') }
  if (/^[\da-f]{64}$/i.test(v1)) return { value: Buffer.from(v1, 'hex'), fault: upperCase }
  if (!/^[\w+/-]+={0,2}$/.test(v1)) return undefined
  const decoded = Buffer.from(v1, 'base64')
  if (decoded.length === bytesOfSha256) return { value: decoded, fault: base64 }
  const text = decoded.toString('latin1')
  if (!/^[\da-f]{64}$/i.test(text)) return undefined
  return { value: Buffer.from(text, 'hex'), fault: base64OfHex }
}

export function malformedSignature(v1: string): SignatureFault {
  const what = /^[\da-f]+$/i.test(v1) ? 'hexadecimal digits' : 'characters'
  const detail = `v1 has ${v1.length} ${what}. An HMAC-SHA256 in hexadecimal has 64 digits.`
  return { code: 'malformed_v1', detail }
}

const upperCase: SignatureFault = {
  code: 'upper_case',
  detail: 'v1 is in upper case. The service sends lower-case hexadecimal.',
}

const base64: SignatureFault = {
  code: 'base64',
  detail: 'v1 is in base64. It must be in lower-case hexadecimal.',
}

const base64OfHex: SignatureFault = {
  code: 'base64',
  detail: 'v1 is the base64 of the hexadecimal text. It must be the hexadecimal text itself.',
}
