// Keeps the parts of a file that people read and replaces the rest by spaces, so that each word
// keeps its place.
import ts from 'typescript'

interface Passage {
  readonly pos: number
  readonly text: string
}

const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ')

// Code blocks, indented blocks, inline code and link targets.
const code = [
  /^[^\S\n]*```[\s\S]*?^[^\S\n]*```$/gm,
  /(?<=^\n)(?: {4}.*\n|\n)+/gm,
  /`[^`\n]*`/g,
  /(?<=\])\([^)\s]*\)/g,
  /<https?:[^>]*>/g,
]

export function proseOfMarkdown(text: string): string {
  return code.reduce((prose, pattern) => prose.replaceAll(pattern, blank), text)
}

/** Keeps comments, and strings that contain a space: others are names. */
export function proseOfTypeScript(text: string): string {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const passages = passagesOf(source, source).sort((a, b) => a.pos - b.pos)
  let prose = ''
  for (const passage of passages)
    if (passage.pos >= prose.length)
      prose += blank(text.slice(prose.length, passage.pos)) + passage.text
  return prose + blank(text.slice(prose.length))
}

function passagesOf(node: ts.Node, source: ts.SourceFile): Passage[] {
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)
  if (isText && /\s/.test(node.text)) return [{ pos: node.getStart(), text: node.getText() }]
  const children = node.getChildren(source)
  if (children.length === 0) return commentsAt(node, source.text)
  return children.flatMap((child) => passagesOf(child, source))
}

function commentsAt(token: ts.Node, text: string): Passage[] {
  const ranges = [
    ...(ts.getLeadingCommentRanges(text, token.pos) ?? []),
    ...(ts.getTrailingCommentRanges(text, token.end) ?? []),
  ]
  return ranges.map(({ pos, end }) => {
    const words = text.slice(pos, end).replaceAll(/\/\/|\/?\*+\/?|`[^`\n]*`/g, blank)
    return { pos, text: words }
  })
}
