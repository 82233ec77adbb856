import type { SignatureFault, SignatureFaultCode } from './signature-fault.ts'

export interface SignatureHeader {
  /** The first one, as it is written; undefined when there is none. */
  readonly t: string | undefined
  readonly v1: readonly string[]
  readonly faults: readonly SignatureFault[]
}

const name = /^\s*x-service-webhook-signature\s*:\s*/i

/** spec: Delivery headers, `t=<unix-seconds>,v1=<hex-hmac>`. What else is in it belongs to later schemes. */
export function parseSignatureHeader(text: string): SignatureHeader {
  const value = text.replace(name, '')
  const pairs = value.split(',').map(splitPair)
  const valuesOf = (key: string) => pairs.filter((pair) => pair.key === key).map((p) => p.value)
  const [ts, v1] = [valuesOf('t'), valuesOf('v1')]
  const faults = [
    ...(value === text ? [] : [fault('header_name')]),
    ...(/\s/.test(value) ? [fault('header_spaces')] : []),
    ...(ts.length > 1 ? [fault('repeated_t')] : []),
    ...timeFaults(ts[0]),
    ...(v1.length === 0 ? [fault('missing_v1')] : []),
  ]
  return { t: ts[0], v1, faults }
}

function splitPair(text: string) {
  const [key = '', ...rest] = text.trim().split('=')
  return { key: key.trim(), value: rest.join('=').trim() }
}

function timeFaults(t: string | undefined): SignatureFault[] {
  if (t === undefined) return [fault('missing_t')]
  if (/^\d{1,11}$/.test(t)) return []
  return [fault(/^\d{12,14}$/.test(t) ? 'milliseconds' : 'malformed_t')]
}

const details = {
  header_name: 'The name of the header stands before its value. Give the value only: t=…,v1=…',
  header_spaces: 'There are spaces in the header. The service sends none: t=…,v1=…',
  repeated_t: 'There is more than one t in the header; the first one was used.',
  missing_t: 'There is no t in the header: it has to be t=<unix seconds>,v1=<hex>.',
  malformed_t: 't is no number of seconds since 1970.',
  milliseconds: 't is in milliseconds; it has to be in seconds.',
  missing_v1: 'There is no v1 in the header: it has to be t=<unix seconds>,v1=<hex>.',
} satisfies Partial<Record<SignatureFaultCode, string>>

function fault(code: keyof typeof details): SignatureFault {
  return { code, detail: details[code] }
}
