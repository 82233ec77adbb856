import { Flags } from '@oclif/core'
import { invalid, parseReceiverUrl, parseWait } from '../config/common-flags.ts'
import {
  addSeconds,
  isCalendarDate,
  parseTimestamp,
  type Timestamp,
  timestampError,
  toTimestamp,
} from '../domain/timestamp.ts'
import { eventTypes } from '../domain/webhooks/event.ts'
import { limitFlag, organizationFlag, requiredOrganizationFlag } from './arguments.ts'

export const eventFilterFlags = {
  organization: organizationFlag(),
  type: Flags.option({ options: eventTypes, description: 'Filter by type.' })(),
  since: timeFlag('Only events created at or after this time'),
  until: timeFlag('Only events created before this time'),
  limit: limitFlag(),
}

export function timeFlag(which: string) {
  return Flags.string(time(which))
}

export function requiredTimeFlag(which: string) {
  return Flags.string({ ...time(which), required: true })
}

function time(which: string) {
  return {
    helpValue: 'TIME',
    parse: async (text: string, { argv = [] }: { readonly argv?: readonly string[] }) =>
      parseTime(text, { isUtc: argv.includes('--utc') }),
    description: `${which}, such as 2026-03-31 or 7d.`,
  }
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** The beginning of a day; undefined for any other text. */
function beginningOf(text: string, isUtc: boolean): Timestamp | undefined {
  if (!isCalendarDate(text)) return undefined
  return toTimestamp(new Date(`${text}T00:00:00${isUtc ? 'Z' : ''}`))
}

function parseTime(text: string, { isUtc }: { readonly isUtc: boolean }): string {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * (unitSeconds[unit] ?? 0)
  const ago = () => addSeconds(toTimestamp(new Date()), -seconds)
  const instantText = beginningOf(text, isUtc) ?? (count === undefined ? text : ago())
  // A duration that is too long leads to a year that cannot be written.
  const instant = parseTimestamp(instantText)
  if (instant) return instant
  throw invalid(
    `"${text}" ${timestampError(instantText)}. You can also use a date such as 2026-03-31, or a time ago, for example 2h.`,
  )
}

export const listenFlags = {
  organization: requiredOrganizationFlag,
  'forward-to': Flags.string({
    required: true,
    helpValue: 'URL',
    parse: async (text) => parseReceiverUrl('--forward-to', text),
    description: 'URL of the receiver, http or https; it may be on this machine.',
  }),
  type: Flags.option({
    options: eventTypes,
    multiple: true,
    multipleNonGreedy: true,
    description: 'Forward only events of this type; repeatable.',
  })(),
  since: timeFlag('Start again with the events since this time'),
  cursor: Flags.string({
    helpValue: 'FILE',
    description: 'File for the position and the signing secret. Default: in the data directory.',
  }),
  backoff: Flags.custom<number>({
    helpValue: 'TIME',
    default: 0.5,
    defaultHelp: async () => '500ms',
    parse: async (text) => parseWait(text),
    description: 'Wait after the first failure. It doubles with each failure, up to 5s.',
  })(),
  'print-secret': Flags.boolean({
    exclusive: ['since'],
    description: 'Print only the signing secret, to configure the receiver.',
  }),
}

/** Tables omit the common prefix of all types to save space. */
export function shortTypeOf(type: string): string {
  return type.replace(/^share_purchase\./, '')
}
