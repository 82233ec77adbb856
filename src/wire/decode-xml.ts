import { Problem } from '../domain/problem.ts'

/** The text of an XML file, in the encoding of its mark or its declaration; UTF-8 without them (XML 1.0, appendix F). */
export function decodeXml(content: Buffer, name: string): string {
  // Banks send several statements in one ZIP file.
  if (content.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004')
    throw new Problem(
      'STATEMENT_REFUSED',
      `${name} is a ZIP file. Import the files that are in it.`,
    )
  const encoding = encodingOf(content)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content)
  } catch {
    throw new Problem(
      'STATEMENT_REFUSED',
      `${name} is not an XML file in the encoding ${encoding}, which it declares or which is the usual one.`,
    )
  }
}

function encodingOf(content: Buffer): string {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le'
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be'
  // The first character of a document is <.
  if (content[0] === 0x3c && content[1] === 0) return 'utf-16le'
  if (content[0] === 0 && content[1] === 0x3c) return 'utf-16be'
  const [, declared] =
    /^(?:\ufeff|ï»¿)?<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(
      content.subarray(0, 200).toString('latin1'),
    ) ?? []
  return declared?.toLowerCase() ?? 'utf-8'
}
