import { Flags, type Interfaces } from '@oclif/core'
import { parseDuration } from '../domain/timestamp.ts'
import { type RetryWaits, specifiedBackoffSeconds } from '../domain/webhooks/delivery-retries.ts'
import { eventGroup, invalid, parseSchedule, parseWait } from './common-flags.ts'

const secondsOfDay = 24 * 60 * 60

export const webhookFlags = {
  'webhook-backoff': Flags.custom<number>({
    helpGroup: eventGroup,
    helpValue: 'TIME',
    default: specifiedBackoffSeconds,
    defaultHelp: async () => '30s',
    parse: async (text) => parseWait(text),
    description: 'Time to wait before the first retry.',
  })(),
  'webhook-schedule': Flags.custom<readonly number[]>({
    helpGroup: eventGroup,
    helpValue: 'TIME,…',
    parse: async (text) => parseSchedule('webhook-schedule', text),
    description: 'Waits between attempts. Default: 30s,1m,2m,4m,8m.',
  })(),
  'allow-private-webhooks': Flags.boolean({
    helpGroup: eventGroup,
    description: 'Allow private addresses and http (staging only).',
  }),
  'event-retention': Flags.custom<number>({
    helpGroup: eventGroup,
    helpValue: 'TIME',
    default: 90 * secondsOfDay,
    defaultHelp: async () => '90d',
    parse: async (text) => {
      if (text === '0') return 0
      const seconds = (parseDuration(text) ?? 0) / 1000
      // An earlier year cannot be written.
      if (seconds >= 1 && seconds <= 36_500 * secondsOfDay) return seconds
      throw invalid(`"${text}" is neither 0 nor a time up to 36500d, for example 12h or 90d.`)
    },
    description: 'Time to keep events; 0: for ever.',
  })(),
}

type WebhookFlags = Interfaces.InferredFlags<typeof webhookFlags>

export interface WebhookConfig {
  readonly webhookBackoffSeconds: number
  /** undefined if the waits double. */
  readonly webhookWaits: RetryWaits | undefined
  readonly allowPrivateWebhooks: boolean
  /** 0 keeps events for ever. */
  readonly eventRetentionSeconds: number
}

export function webhookConfigOf(flags: WebhookFlags): WebhookConfig {
  const { 'webhook-backoff': webhookBackoffSeconds, 'webhook-schedule': webhookWaits } = flags
  if (webhookWaits && webhookBackoffSeconds !== specifiedBackoffSeconds)
    throw invalid('Choose only one of --webhook-backoff and --webhook-schedule.')
  return {
    webhookBackoffSeconds,
    webhookWaits,
    eventRetentionSeconds: flags['event-retention'],
    allowPrivateWebhooks: flags['allow-private-webhooks'],
  }
}
