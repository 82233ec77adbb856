import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  visit,
  type YAMLParseError,
} from 'yaml'

export interface YamlFault {
  readonly offset: number | undefined
  readonly fault: string
}

/** The messages of the library quote the file, in which there are secrets and personal data. */
export function describeParseError({ code, message }: YAMLParseError): string {
  if (code !== 'MISSING_CHAR') return faultByCode[code]
  return missing.find(([pattern]) => pattern.test(message))?.[1] ?? faultByCode[code]
}

export const repeatedKey = 'a key is there twice'
const indentation = 'the indentation does not fit what is above'
const keyOnOneLine = 'a key and its colon must be on one line, with a space behind the colon'
const unexpected = 'here is what does not belong here: check quotes, brackets, commas and colons'
const anchor = 'an anchor (&) or an alias (*) is not well-formed: put text that begins so in quotes'
const tag = 'a tag (!) is not known: put text that begins with ! in quotes'

const faultByCode: Readonly<Record<YAMLParseError['code'], string>> = {
  ALIAS_PROPS: anchor,
  BAD_ALIAS: anchor,
  BAD_COLLECTION_TYPE: tag,
  BAD_DIRECTIVE: 'a line that begins with % is not well-formed',
  BAD_DQ_ESCAPE: 'a \\ in a text in double quotes is followed by what it cannot stand before',
  BAD_INDENT: indentation,
  BAD_PROP_ORDER: anchor,
  BAD_SCALAR_START: 'a text begins with a character that it cannot begin with: put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second key, or a list, begins on the line of a key: put it in quotes',
  BLOCK_IN_FLOW: 'an indented list or object is inside of brackets',
  DUPLICATE_KEY: repeatedKey,
  IMPOSSIBLE: unexpected,
  KEY_OVER_1024_CHARS: keyOnOneLine,
  MISSING_CHAR: 'a character is missing: check quotes, brackets, commas, colons and spaces',
  MULTILINE_IMPLICIT_KEY: keyOnOneLine,
  MULTIPLE_ANCHORS: anchor,
  MULTIPLE_DOCS: 'a second document begins here: put all into one',
  MULTIPLE_TAGS: tag,
  NON_STRING_KEY: 'a key must be text',
  RESOURCE_EXHAUSTION: 'is nested too deeply',
  TAB_AS_INDENT: 'a tab is no indentation: use spaces',
  TAG_RESOLVE_FAILED: tag,
  UNEXPECTED_TOKEN: unexpected,
}

const missing: readonly (readonly [RegExp, string])[] = [
  [/^Missing closing /, 'a quote is not closed'],
  [/ must end with a /, 'a bracket is not closed'],
  [/^Missing , /, 'a comma is missing'],
]

/** Why there is no value of a document that is well-formed. */
export function findValueFault(document: Document.Parsed, error: unknown): YamlFault {
  let found: YamlFault | undefined
  const stopAt = (node: unknown, fault: string) => {
    found = { offset: (node as Alias).range?.[0], fault }
    return visit.BREAK
  }
  // The library would walk the document from its beginning for each alias.
  const anchors = new Map<string, unknown>()
  const resolve = (node: unknown) => (isAlias(node) ? anchors.get(node.source) : node)
  visit(document, {
    Alias: (_, alias) => (resolve(alias) ? undefined : stopAt(alias, noAnchor)),
    Pair: (_, pair) => (isBadMerge(pair, resolve) ? stopAt(pair.key, badMerge) : undefined),
    Value(_, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
    },
  })
  // Aliases of aliases of aliases would fill the memory, so the library stops where there are many.
  const fault = error instanceof ReferenceError ? 'has too many aliases (*)' : unreadable
  return found ?? { offset: undefined, fault }
}

export const unreadable = 'cannot be read as YAML or JSON'
const noAnchor = 'an alias (*) has no anchor (&) above it: put text that begins with * in quotes'
const badMerge = '<< takes an object, or an alias of one'

function isBadMerge({ key, value }: Pair, resolve: (node: unknown) => unknown): boolean {
  if (!isScalar(key) || key.source !== '<<') return false
  const source = resolve(value)
  const sources = isSeq(source) ? source.items.map(resolve) : [source]
  return !sources.every(isMap)
}
