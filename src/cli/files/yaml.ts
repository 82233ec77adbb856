import {
  type Alias,
  Composer,
  CST,
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Pair,
  Parser,
  visit,
  YAMLParseError,
} from 'yaml'
import { hasInvisible } from '../../domain/text.ts'
import { maximumDepth, tooDeep } from '../../wire/check-shape.ts'

const enoughErrors = 100

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
    // Some messages of the library would exceed the longest string of V8.
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

/** The composer is recursive, and a deep document could overflow the stack. @returns an offset */
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
  const errors = [...document.errors]
  if (second) {
    const [start, end] = second.range
    errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', ''))
  }
  if (errors.length === 0) return document
  return errors.map((error) => ({ offset: error.pos[0], fault: describeParseError(error) }))
}

export interface YamlFault {
  readonly offset: number | undefined
  readonly fault: string
}

/** The messages of the library quote the file, which contains secrets and personal data. */
function describeParseError({ code, message }: YAMLParseError): string {
  if (code !== 'MISSING_CHAR') return faultByCode[code]
  return missing.find(([pattern]) => pattern.test(message))?.[1] ?? faultByCode[code]
}

export const repeatedKey = 'the key occurs twice'
const indentation = 'the indentation does not match the lines above'
const keyOnOneLine = 'a key and its colon must be on one line, with a space after the colon'
const unexpected = 'unexpected text here: check quotes, brackets, commas and colons'
const anchor =
  'an anchor (&) or an alias (*) is malformed: put text that starts with & or * in quotes'
const tag = 'unknown tag (!): put text that starts with ! in quotes'

const faultByCode: Readonly<Record<YAMLParseError['code'], string>> = {
  ALIAS_PROPS: anchor,
  BAD_ALIAS: anchor,
  BAD_COLLECTION_TYPE: tag,
  BAD_DIRECTIVE: 'a line that starts with % is malformed',
  BAD_DQ_ESCAPE: 'invalid escape sequence after a \\ in double quotes',
  BAD_INDENT: indentation,
  BAD_PROP_ORDER: anchor,
  BAD_SCALAR_START: 'a text starts with a reserved character: put it in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a second key or a list starts on the line of a key: put the text in quotes',
  BLOCK_IN_FLOW: 'an indented list or object cannot stand in brackets',
  DUPLICATE_KEY: repeatedKey,
  IMPOSSIBLE: unexpected,
  KEY_OVER_1024_CHARS: keyOnOneLine,
  MISSING_CHAR: 'a character is missing: check quotes, brackets, commas, colons and spaces',
  MULTILINE_IMPLICIT_KEY: keyOnOneLine,
  MULTIPLE_ANCHORS: anchor,
  MULTIPLE_DOCS: 'a second document starts here: use only one',
  MULTIPLE_TAGS: tag,
  NON_STRING_KEY: 'a key must be text',
  RESOURCE_EXHAUSTION: 'is nested too deeply',
  TAB_AS_INDENT: 'tabs cannot be used for indentation: use spaces',
  TAG_RESOLVE_FAILED: tag,
  UNEXPECTED_TOKEN: unexpected,
}

const missing: readonly (readonly [RegExp, string])[] = [
  [/^Missing closing /, 'a quote is not closed'],
  [/ must end with a /, 'a bracket is not closed'],
  [/^Missing , /, 'a comma is missing'],
]

export function findValueFault(document: Document.Parsed, error: unknown): YamlFault {
  let found: YamlFault | undefined
  const stopAt = (node: unknown, fault: string) => {
    found = { offset: (node as Alias).range?.[0], fault }
    return visit.BREAK
  }
  // The library would search the document from its start for each alias.
  const anchors = new Map<string, unknown>()
  const resolve = (node: unknown) => (isAlias(node) ? anchors.get(node.source) : node)
  visit(document, {
    Alias: (_, alias) => (resolve(alias) ? undefined : stopAt(alias, noAnchor)),
    Pair: (_, pair) => (isBadMerge(pair, resolve) ? stopAt(pair.key, badMerge) : undefined),
    Value(_, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
    },
  })
  // The library refuses nested aliases, which could fill the memory.
  const fault = error instanceof ReferenceError ? 'has too many aliases (*)' : unreadable
  return found ?? { offset: undefined, fault }
}

const unreadable = 'cannot be read as YAML or JSON'
const noAnchor = 'an alias (*) has no anchor (&) above it: put text that starts with * in quotes'
const badMerge = '<< needs an object or an alias of an object'

function isBadMerge({ key, value }: Pair, resolve: (node: unknown) => unknown): boolean {
  if (!isScalar(key) || key.source !== '<<') return false
  const source = resolve(value)
  const sources = isSeq(source) ? source.items.map(resolve) : [source]
  return !sources.every(isMap)
}

/** In other styles the library loses some line breaks and lines of spaces. */
const asItIs = { blockQuote: false, doubleQuotedAsJSON: true }

/** A text with hidden characters is quoted, because YAML reads escapes only in quoted texts. */
export function renderYaml(data: unknown): string {
  const document = new Document(data)
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && hasInvisible(scalar.value))
        scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString(asItIs).trimEnd()
}
