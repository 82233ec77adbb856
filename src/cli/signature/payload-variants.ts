import type { Variant } from './signature-fault.ts'

/** Puts together what is signed. */
export type Payload = (body: Buffer) => Buffer

/** Clocks and calls that are a moment apart. */
const neighbours = 60

/** What is signed (spec: Signature), and what was signed by mistake. The right one comes first. */
export function payloadVariants(t: string | undefined): Variant<Payload>[] {
  const withoutTime = variant((body) => body, 'The body was signed alone.')
  if (t === undefined) return [withoutTime]
  return [
    { value: (body) => joined(`${t}.`, body) },
    withoutTime,
    variant((body) => joined(t, body), 'The full stop between t and the body was left out.'),
    variant((body) => joined(body, `.${t}`), 'The body was put before t.'),
    ...otherTimes(t).map(({ time, which }) =>
      variant((body) => joined(`${time}.`, body), `It was signed with ${which}.`),
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
      which: 't in seconds, while the header has more digits',
    },
    ...offsets.map((offset) => ({
      time: `${seconds + offset}`,
      which: `another t than the one in the header, ${Math.abs(offset)} s ${offset > 0 ? 'later' : 'earlier'}`,
    })),
  ]
}

function joined(...parts: (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)))
}

function variant(value: Payload, how: string): Variant<Payload> {
  const detail = `${how} The signed payload is t, a full stop, and the raw body, with the t of the header.`
  return { value, fault: { code: 'signed_payload', detail } }
}
