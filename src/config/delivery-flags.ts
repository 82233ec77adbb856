import { resolve } from 'node:path'
import { Flags, type Interfaces } from '@oclif/core'
import { parseDuration } from '../domain/timestamp.ts'
import type { RetryWaits } from '../domain/webhooks/delivery-progress.ts'
import { eventGroup, invalid, parseDirectory } from './flag-groups.ts'

const longestWaitSeconds = 3600
const defaultBackoffSeconds = 30
const secondsOfDay = 24 * 60 * 60

export const deliveryFlags = {
  'webhook-backoff': Flags.custom<number>({
    env: 'COOPSHARE_WEBHOOK_BACKOFF',
    helpGroup: eventGroup,
    helpValue: 'TIME',
    default: defaultBackoffSeconds,
    defaultHelp: async () => '30s',
    parse: async (text) => parseWait(text),
    description: 'Time to wait before the first retry.',
  })(),
  'webhook-schedule': Flags.custom<readonly number[]>({
    env: 'COOPSHARE_WEBHOOK_SCHEDULE',
    helpGroup: eventGroup,
    helpValue: 'TIME,…',
    parse: async (text) => parseSchedule(text),
    description: 'Waits between attempts. Default: 30s,1m,2m,4m,8m.',
  })(),
  'allow-private-webhooks': Flags.boolean({
    env: 'COOPSHARE_ALLOW_PRIVATE_WEBHOOKS',
    helpGroup: eventGroup,
    description: 'Allow private addresses and http (staging only).',
  }),
  'event-retention': Flags.custom<number>({
    env: 'COOPSHARE_EVENT_RETENTION',
    helpGroup: eventGroup,
    helpValue: 'TIME',
    default: 90 * secondsOfDay,
    defaultHelp: async () => '90d',
    parse: async (text) => parseRetention(text),
    description: 'Time to keep events; 0: for ever.',
  })(),
  'smtp-url': Flags.string({
    env: 'COOPSHARE_SMTP_URL',
    helpGroup: eventGroup,
    helpValue: 'URL',
    parse: async (text) => parseSmtpUrl(text),
    description: 'Mail server for e-mails to investors.',
  }),
  'mail-directory': Flags.string({
    env: 'COOPSHARE_MAIL_DIRECTORY',
    helpGroup: eventGroup,
    helpValue: 'DIR',
    parse: async (text) => parseDirectory('mail-directory', text),
    description: 'Write e-mails here; in staging to mail/ by default.',
  }),
  'no-investor-mail': Flags.boolean({
    env: 'COOPSHARE_NO_INVESTOR_MAIL',
    helpGroup: eventGroup,
    description: 'Send investors no e-mails; drop pending ones.',
  }),
  'mail-from': Flags.string({
    env: 'COOPSHARE_MAIL_FROM',
    helpGroup: eventGroup,
    helpValue: 'ADDRESS',
    parse: async (text) => parseMailAddress(text),
    description: 'Sender, for example "Coop <mail@coop.example>".',
  }),
}

type DeliveryFlags = Interfaces.InferredFlags<typeof deliveryFlags>

export interface DeliveryConfig {
  readonly webhookBackoffSeconds: number
  /** undefined if the waits double. */
  readonly webhookWaits: RetryWaits | undefined
  readonly allowPrivateWebhooks: boolean
  /** 0 keeps events for ever. */
  readonly eventRetentionSeconds: number
  /** The address may contain a password. */
  readonly smtpUrl: string | undefined
  /** undefined if the operator did not choose. */
  readonly mailDirectory: string | undefined
  readonly investorMail: boolean
  readonly mailFrom: string
}

export function deliveryConfigOf(flags: DeliveryFlags): DeliveryConfig {
  const { 'smtp-url': smtpUrl, 'mail-from': mailFrom } = flags
  const mailDirectory = flags['mail-directory']
  const investorMail = !flags['no-investor-mail']
  const ways = [smtpUrl !== undefined, mailDirectory !== undefined, !investorMail].filter(Boolean)
  if (ways.length > 1) throw invalid(`Choose only one of ${mailFlags}.`)
  if (smtpUrl && !mailFrom)
    throw invalid('--smtp-url needs --mail-from, the sender of the e-mails.')
  const { 'webhook-backoff': webhookBackoffSeconds, 'webhook-schedule': webhookWaits } = flags
  if (webhookWaits && webhookBackoffSeconds !== defaultBackoffSeconds)
    throw invalid('Choose only one of --webhook-backoff and --webhook-schedule.')
  return {
    webhookBackoffSeconds,
    webhookWaits,
    eventRetentionSeconds: flags['event-retention'],
    allowPrivateWebhooks: flags['allow-private-webhooks'],
    smtpUrl,
    mailDirectory: mailDirectory === undefined ? undefined : resolve(mailDirectory),
    investorMail,
    mailFrom: mailFrom ?? 'coopshare@localhost',
  }
}

const mailFlags = '--smtp-url, --mail-directory and --no-investor-mail'

/** @param text `500ms`, `30s` or `2m`; the result of any other text is undefined */
export function secondsOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,7})(ms|s|m)$/.exec(text) ?? []
  return unit === undefined ? undefined : Number(count) * ({ ms: 0.001, s: 1, m: 60 }[unit] ?? 0)
}

/** In seconds. */
export function parseWait(text: string): number {
  const seconds = secondsOf(text) ?? 0
  if (seconds > 0 && seconds <= longestWaitSeconds) return seconds
  throw invalid(`"${text}" is not a time from 1ms to 60m, for example 500ms, 30s or 2m.`)
}

/** More attempts would only add to the load of a receiver that is down. */
const maximumWaits = 20
const longestScheduledSeconds = 7 * secondsOfDay

/** In seconds. */
function parseSchedule(text: string): RetryWaits {
  const waits = text.split(',').map((part) => (parseDuration(part.trim()) ?? 0) / 1000)
  const areFit = waits.every((wait) => wait > 0 && wait <= longestScheduledSeconds)
  if (areFit && waits.length <= maximumWaits) return waits
  throw invalid(
    `--webhook-schedule must be up to ${maximumWaits} waits from 1ms to 7d, separated by commas, for example 30s,2m,10m,1h,6h, not "${text}".`,
  )
}

/** In seconds. */
function parseRetention(text: string): number {
  if (text === '0') return 0
  const [, count, unit] = /^(\d{1,5})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * ({ s: 1, m: 60, h: 3600, d: secondsOfDay }[unit ?? ''] ?? 0)
  // An earlier year cannot be written.
  if (seconds > 0 && seconds <= 36_500 * secondsOfDay) return seconds
  throw invalid(`"${text}" is neither 0 nor a time up to 36500d, for example 12h or 90d.`)
}

function parseSmtpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname) return text
  // The message leaves the address out because it may contain a password.
  throw invalid('--smtp-url must be an smtp: or smtps: address with a host.')
}

function parseMailAddress(text: string): string {
  if (/^[^<>\s@]+@[^<>\s@]+$|^[^<>@\r\n]+ <[^<>\s@]+@[^<>\s@]+>$/.test(text)) return text
  throw invalid(`"${text}" is not an e-mail address, for example mail@coop.example.`)
}
