import type { SignatureFault, Variant } from './signature-fault.ts'

const bytesOfSha256 = 32

/** The bytes of a v1, however they are written; undefined when they are none. */
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
  detail: 'v1 is in upper case. The service sends hexadecimal in lower case.',
}

const base64: SignatureFault = {
  code: 'base64',
  detail: 'v1 is in base64. It has to be hexadecimal, in lower case.',
}

const base64OfHex: SignatureFault = {
  code: 'base64',
  detail: 'v1 is base64 of the hexadecimal text. It has to be the hexadecimal text itself.',
}
