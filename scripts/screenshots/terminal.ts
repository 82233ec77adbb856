// The moving picture of a terminal in the README: what the commands really print, as SVG. Addresses
// show the port that `npm start` uses, because the service of the picture has a free one.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { type AtTerminal, runAtTerminal } from '../../fixtures/program/terminal.ts'
import type { Scope } from '../../fixtures/scope.ts'

const file = join(import.meta.dirname, '..', '..', 'docs', 'start', 'terminal.svg')
const columns = 108
/** Lists show the age of orders by the clock of this machine. */
const threeDaysMs = 3 * 24 * 3600_000
/** Until the link to the console. */
const mostLinesOfStart = 9

/** @returns the file that was written */
export async function writeTerminalPicture(scope: Scope): Promise<string> {
  const directory = scope.testdir()
  const place = ['--data-dir', directory]
  const now = new Date(Date.now() - threeDaysMs).toISOString()
  const bench = ['--bench', '--now', now, '--seed', '1']
  const free = ['--port', '0', '--operator-port', '0']
  const service = runAtTerminal(
    scope,
    ['serve', '--demo', ...bench, ...free, ...place],
    {},
    columns,
  )
  await service.lineWith('client_secret')
  const operator = await connectOperator(directory)
  const run = async (command: string) => {
    const argv = [...command.split(' '), ...place]
    const shown = await shownBy(runAtTerminal(scope, argv, {}, columns))
    return { command: `coopshare ${command}`, lines: shown }
  }
  const list = await run('purchase list --status submitted --limit 4')
  const orders = await operator.call('purchase.list', { status: 'submitted' })
  const ids = orders.map((order) => order.share_purchase_id)
  const id = ids.find((each) => list.lines[1]?.startsWith(each.slice(0, 8))) ?? ''
  const steps = [list, await run(`purchase approve ${id}`), await run(`purchase settle ${id}`)]
  service.interrupt()
  const start = { command: 'npm start', lines: startOf(await shownBy(service)) }
  writeFileSync(file, render([start, ...steps]))
  return file
}

async function shownBy(run: AtTerminal): Promise<readonly string[]> {
  const { shown } = await run.ended
  return shown.replaceAll('\r', '').trimEnd().split('\n')
}

/** The first lines for people, without the log, the path of the data, and what is cut off. */
function startOf(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line.includes('Partner API'))
  const shown = lines
    .slice(from, from + mostLinesOfStart)
    .filter((line) => !line.includes('Data directory'))
    .map(withUsualPorts)
  const last = shown.findLastIndex((line) => line !== '' && !line.endsWith(':'))
  return shown.slice(0, last + 1)
}

/** The service of the picture has free ports; the first is that of the partner API. */
function withUsualPorts(line: string): string {
  const port = /Operator|onsole/.test(line) ? 8081 : 8080
  return line.replaceAll(/(127\.0\.0\.1|localhost):\d+/g, `$1:${port}`)
}

interface Step {
  readonly command: string
  readonly lines: readonly string[]
}

const [charWidth, lineHeight, padding] = [7.8, 19, 16]
const pauseAfterCommand = 0.7
const pauseAfterStep = 1.6

function render(steps: readonly Step[]): string {
  const rows: string[] = []
  let seconds = 0.3
  const add = (content: string, text: string) => {
    const y = padding + (rows.length + 1) * lineHeight
    const width = (text.length * charWidth).toFixed(1)
    const size = text === '' ? '' : ` textLength="${width}"`
    rows.push(
      `<text x="${padding}" y="${y}"${size} style="animation-delay:${seconds.toFixed(1)}s">${content}</text>`,
    )
  }
  for (const { command, lines } of steps) {
    add(
      `<tspan class="prompt">$ </tspan><tspan class="b">${escapeXml(command)}</tspan>`,
      `$ ${command}`,
    )
    seconds += pauseAfterCommand
    for (const line of lines.map(cut)) add(renderLine(line), stripVTControlCharacters(line))
    seconds += pauseAfterStep
    add('', '')
  }
  const width = Math.round(columns * charWidth + 2 * padding)
  const height = padding * 2 + rows.length * lineHeight
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal: the service starts, an order is approved and settled">
<style>
svg { --back: #fff; --ink: #1f2328; --soft: #656d76; --red: #b3261e; --green: #0b6b53; --yellow: #8a5a00; --blue: #0b57a4 }
@media (prefers-color-scheme: dark) { svg { --back: #0f1517; --ink: #e6edf0; --soft: #93a1a8; --red: #ff8f85; --green: #6fd6b5; --yellow: #e5b567; --blue: #8ab8f5 } }
rect { fill: var(--back); stroke: var(--soft); stroke-opacity: .4 }
text { fill: var(--ink); font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; animation: show .01s linear both }
.b { font-weight: 600 } .prompt, .c90, .d { fill: var(--soft) } .c31, .c91 { fill: var(--red) } .c32, .c92 { fill: var(--green) } .c33, .c93 { fill: var(--yellow) } .c34, .c94, .c36, .c96 { fill: var(--blue) }
@keyframes show { from { opacity: 0 } to { opacity: 1 } }
@media (prefers-reduced-motion: reduce), print { text { animation: none } }
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>
${rows.join('\n')}
</svg>
`
}

/** A line that is too long ends with an ellipsis, without its colours. */
function cut(line: string): string {
  const plain = stripVTControlCharacters(line)
  return plain.length > columns ? `${plain.slice(0, columns - 1)}…` : line
}

const classes: Readonly<Record<string, string>> = { 1: 'b', 2: 'd' }

/** Turns the colours of a terminal into classes. */
function renderLine(line: string): string {
  let current: string[] = []
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with this character.
  const parts = line.split(/\u001b\[([\d;]*)m/)
  return parts
    .map((part, index) => {
      if (index % 2 === 0) {
        if (part === '' || current.length === 0) return escapeXml(part)
        return `<tspan class="${current.join(' ')}">${escapeXml(part)}</tspan>`
      }
      for (const code of part.split(';')) current = codeAfter(current, code)
      return ''
    })
    .join('')
}

function codeAfter(current: readonly string[], code: string): string[] {
  if (code === '' || code === '0') return []
  if (code === '39') return current.filter((name) => !name.startsWith('c'))
  if (code === '22') return current.filter((name) => name !== 'b' && name !== 'd')
  const name = classes[code] ?? (/^[39]\d$/.test(code) ? `c${code}` : undefined)
  return name === undefined ? [...current] : [...current, name]
}

function escapeXml(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
