import { Composer, CST, type Document, type LineCounter, Parser, YAMLParseError } from 'yaml'
import { maximumDepth, tooDeep } from '../../operations/shapes/check-shape.ts'
import { describeParseError, unreadable, type YamlFault } from './yaml-faults.ts'

const enoughErrors = 100

/** The document, or what is wrong in it. */
export function parseYaml(
  text: string,
  lineCounter: LineCounter,
): Document.Parsed | readonly YamlFault[] {
  try {
    const tokens = readTokens(text, lineCounter)
    const offset = findTooDeep(tokens)
    if (offset !== undefined) return [{ offset, fault: tooDeep }]
    return compose(tokens, text.length)
  } catch {
    // Some messages of the library would be longer than any text can be.
    return [{ offset: undefined, fault: unreadable }]
  }
}

function readTokens(text: string, lineCounter: LineCounter): CST.Token[] {
  const tokens: CST.Token[] = []
  let errors = 0
  for (const token of new Parser(lineCounter.addNewLine).parse(text)) {
    tokens.push(token)
    if (token.type === 'error' && ++errors === enoughErrors) break
  }
  return tokens
}

/** Where. The composer calls itself at each level, and without room for that the process may end. */
function findTooDeep(tokens: readonly CST.Token[]): number | undefined {
  let level = tokens.flatMap((token) => (token.type === 'document' ? (token.value ?? []) : []))
  for (let depth = 0; depth <= maximumDepth; depth++) level = level.flatMap(partsOf)
  return level.find(CST.isCollection)?.offset
}

function partsOf(token: CST.Token): CST.Token[] {
  if (!CST.isCollection(token)) return []
  return token.items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat())
}

function compose(tokens: readonly CST.Token[], end: number): Document.Parsed | YamlFault[] {
  const options = { merge: true, logLevel: 'error' } as const
  const [document, second] = new Composer(options).compose(tokens, true, end)
  if (!document) return [{ offset: undefined, fault: unreadable }]
  const errors = second ? [...document.errors, secondDocument(second)] : document.errors
  if (errors.length === 0) return document
  return errors.map((error) => ({ offset: error.pos[0], fault: describeParseError(error) }))
}

function secondDocument({ range: [start, end] }: Document.Parsed): YAMLParseError {
  return new YAMLParseError([start, end], 'MULTIPLE_DOCS', '')
}
