import { resolve } from 'node:path'
import { Flags, type Interfaces } from '@oclif/core'
import { invalid } from './invalid.ts'
import { parseDirectory } from './store-place.ts'

const longestWaitSeconds = 3600
const secondsOfDay = 24 * 60 * 60

/** How events and mails leave the service. */
export const deliveryFlags = {
  'webhook-backoff': Flags.custom<number>({
    env: 'COOPSHARE_WEBHOOK_BACKOFF',
    helpGroup: 'EVENTS',
    helpValue: 'TIME',
    default: 30,
    defaultHelp: async () => '30s',
    parse: async (text) => parseWait(text),
    description: 'First wait after a failed delivery, such as 30s or 500ms; it doubles each time.',
  })(),
  'allow-private-webhooks': Flags.boolean({
    env: 'COOPSHARE_ALLOW_PRIVATE_WEBHOOKS',
    helpGroup: 'EVENTS',
    description: 'Send webhooks to http and to addresses that are not public, in staging only.',
  }),
  'event-retention': Flags.custom<number>({
    env: 'COOPSHARE_EVENT_RETENTION',
    helpGroup: 'EVENTS',
    helpValue: 'TIME',
    default: 90 * secondsOfDay,
    defaultHelp: async () => '90d',
    parse: async (text) => parseRetention(text),
    description:
      'Remove an event this long after it reached all its receivers, such as 12h or 90d; 0 keeps events for ever.',
  })(),
  'smtp-url': Flags.string({
    env: 'COOPSHARE_SMTP_URL',
    helpGroup: 'EVENTS',
    helpValue: 'URL',
    parse: async (text) => parseSmtpUrl(text),
    description: 'Send mails to investors through this mail server (smtp: or smtps:).',
  }),
  'mail-directory': Flags.string({
    env: 'COOPSHARE_MAIL_DIRECTORY',
    helpGroup: 'EVENTS',
    helpValue: 'DIR',
    parse: async (text) => parseDirectory('mail-directory', text),
    description:
      'Write mails to investors to files in this directory instead of sending them; default, in staging only: mail/ in the data directory.',
  }),
  'no-investor-mail': Flags.boolean({
    env: 'COOPSHARE_NO_INVESTOR_MAIL',
    helpGroup: 'EVENTS',
    description: 'Make no mails to investors. Mails that are still pending end as turned off.',
  }),
  'mail-from': Flags.string({
    env: 'COOPSHARE_MAIL_FROM',
    helpGroup: 'EVENTS',
    helpValue: 'ADDRESS',
    parse: async (text) => parseMailAddress(text),
    description: 'Sender of mails to investors, such as "Coop <mail@coop.example>".',
  }),
}

type DeliveryFlags = Interfaces.InferredFlags<typeof deliveryFlags>

export interface DeliveryConfig {
  readonly webhookBackoffSeconds: number
  readonly allowPrivateWebhooks: boolean
  /** 0: for ever. */
  readonly eventRetentionSeconds: number
  /** May hold a password. */
  readonly smtpUrl: string | undefined
  /** Where mails become files; undefined where nothing was said. */
  readonly mailDirectory: string | undefined
  readonly investorMail: boolean
  readonly mailFrom: string
}

export function deliveryConfigOf(flags: DeliveryFlags): DeliveryConfig {
  const { 'smtp-url': smtpUrl, 'mail-from': mailFrom } = flags
  const mailDirectory = flags['mail-directory']
  const investorMail = !flags['no-investor-mail']
  const ways = [smtpUrl !== undefined, mailDirectory !== undefined, !investorMail].filter(Boolean)
  if (ways.length > 1) throw invalid(`Mails to investors go one way: choose one of ${mailFlags}.`)
  if (smtpUrl && !mailFrom) throw invalid('--smtp-url needs --mail-from, the sender of the mails.')
  return {
    webhookBackoffSeconds: flags['webhook-backoff'],
    eventRetentionSeconds: flags['event-retention'],
    allowPrivateWebhooks: flags['allow-private-webhooks'],
    smtpUrl,
    mailDirectory: mailDirectory === undefined ? undefined : resolve(mailDirectory),
    investorMail,
    mailFrom: mailFrom ?? 'coopshare@localhost',
  }
}

const mailFlags = '--smtp-url, --mail-directory and --no-investor-mail'

/** Of `500ms`, `30s` or `2m`; undefined of any other text. */
export function secondsOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,7})(ms|s|m)$/.exec(text) ?? []
  return unit === undefined ? undefined : Number(count) * ({ ms: 0.001, s: 1, m: 60 }[unit] ?? 0)
}

/** In seconds. */
export function parseWait(text: string): number {
  const seconds = secondsOf(text) ?? 0
  if (seconds > 0 && seconds <= longestWaitSeconds) return seconds
  throw invalid(`"${text}" is no time from 1ms to 60m, such as 500ms, 30s or 2m.`)
}

/** In seconds. */
function parseRetention(text: string): number {
  if (text === '0') return 0
  const [, count, unit] = /^(\d{1,5})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * ({ s: 1, m: 60, h: 3600, d: secondsOfDay }[unit ?? ''] ?? 0)
  // Longer than that ago, there was no year that can be written.
  if (seconds > 0 && seconds <= 36_500 * secondsOfDay) return seconds
  throw invalid(`"${text}" is no time up to 36500d, such as 12h or 90d, and not 0 either.`)
}

function parseSmtpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname) return text
  // Not repeated: it may hold a password.
  throw invalid('The mail server has to be an smtp: or smtps: address with a host.')
}

function parseMailAddress(text: string): string {
  if (/^[^<>\s@]+@[^<>\s@]+$|^[^<>@\r\n]+ <[^<>\s@]+@[^<>\s@]+>$/.test(text)) return text
  throw invalid(`"${text}" is no mail address, such as mail@coop.example.`)
}
