import { Flags, type Interfaces } from '@oclif/core'
import { invalid } from './invalid.ts'

const longestWaitSeconds = 3600

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
  'smtp-url': Flags.string({
    env: 'COOPSHARE_SMTP_URL',
    helpGroup: 'EVENTS',
    helpValue: 'URL',
    parse: async (text) => parseSmtpUrl(text),
    description:
      'Mail server for mails to investors (smtp: or smtps:); default: files in the data directory.',
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
  /** May hold a password. */
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
}

export function deliveryConfigOf(flags: DeliveryFlags): DeliveryConfig {
  const { 'smtp-url': smtpUrl, 'mail-from': mailFrom } = flags
  if (smtpUrl && !mailFrom) throw invalid('--smtp-url needs --mail-from, the sender of the mails.')
  return {
    webhookBackoffSeconds: flags['webhook-backoff'],
    allowPrivateWebhooks: flags['allow-private-webhooks'],
    smtpUrl,
    mailFrom: mailFrom ?? 'coopshare@localhost',
  }
}

/** In seconds. */
export function parseWait(text: string): number {
  const match = /^(\d{1,7})(ms|s|m)$/.exec(text)
  const unit = { ms: 0.001, s: 1, m: 60 }[match?.[2] ?? ''] ?? 0
  const seconds = Number(match?.[1]) * unit
  if (seconds > 0 && seconds <= longestWaitSeconds) return seconds
  throw invalid(`"${text}" is no time from 1ms to 60m, such as 500ms, 30s or 2m.`)
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
