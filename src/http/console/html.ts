import { HTTPResponse } from 'h3'
import { Problem } from '../../domain/problem.ts'
import { escapeInvisible, escapeMarkup, parseUrl } from '../../domain/text.ts'
import type { Input } from '../../operations/operations.ts'
import type { ReadParameter } from '../query.ts'

/** Text that is HTML already, because `html` made it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Part = Html | string | number | null | undefined | false | readonly Part[]

/** Everything between the literal parts is escaped, unless `html` made it. Values of attributes are in double quotes. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = literals[0] ?? ''
  for (const [index, part] of parts.entries()) text += render(part) + (literals[index + 1] ?? '')
  return new Html(text)
}

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return Array.isArray(part) ? part.map(render).join('') : ''
}

function escapeHtml(text: string): string {
  return escapeMarkup(escapeInvisible(text))
}

/** A text by others. Its direction of writing ends with the element. */
export function foreign(text: string | null | undefined): Html {
  return html`<bdi>${text ? text : '–'}</bdi>`
}

/** An address of this listener. Parameters without a value are left out. */
export function pathTo(
  path: string,
  parameters: Readonly<Record<string, string | true | undefined>>,
): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value ? [[name, String(value)] as [string, string]] : [],
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/**
 * Returns `/` instead of an address outside of this console, so that no link can lead elsewhere.
 * Browsers also read `/..//name` as another host.
 */
export function ownPath(back: string | null): string {
  if (back === null || !/^\/[^\s\\]*$/.test(back)) return '/'
  const url = parseUrl(back, ownOrigin)
  if (url?.origin !== ownOrigin || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}

const ownOrigin = 'http://own.invalid'

/** The flags of a command for the filters that are given. */
export function flagsOf(filter: Readonly<Record<string, string | true | undefined>>): string[] {
  return Object.entries(filter).flatMap(([name, value]) => {
    if (value === undefined) return []
    const flag = `--${name.replaceAll('_', '-')}`
    return value === true ? [flag] : [flag, value]
  })
}

/** A file that the browser saves and does not open. */
export function download(
  name: string,
  contentType: string,
  content: ConstructorParameters<typeof HTTPResponse>[0],
): HTTPResponse {
  return new HTTPResponse(content, {
    headers: {
      'content-type': contentType,
      'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '')}"`,
    },
  })
}

/** A parameter that must have one of these values. Ignoring another value would show a list as if it were filtered. */
export function readChoice<Value extends string>(
  read: ReadParameter,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = read(name)
  const chosen = values.find((value) => value === text)
  if (chosen === text) return chosen
  const what = `must be one of ${values.join(', ')}`
  throw new Problem('VALIDATION_ERROR', `${name} ${what}.`, { errors: { [name]: what } })
}

/** What the console can do with files. Their formats need libraries that only the command line loads. */
export interface Files {
  /** Reads a file of a catalogue, whatever its format, and explains where it is wrong. */
  readCatalogue(file: string, bytes: Buffer): Promise<CatalogueFile>
  /** A workbook that can be edited and imported. */
  writeCatalogue(definitions: readonly object[]): Promise<Uint8Array>
  /** A sheet, with the columns of `-o csv`. */
  renderCsv(
    batches: AsyncIterable<readonly object[]>,
    keys: readonly string[],
  ): AsyncIterable<Uint8Array>
}

interface CatalogueFile {
  readonly input: Input<'cooperative.import'>
  explain(error: unknown): unknown
}
