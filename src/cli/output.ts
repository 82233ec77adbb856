import { styleText } from 'node:util'
import { ux } from '@oclif/core'
import type { SingleBar } from 'cli-progress'
import { escapeInvisible } from '../domain/text.ts'

/**
 * All output goes through here, because text from partners, files and other services must not reach
 * a terminal with control characters. The log of `serve` does the same.
 */
export function printOut(text: string): void {
  ux.stdout(escapeInvisible(text))
}

export function printError(text: string): void {
  ux.stderr(escapeInvisible(text))
}

export function printJson(data: unknown, pretty: 'pretty' | undefined = undefined): void {
  printOut(JSON.stringify(data, undefined, pretty && 2) ?? 'null')
}

/** Prints a text that comes from this program alone and may contain colours. */
export function printTrusted(text: string): void {
  ux.stdout(text)
}

/** FORCE_COLOR and NO_COLOR take precedence over the abilities of the terminal. */
export function hasColors(stream: NodeJS.WriteStream): boolean {
  return styleText('red', 'x', { stream }) !== 'x'
}

/** Escapes the stack, too, because oclif prints it for an unexpected error. */
export function withShownText(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  return Object.assign(error, {
    message: escapeInvisible(error.message),
    stack: error.stack && escapeInvisible(error.stack),
  })
}

/** The same text as `JSON.stringify` with two spaces. */
export async function* renderJsonInParts(
  batches: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<string> {
  // Each part ends with a line break, so the comma after a batch waits for the next batch.
  let pending: string | undefined
  for await (const rows of batches) {
    if (rows.length === 0) continue
    if (pending !== undefined) yield `${pending},`
    const text = JSON.stringify(rows, undefined, 2)
    pending = text.slice(pending === undefined ? 0 : '[\n'.length, -'\n]'.length)
  }
  yield pending === undefined ? '[]' : `${pending}\n]`
}

/** One JSON object per line. */
export async function* renderLinesInParts(
  batches: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<string> {
  for await (const rows of batches) {
    if (rows.length > 0) yield rows.map((row) => JSON.stringify(row)).join('\n')
  }
}

export async function* renderCsvInParts(
  batches: AsyncIterable<readonly object[]>,
  keys: readonly string[],
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  const render = (rows: readonly unknown[][]) =>
    stringify([...rows], {
      // A partner chose some of the texts, and a spreadsheet would run those that are formulas.
      escape_formulas: true,
      cast: { boolean: (value) => String(value), object: renderObject },
    }).slice(0, -1)
  // The heading waits for the first rows, because a command that fails before them prints nothing.
  let heading: readonly unknown[][] = [[...keys]]
  for await (const rows of batches) {
    if (rows.length === 0) continue
    const lines = rows.map((row) => keys.map((key) => (row as Record<string, unknown>)[key]))
    yield render([...heading, ...lines])
    heading = []
  }
  if (heading.length > 0) yield render(heading)
}

function renderObject(value: object): string {
  return Array.isArray(value) && value.every((one) => typeof one !== 'object')
    ? value.join(' ')
    : JSON.stringify(value)
}

/** The minimum number of items: fewer are done before anybody has seen a bar. */
const worthABar = 20

/** undefined if nobody would see the bar. */
export async function startProgress(total: number): Promise<SingleBar | undefined> {
  if (!process.stderr.isTTY || total < worthABar) return undefined
  const { default: cliProgress } = await import('cli-progress')
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format: '{bar} {value}/{total} · {eta_formatted} left',
    clearOnComplete: true,
  })
  bar.start(total, 0)
  return bar
}
