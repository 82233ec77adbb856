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

/** One thing that is wrong with a signature, and what to do about it. */
export interface SignatureFault {
  readonly code: SignatureFaultCode
  readonly detail: string
}

/** One way in which something may have been made. Without a fault it is the way of the specification. */
export interface Variant<Value> {
  readonly value: Value
  readonly fault?: SignatureFault
}
