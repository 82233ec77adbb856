// Renders Mermaid diagrams as tables, because a drawing would need a script. A table can also be
// read aloud and printed.
import { escapeMarkup } from '../../../src/domain/text.ts'

type Rule = readonly [line: RegExp, render: (found: readonly string[]) => string]

interface Kind {
  readonly columns: readonly string[]
  readonly rulesFor: (lines: readonly string[]) => readonly Rule[]
}

const kinds: Readonly<Record<string, Kind>> = {
  'stateDiagram-v2': {
    columns: ['From', 'To', 'When'],
    rulesFor: () => [
      [
        /^(\S+) --> ([^\s:]+)(?:: (.*))?$/,
        ([from = '', to = '', when = '']) =>
          renderRow([nameOfState(from, 'start'), nameOfState(to, 'end'), escapeMarkup(when)]),
      ],
    ],
  },
  sequenceDiagram: {
    columns: ['From', 'To', 'Message'],
    rulesFor(lines) {
      const names = new Map(lines.map(readParticipant))
      const nameOf = (participant: string) => names.get(participant) ?? participant
      return [
        [/^participant .*$/, () => ''],
        [
          /^(\w+)-?->>(\w+): (.*)$/,
          ([from = '', to = '', message = '']) =>
            renderRow([nameOf(from), nameOf(to), message].map(escapeMarkup)),
        ],
        [/^Note over \w+: (.*)$/, ([note = '']) => renderWhole('td', note)],
        [/^alt (.*)$/, ([when = '']) => renderWhole('th', `If ${when}`)],
        [/^else (.*)$/, ([when = '']) => renderWhole('th', `Or if ${when}`)],
        [/^loop (.*)$/, ([often = '']) => renderWhole('th', `Repeatedly, ${often}`)],
        [/^end$/, () => ''],
      ]
    },
  },
}

export function renderDiagram(diagram: string): string {
  const [name = '', ...lines] = diagram
    .trim()
    .split('\n')
    .map((line) => line.trim())
  const kind = kinds[name]
  if (!kind) throw new Error(`The guide cannot show a ${name} of Mermaid.`)
  const rules = kind.rulesFor(lines)
  const rows = lines.map((line) => renderLine(line, rules)).join('\n')
  const heads = kind.columns.map((column) => `<th scope="col">${column}</th>`)
  return inScrollable(
    'wide diagram',
    `<table><thead><tr>${heads.join('')}</tr></thead>\n<tbody>${rows}</tbody></table>`,
  )
}

/** A table that is wider than a telephone scrolls within the page, by keyboard too. */
export function inScrollable(classes: string, table: string): string {
  return `<div class="${classes}" tabindex="0" role="group" aria-label="Table">${table}</div>\n`
}

function renderLine(line: string, rules: readonly Rule[]): string {
  for (const [pattern, render] of rules) {
    const found = pattern.exec(line)
    if (found) return render(found.slice(1))
  }
  throw new Error(`The guide cannot show this line of a diagram: ${line}`)
}

function readParticipant(line: string): [name: string, shown: string] {
  const [, name = '', shown = name] = /^participant (\w+)(?: as (.*))?$/.exec(line) ?? []
  return [name, shown]
}

function renderRow(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}

/** A row of one cell. */
function renderWhole(cell: 'td' | 'th', text: string): string {
  return `<tr><${cell} colspan="3">${escapeMarkup(text)}</${cell}></tr>`
}

function nameOfState(state: string, outside: string): string {
  return state === '[*]' ? outside : `<code>${escapeMarkup(state)}</code>`
}
