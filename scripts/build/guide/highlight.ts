import Prism, { type Token, type TokenStream } from 'prismjs'
import loadLanguages from 'prismjs/components/index.js'
import { escapeMarkup } from '../../../src/domain/text.ts'

const languages: Readonly<Record<string, string>> = {
  bash: 'bash',
  cs: 'csharp',
  go: 'go',
  java: 'java',
  js: 'javascript',
  json: 'json',
  mjs: 'javascript',
  php: 'php',
  py: 'python',
  ts: 'typescript',
  yaml: 'yaml',
  yml: 'yaml',
}

loadLanguages([...new Set(Object.values(languages))])

/** The kinds that have a colour. */
const kinds: Readonly<Record<string, 'comment' | 'string' | 'keyword'>> = {
  comment: 'comment',
  shebang: 'comment',
  string: 'string',
  'triple-quoted-string': 'string',
  'template-punctuation': 'string',
  keyword: 'keyword',
}

/**
 * Returns code as HTML.
 * @param language as a block of code names it, or the ending of a file
 */
export function highlight(code: string, language: string): string {
  const name = languages[language]
  const grammar = name === undefined ? undefined : Prism.languages[name]
  return grammar ? render(Prism.tokenize(code, grammar)) : escapeMarkup(code)
}

function render(part: TokenStream): string {
  if (typeof part === 'string') return escapeMarkup(part)
  if (Array.isArray(part)) return part.map(render).join('')
  return renderToken(part)
}

function renderToken({ type, content }: Token): string {
  const kind = kinds[type]
  const inside = render(content)
  return kind ? `<span class="${kind}">${inside}</span>` : inside
}
