import { createHmac } from 'node:crypto'
import type { PublishedFile } from '../contract/published-files.ts'
import { type Timestamp, toTimestamp } from '../domain/timestamp.ts'
import { signWebhook } from '../usecases/webhooks/sign-webhook.ts'
import { renderEvent } from './events.ts'

/** Why a vector is invalid. */
export type VectorFault =
  | 'altered_body'
  | 'base64'
  | 'future'
  | 'header_spaces'
  | 'line_ends'
  | 'malformed_t'
  | 'malformed_v1'
  | 'milliseconds'
  | 'missing_t'
  | 'missing_v1'
  | 'reserialised_body'
  | 'signed_payload'
  | 'stale'
  | 'upper_case'
  | 'wrong_secret'

/** A signature with the verdict that a receiver should reach, without a clock or a network. */
export interface SignatureVector {
  readonly name: string
  readonly description: string
  readonly secret: string
  /** Time of the signature, in seconds since 1970. The header contains it, unless the vector tests another header. */
  readonly t: number
  /** As text; the signature is over its bytes in UTF-8. */
  readonly body: string
  /** Value of X-Service-Webhook-Signature. */
  readonly header: string
  /** Time of the verification, in seconds since 1970. */
  readonly now: number
  readonly tolerance_seconds: number
  readonly verdict: 'valid' | 'invalid'
  /** Present if the vector is invalid. */
  readonly reason?: VectorFault
}

/**
 * Published beside the contract, because a frozen contract gets no more files. Its text is rendered
 * when it is read, because most services are never asked for it.
 */
export function signatureVectorsFile(): PublishedFile {
  return {
    path: 'signature-vectors.json',
    contentType: 'application/json',
    get text() {
      return `${JSON.stringify(listSignatureVectors(), undefined, 2)}\n`
    },
    isFrozen: false,
    isLatest: false,
  }
}

/** Returns the same vectors for every call: no value is random. */
export function listSignatureVectors(): SignatureVector[] {
  return [...validVectors(), ...agedVectors(), ...forgedVectors(), ...malformedVectors()]
}

const secret = 'whsec_for-the-signature-vectors-only'
const otherSecret = 'whsec_of-another-receiver'
const t = 1_767_225_600
const tolerance = 300

const body = bodyWith('Returned by the bank')
const otherBody = bodyWith('Cancelled by the operator')
const nonAsciiBody = bodyWith('Rücklastschrift: 3 × 110 € 🌻')

function bodyWith(reason: string): string {
  return renderEvent({
    id: 'e772bd0c-6511-569a-bfc4-f5590a04651e',
    type: 'share_purchase.rejected',
    createdAt: timestampOf(t),
    data: {
      sharePurchaseId: 'ba96d577-4678-5397-86e0-ed0fed1c7441',
      investorId: 'b4364b78-277c-5d6d-bdc4-fff3fc9638cf',
      cooperativeId: '5a0647af-e3eb-51b5-8b01-712b95e4348b',
      status: 'rejected',
      terminal: true,
      reason,
    },
  })
}

function timestampOf(seconds: number): Timestamp {
  return toTimestamp(new Date(seconds * 1000))
}

function sign({
  key = secret,
  signedBody = body,
  at = t,
}: {
  readonly key?: string
  readonly signedBody?: string
  readonly at?: number
} = {}): string {
  return signWebhook({ secret: key, body: Buffer.from(signedBody), at: timestampOf(at) })
}

/** The hexadecimal digits of a signature. */
function digitsOf(header: string): string {
  return header.replace(/^t=\d+,v1=/, '')
}

const digits = digitsOf(sign())
const otherDigits = digitsOf(sign({ key: otherSecret }))

type Given = Pick<SignatureVector, 'name' | 'description'> & Partial<SignatureVector>

function valid(given: Given): SignatureVector {
  const usual = { secret, t, body, header: sign(), now: t + 1, tolerance_seconds: tolerance }
  const { name, description, ...rest } = given
  return { name, description, ...usual, ...rest, verdict: 'valid' }
}

function invalid(reason: VectorFault, given: Given): SignatureVector {
  return { ...valid(given), verdict: 'invalid', reason }
}

function validVectors(): SignatureVector[] {
  const bodies = {
    non_ascii_body: ['The body has characters beyond ASCII. Sign its bytes.', nonAsciiBody],
    trailing_newline: ['A line break at the end of the body is signed, too.', `${body}\n`],
    formatted_body: ['The body contains white space.', indented(body)],
    empty_body: ['The body is empty; t and the full stop are signed alone.', ''],
  } as const
  return [
    valid({ name: 'valid', description: 'As the service signs.' }),
    valid({
      name: 'second_v1_matches',
      description: 'One matching v1 of several is enough.',
      header: `t=${t},v1=${otherDigits},v1=${digits}`,
    }),
    valid({
      name: 'first_v1_matches',
      description: 'One matching v1 of several is enough, wherever it stands.',
      header: `t=${t},v1=${digits},v1=${otherDigits}`,
    }),
    valid({
      name: 'later_scheme',
      description: 'Schemes that you do not know are ignored.',
      header: `t=${t},v1=${digits},v2=c2lnbmF0dXJl`,
    }),
    ...Object.entries(bodies).map(([name, [description, text]]) =>
      valid({ name, description, body: text, header: sign({ signedBody: text }) }),
    ),
  ]
}

function agedVectors(): SignatureVector[] {
  const at = (age: number) => `t is ${Math.abs(age)} s ${age > 0 ? 'old' : 'in the future'}`
  return [
    ...[tolerance, -tolerance].map((age) =>
      valid({
        name: age > 0 ? 'oldest_accepted' : 'latest_accepted',
        description: `${at(age)}, which is within the tolerance.`,
        now: t + age,
      }),
    ),
    ...[tolerance + 1, 600].map((age) =>
      invalid('stale', { name: `stale_${age}`, description: `${at(age)}.`, now: t + age }),
    ),
    ...[tolerance + 1, 600].map((age) =>
      invalid('future', { name: `future_${age}`, description: `${at(-age)}.`, now: t - age }),
    ),
    valid({
      name: 'larger_tolerance',
      description: `${at(600)}, and the receiver accepts 900 s.`,
      now: t + 600,
      tolerance_seconds: 900,
    }),
  ]
}

function forgedVectors(): SignatureVector[] {
  return [
    invalid('wrong_secret', {
      name: 'wrong_secret',
      description: 'Signed with the secret of another receiver.',
      header: sign({ key: otherSecret }),
    }),
    invalid('wrong_secret', {
      name: 'secret_without_prefix',
      description: 'Signed with the secret without whsec_, which is part of it.',
      header: sign({ key: secret.replace('whsec_', '') }),
    }),
    invalid('altered_body', {
      name: 'altered_body',
      description: 'The signature belongs to another body.',
      body: otherBody,
    }),
    invalid('altered_body', {
      name: 'emptied_body',
      description: 'The signature belongs to another body; this one is empty.',
      body: '',
    }),
    invalid('signed_payload', {
      name: 'altered_t',
      description: 'The t of the header is not the t that was signed.',
      t: t + 60,
      header: `t=${t + 60},v1=${digits}`,
    }),
    invalid('signed_payload', {
      name: 'body_signed_alone',
      description: 'Only the body was signed, without t.',
      header: `t=${t},v1=${hmacOf(body)}`,
    }),
    invalid('reserialised_body', {
      name: 'reserialised_body',
      description: 'The body was parsed and written again with white space.',
      body: indented(body),
    }),
    invalid('reserialised_body', {
      name: 'escaped_body',
      description: 'The body was parsed and written again with escapes for other than ASCII.',
      body: nonAsciiBody.replace(
        /[^\0-\x7f]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
      header: sign({ signedBody: nonAsciiBody }),
    }),
    invalid('line_ends', {
      name: 'lost_newline',
      description: 'The line break at the end of the body was lost.',
      header: sign({ signedBody: `${body}\n` }),
    }),
  ]
}

function malformedVectors(): SignatureVector[] {
  const rows: readonly (readonly [VectorFault, string, string, string])[] = [
    ['missing_v1', 'missing_v1', 'The header has no v1.', `t=${t}`],
    ['missing_v1', 'only_later_scheme', 'The header has a v2 alone.', `t=${t},v2=${digits}`],
    ['missing_v1', 'empty_v1', 'v1 is empty.', `t=${t},v1=`],
    ['missing_t', 'missing_t', 'The header has no t.', `v1=${digits}`],
    ['missing_t', 'empty_header', 'The header is empty.', ''],
    ['malformed_t', 't_in_words', 't is not a number.', `t=now,v1=${digits}`],
    [
      'milliseconds',
      't_in_milliseconds',
      't is in milliseconds, and signed so.',
      `t=${t}000,v1=${hmacOf(`${t}000.${body}`)}`,
    ],
    ['upper_case', 'upper_case_v1', 'v1 is in upper case.', `t=${t},v1=${digits.toUpperCase()}`],
    [
      'malformed_v1',
      'truncated_v1',
      'v1 lacks its last digit.',
      `t=${t},v1=${digits.slice(0, -1)}`,
    ],
    [
      'base64',
      'base64_v1',
      'v1 is in base64.',
      `t=${t},v1=${Buffer.from(digits, 'hex').toString('base64')}`,
    ],
    [
      'header_spaces',
      'spaces_in_header',
      'The header has a space; the service sends none.',
      `t=${t}, v1=${digits}`,
    ],
  ]
  return rows.map(([reason, name, description, header]) =>
    invalid(reason, { name, description, header }),
  )
}

function hmacOf(payload: string): string {
  return createHmac('sha256', secret).update(payload).digest('hex')
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), undefined, 2)
}
