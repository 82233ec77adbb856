interface Style {
  readonly indent: string
  readonly nothing: string
  readonly yes: string
  readonly no: string
  readonly text: (value: string) => string
  readonly key: (name: string) => string
}

const singleQuoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
const doubleQuoted = (text: string) => JSON.stringify(text)

const typeScript: Style = {
  indent: '  ',
  nothing: 'null',
  yes: 'true',
  no: 'false',
  text: singleQuoted,
  key: (name) => (/^[a-z_]\w*$/i.test(name) ? name : singleQuoted(name)),
}

const python: Style = {
  indent: '    ',
  nothing: 'None',
  yes: 'True',
  no: 'False',
  text: doubleQuoted,
  key: doubleQuoted,
}

export const literalIn = {
  typeScript: (value: unknown) => render(value, typeScript),
  python: (value: unknown) => render(value, python),
}

function render(value: unknown, style: Style, margin = ''): string {
  if (value === null) return style.nothing
  if (typeof value === 'boolean') return value ? style.yes : style.no
  if (typeof value === 'string') return style.text(value)
  if (typeof value !== 'object') return String(value)
  const inner = margin + style.indent
  const parts = Array.isArray(value)
    ? value.map((part) => render(part, style, inner))
    : Object.entries(value).map(
        ([name, part]) => `${style.key(name)}: ${render(part, style, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${margin}${close}`
}

/** Indents a continued expression, whose first line is already indented. */
export function indented(text: string, margin: string): string {
  return text.replaceAll('\n', `\n${margin}`)
}
