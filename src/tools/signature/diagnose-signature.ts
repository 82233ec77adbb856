import { createHmac } from 'node:crypto'
import { stringify as stringifySorted } from 'safe-stable-stringify'
import { parseJson } from '../../domain/text.ts'
import { isRenderedEvent } from '../../wire/events.ts'
import { bool, listOf, textOrNull, view } from '../../wire/view.ts'
import {
  type Ageing,
  ageFaults,
  malformedSignature,
  parseSignatureHeader,
  readSignature,
  type SignatureFault,
  type SignatureFaultCode,
  type SignatureHeader,
  signatureFault,
  type Variant,
} from './parse-signature.ts'

interface SignatureToDiagnose extends Ageing {
  readonly header: string
  readonly secret: string
  readonly body: Buffer
  /** How many mistakes are tried together. More than two take too long. */
  readonly maximumMistakes?: 1 | 2
}

interface Diagnosis {
  readonly isValid: boolean
  /** The text from the header. */
  readonly t: string | null
  readonly faults: readonly SignatureFault[]
}

export const verifiedSignature = view<Diagnosis>()('Verified signature', {
  valid: bool('Whether the signature is valid.', (it) => it.isValid),
  t: textOrNull('Time `t` in the header.', (it) => it.t),
  faults: listOf(signatureFault, 'What is wrong with the signature.', (it) => it.faults),
})

/** spec: Signature. */
export function diagnoseSignature(given: SignatureToDiagnose): Diagnosis {
  const header = parseSignatureHeader(given.header)
  const faults: readonly SignatureFault[] = [
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
  { secret, body, maximumMistakes = 2 }: SignatureToDiagnose,
  signatures: readonly Variant<Buffer>[],
): readonly SignatureFault[] | undefined {
  const variants = [secretVariants(secret), bodyVariants(body), payloadVariants(t)] as const
  const ways = waysOf(...variants, maximumMistakes)
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

/** Returns the ways with few enough mistakes; those with the fewest come first. */
function waysOf(
  secrets: readonly Variant<string | Buffer>[],
  bodies: readonly Variant<Buffer>[],
  payloads: readonly Variant<Payload>[],
  maximumMistakes: number,
): Way[] {
  const faultsOf = (...variants: readonly Variant<unknown>[]) =>
    variants.map(({ fault }) => fault).filter((fault) => fault !== undefined)
  const isAllowed = (...variants: readonly Variant<unknown>[]) =>
    faultsOf(...variants).length <= maximumMistakes
  const ways = secrets.flatMap((secret) =>
    bodies
      .filter((body) => isAllowed(secret, body))
      .flatMap((body) =>
        payloads
          .filter((payload) => isAllowed(secret, body, payload))
          .map((payload) => ({
            key: secret.value,
            payload: () => payload.value(body.value),
            faults: faultsOf(secret, body, payload),
          })),
      ),
  )
  return ways.sort((left, right) => left.faults.length - right.faults.length)
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

const prefix = 'whsec_'

/** Common mistakes with secrets. The right secret comes first. */
function secretVariants(secret: string): Variant<string | Buffer>[] {
  const unquoted = secret.replace(/^(["'])(.*)\1$/, '$2')
  const bare = unquoted.replace(prefix, '')
  return [
    { value: secret },
    inForm(unquoted, 'The secret has quotation marks around it. Remove them.'),
    inForm(`${prefix}${bare}`, `The secret lacks its prefix ${prefix}.`),
    inForm(bare, `The body was signed with the secret without its prefix ${prefix}.`),
    inForm(`${unquoted}\n`, 'The body was signed with the secret and a line break at its end.'),
    inForm(Buffer.from(bare, 'base64url'), decodedFrom('base64')),
    inForm(Buffer.from(bare, 'hex'), decodedFrom('hexadecimal')),
  ]
}

function inForm(value: string | Buffer, detail: string): Variant<string | Buffer> {
  return { value, fault: { code: 'secret_form', detail } }
}

function decodedFrom(form: string): string {
  return `The body was signed with the secret decoded from ${form}. Use the text of the secret as the key.`
}

export type Payload = (body: Buffer) => Buffer

/** Two readings of a clock can differ by a few seconds. */
const neighbours = 60

/** spec: Signature. Common mistakes follow the right payload. */
function payloadVariants(t: string | undefined): Variant<Payload>[] {
  const withoutTime = payloadVariant((body) => body, 'Only the body was signed.')
  if (t === undefined) return [withoutTime]
  return [
    { value: (body) => concat(`${t}.`, body) },
    withoutTime,
    payloadVariant((body) => concat(t, body), 'The full stop between t and the body is missing.'),
    payloadVariant((body) => concat(body, `.${t}`), 'The body comes before t.'),
    ...otherTimes(t).map(({ time, which }) =>
      payloadVariant((body) => concat(`${time}.`, body), `The body was signed with ${which}.`),
    ),
  ]
}

function otherTimes(t: string) {
  const seconds = Number(t)
  if (!Number.isSafeInteger(seconds)) return []
  const offsets = Array.from({ length: neighbours }, (_, index) => [index + 1, -index - 1]).flat()
  return [
    { time: `${seconds * 1000}`, which: 't in milliseconds' },
    {
      time: `${Math.floor(seconds / 1000)}`,
      which: 't in seconds, but the header has more digits',
    },
    ...offsets.map((offset) => ({
      time: `${seconds + offset}`,
      which: `a t that is ${Math.abs(offset)} s ${offset > 0 ? 'later' : 'earlier'} than the t in the header`,
    })),
  ]
}

function concat(...parts: (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)))
}

function payloadVariant(value: Payload, how: string): Variant<Payload> {
  const detail = `${how} Sign the t of the header, a full stop and the raw body.`
  return { value, fault: { code: 'signed_payload', detail } }
}

/** Common changes of a body. The unchanged body comes first. */
function bodyVariants(body: Buffer): Variant<Buffer>[] {
  const text = body.toString()
  const variants = [
    altered(
      'line_ends',
      text.replace(/[\r\n]+$/, ''),
      `A line break was added at the end of the body. ${raw}`,
    ),
    altered('line_ends', `${text}\n`, `The line break at the end of the body was lost. ${raw}`),
    altered('line_ends', text.replaceAll('\r\n', '\n'), `Its line breaks became CR LF. ${raw}`),
    altered('line_ends', text.replace(/\r?\n/g, '\r\n'), `Its line breaks became LF. ${raw}`),
    altered('text_encoding', text.replace('\uFEFF', ''), `A byte order mark was added. ${raw}`),
    altered('text_encoding', Buffer.from(text, 'latin1'), `It was encoded as UTF-8 twice. ${raw}`),
    altered('text_encoding', body.toString('latin1'), `It is in Latin-1, not in UTF-8. ${raw}`),
    ...jsonVariants(text).map(([value, detail]) =>
      altered('reserialised_body', value, `${detail} ${raw}`),
    ),
  ]
  return [{ value: body }, ...variants.filter(({ value }) => !value.equals(body))]
}

const raw = 'Verify the raw bytes before any code parses or changes them.'

function altered(code: SignatureFaultCode, value: string | Buffer, how: string): Variant<Buffer> {
  const detail = `The signature is valid for a slightly different body. ${how}`
  return { value: Buffer.from(value), fault: { code, detail } }
}

/** The formats of common JSON libraries. */
function jsonVariants(text: string): (readonly [value: string, detail: string])[] {
  const json = parseJson(text)
  if (json === undefined) return []
  const compact = JSON.stringify(json)
  return [
    ...(typeof json === 'string' ? [[json, asTextOfJson] as const] : []),
    [compact, signedAs('in the compact format of JSON.stringify and of the service')],
    [JSON.stringify(inOrderOfService(json)), withOtherOrder],
    [JSON.stringify(json, undefined, 2), signedAs('indented by two spaces')],
    [JSON.stringify(json, undefined, 4), signedAs('indented by four spaces')],
    [JSON.stringify(json, undefined, '\t'), signedAs('indented by tabs')],
    [stringifySorted(json) ?? '', signedAs('with its keys sorted')],
    [stringifySorted(json, undefined, 2) ?? '', signedAs('sorted and indented')],
    [spaced(json), signedAs('with spaces after commas and colons, as Python does')],
    [escaped(spaced(json)), signedAs('with spaces and \\u escapes, as Python does')],
    [escaped(compact), signedAs('with \\u escapes')],
    [compact.replaceAll('/', '\\/'), signedAs('with escaped slashes, as PHP does')],
    [JSON.stringify(text), signedAs('embedded as a string in other JSON')],
  ]
}

const asTextOfJson = 'It was embedded as a string in other JSON.'
const withOtherOrder = 'It was parsed and serialized again with its keys in another order.'

function signedAs(how: string): string {
  return `It was parsed and serialized again: the signature belongs to the same JSON ${how}.`
}

/** The keys in the order of the specification. `webhook_endpoint_id` is only in test events. */
const orderOfService = [
  ['id', 'type', 'created_at', 'data'],
  ['webhook_endpoint_id', 'share_purchase_id', 'investor_id', 'cooperative_id', 'share_count'],
  ['status', 'terminal'],
  ['total', 'total_currency', 'reason'],
].flat()

function inOrderOfService(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json
  const rank = (key: string) => orderOfService.indexOf(key) >>> 0
  const entries = Object.entries(json).sort(([left], [right]) => rank(left) - rank(right))
  return Object.fromEntries(entries.map(([key, value]) => [key, inOrderOfService(value)]))
}

/** JSON escapes line breaks within strings, so all others are between its parts. */
function spaced(json: unknown): string {
  return JSON.stringify(json, undefined, 1).replace(/,\n */g, ', ').replace(/\n */g, '')
}

function escaped(text: string): string {
  return text.replace(
    /[\u0080-\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
