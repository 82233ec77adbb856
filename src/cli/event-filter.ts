import { Flags } from '@oclif/core'
import { invalid } from '../config/invalid.ts'
import { addSeconds, parseTimestamp, timestampFault, timestampOf } from '../domain/timestamp.ts'
import { eventTypes } from '../domain/webhooks/event.ts'
import { limitFlag, organizationFlag } from './arguments.ts'

/** Which events: what the operations take beside an id. */
export const eventFilterFlags = {
  organization: organizationFlag(),
  type: Flags.option({ options: eventTypes, description: 'Only events of it.' })(),
  since: timeFlag('Only events from then on'),
  until: timeFlag('Only events before'),
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
    parse: async (text: string) => parseTime(text),
    description: `${which}: 2026-03-31T09:30:00+02:00, or 90m, 2h, 7d ago.`,
  }
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

function parseTime(text: string): string {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * (unitSeconds[unit] ?? 0)
  const told = count === undefined ? text : addSeconds(timestampOf(new Date()), -seconds)
  // So many days ago there was no year that could be told.
  const instant = parseTimestamp(told)
  if (instant) return instant
  throw invalid(`"${text}" ${timestampFault(told)}, or a time ago, such as 2h.`)
}
