import { styleText } from 'node:util'
import type { LogFormat } from '../../config/serve-flags.ts'
import { escapeInvisible, escapeToOneLine } from '../../domain/text.ts'
import { hasColors } from '../output.ts'

export type LogForm = Exclude<LogFormat, 'auto'>

/** At a terminal, a person reads the log; anywhere else, a program. */
export function formOf(format: LogFormat): LogForm {
  if (format !== 'auto') return format
  return process.stderr.isTTY ? 'text' : 'json'
}

const flag = '--log-format'

/**
 * Any flag may be wrong, and the error about it already has this form. A wrong `--log-format` counts as `auto`.
 *
 * @param argv the words after `serve`
 */
export function givenFormOf(
  argv: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): LogForm {
  const at = argv.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`))
  const given = argv[at] === flag ? argv[at + 1] : argv[at]?.slice(flag.length + 1)
  const format = given ?? variables['COOPSHARE_LOG_FORMAT']
  return formOf(format === 'text' || format === 'json' ? format : 'auto')
}

type Style = Parameters<typeof styleText>[0]

const levelStyles: Readonly<Record<string, Style>> = {
  info: 'cyan',
  warn: 'yellow',
  error: 'red',
}

/** Text that people read. Only the ends of its lines are line breaks, so no value can imitate a line. */
export function renderForPeople(json: string): string {
  return renderLine(JSON.parse(json))
}

export function renderLine({ level, time, pid: _, msg, ...fields }: LogLine): string {
  const isColored = hasColors(process.stderr)
  const paint = (style: Style, text: string) =>
    isColored ? styleText(style, text, { validateStream: false }) : text
  const at = new Date(time).toTimeString().slice(0, 'HH:MM:SS'.length)
  const levelStyle = levelStyles[level] ?? 'cyan'
  const { shown, rest } = splitRequest(fields)
  const parts = [
    paint('gray', at),
    paint(levelStyle, level.padEnd('error'.length)),
    level === 'info' ? escapeToOneLine(msg) : paint(levelStyle, escapeToOneLine(msg)),
    ...shown.map(({ text, style }) => (style ? paint(style, text) : text)),
    ...Object.entries(rest).map(([name, value]) => `${paint('gray', `${name}=`)}${textOf(value)}`),
  ]
  const trace = level === 'error' ? traceOf(fields['error']) : []
  return `${[parts.join('  '), ...trace.map((line) => paint('gray', line))].join('\n')}\n`
}

export interface LogLine {
  readonly level: string
  readonly time: string
  readonly pid: number
  readonly msg: string
  readonly [field: string]: unknown
}

type Fields = Readonly<Record<string, unknown>>

/** Most lines are about requests. If nothing went wrong, nobody needs the ids of one. */
function splitRequest(fields: Fields): {
  readonly shown: readonly { readonly text: string; readonly style?: Style }[]
  readonly rest: Fields
} {
  const { method, route, status, seconds, ...rest } = fields
  if (typeof status !== 'number' || typeof method !== 'string') return { shown: [], rest: fields }
  const { requestId: _, organizationId: __, ...withoutIds } = rest
  return {
    shown: [
      { text: escapeToOneLine(`${method} ${route}`) },
      { text: String(status), style: status < 400 ? 'green' : status < 500 ? 'yellow' : 'red' },
      { text: `${Math.round(1000 * Number(seconds))} ms` },
    ],
    rest: status < 400 ? withoutIds : rest,
  }
}

function textOf(value: unknown): string {
  if (isError(value)) return textOf(value.message)
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  // Otherwise a value could look like several fields.
  const isPlain = typeof value !== 'string' || /^[^\s"=]+$/.test(text)
  return escapeToOneLine(isPlain ? text : JSON.stringify(text))
}

interface LoggedError {
  readonly message: string
  readonly stack?: string
  readonly cause?: unknown
}

function isError(value: unknown): value is LoggedError {
  return typeof value === 'object' && value !== null && 'message' in value && 'type' in value
}

/** The stacks of an error and its causes, indented, so that their lines look like no line of the log. */
function traceOf(error: unknown): string[] {
  if (!isError(error)) return []
  const stack = escapeInvisible(error.stack ?? '')
    .split('\n')
    .map((line) => `    ${line}`)
  return [...stack, ...traceOf(error.cause)]
}
