import { Document, visit } from 'yaml'
import { hasHidden } from '../../domain/hidden-characters.ts'

/** In the other forms the library loses some line ends and lines of spaces. */
const asItIs = { blockQuote: false, doubleQuotedAsJSON: true }

/** A text with something hidden in it is quoted, so that the escapes that are printed mean the same. */
export function renderYaml(data: unknown): string {
  const document = new Document(data)
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && hasHidden(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString(asItIs).trimEnd()
}
