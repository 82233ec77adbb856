import { resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import { Flags, type Interfaces } from '@oclif/core'
import { parseUrl, readSecret } from '../domain/text.ts'
import { defaultMailWaits, type RetryWaits } from '../domain/webhooks/delivery-retries.ts'
import { eventGroup, invalid, parseDirectory, parseSchedule } from './common-flags.ts'

export const mailFlags = {
  'smtp-url': Flags.string({
    helpGroup: eventGroup,
    helpValue: 'URL',
    parse: async (given) => {
      const text = readSecret(given) ?? ''
      const url = parseUrl(text)
      if (url && /^smtps?:$/.test(url.protocol) && url.hostname) return text
      // The message leaves the address out because it may contain a password.
      throw invalid('--smtp-url must be an smtp: or smtps: address with a host.')
    },
    description: 'Mail server for e-mails to investors.',
  }),
  'mail-directory': Flags.string({
    helpGroup: eventGroup,
    helpValue: 'DIR',
    parse: async (text) => parseDirectory('mail-directory', text),
    description: 'Write e-mails to this directory. Staging: mail/.',
  }),
  'no-investor-mail': Flags.boolean({
    helpGroup: eventGroup,
    description: 'Send investors no e-mails; drop pending ones.',
  }),
  'mail-from': Flags.string({
    helpGroup: eventGroup,
    helpValue: 'ADDRESS',
    parse: async (text) => parseMailAddress(text),
    description: 'Sender, for example "Coop <mail@coop.example>".',
  }),
  'mail-schedule': Flags.custom<RetryWaits>({
    helpGroup: eventGroup,
    helpValue: 'TIME,…',
    parse: async (text) => parseSchedule('mail-schedule', text),
    description: 'Waits between attempts to send an e-mail.',
  })(),
}

type MailFlags = Interfaces.InferredFlags<typeof mailFlags>

export interface MailConfig {
  /** The address may contain a password. */
  readonly smtpUrl: string | undefined
  /** undefined if the operator did not choose. */
  readonly mailDirectory: string | undefined
  readonly investorMail: boolean
  readonly mailFrom: string
  readonly mailWaits: RetryWaits
}

export function mailConfigOf(flags: MailFlags): MailConfig {
  const { 'smtp-url': smtpUrl, 'mail-from': mailFrom } = flags
  const mailDirectory = flags['mail-directory']
  const investorMail = !flags['no-investor-mail']
  const ways = [smtpUrl !== undefined, mailDirectory !== undefined, !investorMail].filter(Boolean)
  if (ways.length > 1)
    throw invalid('Choose only one of --smtp-url, --mail-directory and --no-investor-mail.')
  if (smtpUrl && !mailFrom) throw invalid('--smtp-url needs --mail-from, the sender address.')
  return {
    smtpUrl,
    mailDirectory: mailDirectory === undefined ? undefined : resolve(mailDirectory),
    investorMail,
    mailFrom: mailFrom ?? 'coopshare@localhost',
    mailWaits: flags['mail-schedule'] ?? defaultMailWaits,
  }
}

/** RFC 5322, with letters of every script. A name with dots gets its quotes when it is sent. */
const named = /^(?:"(?:[^"\\\p{Cc}]|\\\P{Cc})+"|[^()<>[\]:;@\\,"\p{Cc}]+) *<([^<>]+)>$/u
const address = /^[^\s()<>[\]:;@\\,"\p{Cc}]+@([^\s()<>[\]:;@\\,"\p{Cc}]+)$/u
const misplacedDot = /^\.|\.\.|\.@|@\.|\.$/

function parseMailAddress(given: string): string {
  const text = given.trim()
  const bare = named.exec(text)?.[1] ?? text
  const [, domain = ''] = address.exec(bare) ?? []
  if (domainToASCII(domain) !== '' && !misplacedDot.test(bare)) return text
  throw invalid(
    `"${text}" is not a sender, for example mail@coop.example or Coop <mail@coop.example>. Put a name that contains any of ()<>[]:;@\\," in double quotes: "Coop: North" <mail@coop.example>.`,
  )
}
