import { jsonVariants } from './json-variants.ts'
import type { SignatureFaultCode, Variant } from './signature-fault.ts'

/** What a body becomes on its way to the code that verifies it. The right one comes first. */
export function bodyVariants(body: Buffer): Variant<Buffer>[] {
  const text = body.toString()
  const variants = [
    variant('line_ends', text.replace(/[\r\n]+$/, ''), `A line end was added behind it. ${raw}`),
    variant('line_ends', `${text}\n`, `The line end behind it was lost. ${raw}`),
    variant('line_ends', text.replaceAll('\r\n', '\n'), `Its line ends became CR LF. ${raw}`),
    variant('line_ends', text.replace(/\r?\n/g, '\r\n'), `Its line ends became LF. ${raw}`),
    variant('text_encoding', text.replace('\uFEFF', ''), `A byte order mark was added. ${raw}`),
    variant('text_encoding', Buffer.from(text, 'latin1'), `It was encoded as UTF-8 twice. ${raw}`),
    variant('text_encoding', body.toString('latin1'), `It is in Latin-1, not in UTF-8. ${raw}`),
    ...jsonVariants(text).map(({ value, detail }) =>
      variant('reserialised_body', value, `${detail} ${raw}`),
    ),
  ]
  return [{ value: body }, ...variants.filter(({ value }) => !value.equals(body))]
}

const raw = 'Verify the raw bytes as they came, before anything parses or changes them.'

function variant(code: SignatureFaultCode, value: string | Buffer, how: string): Variant<Buffer> {
  const detail = `The signature is good, but for a body that is not quite this one. ${how}`
  return { value: Buffer.from(value), fault: { code, detail } }
}
