import { isIP } from 'node:net'
import { Flags, type Interfaces } from '@oclif/core'
import { type RateLimitFlag, rateLimits } from '../domain/rate-limits.ts'
import type { SecondedAction } from '../domain/share-purchases/share-purchase.ts'
import { parseDuration } from '../domain/timestamp.ts'
import { environments } from '../ports/collections.ts'
import { backupFlags } from './backup-flags.ts'
import { benchFlags } from './bench-flags.ts'
import {
  connectionGroup,
  invalid,
  limitGroup,
  parseDirectory,
  parseOwnUrl,
  parseReceiverUrl,
  withVariables,
} from './common-flags.ts'
import { databaseFlags } from './database-flags.ts'
import { mailFlags } from './mail-flags.ts'
import { webhookFlags } from './webhook-flags.ts'

const logLevels = ['info', 'warn', 'error', 'silent'] as const
const logFormats = ['auto', 'text', 'json'] as const

/** The flags of every command on a store. */
export const globalFlags = withVariables({
  'data-dir': Flags.string({
    helpGroup: connectionGroup,
    helpValue: 'DIR',
    parse: async (text) => parseDirectory('data-dir', text),
    description: 'Store directory. Default: the data directory of your system.',
  }),
  environment: Flags.option({
    helpGroup: connectionGroup,
    options: environments,
    default: 'staging',
    description: 'Store environment, fixed at the first start.',
  })(),
  'encryption-key-file': Flags.string({
    helpGroup: connectionGroup,
    helpValue: 'FILE',
    description:
      'File with the encryption key: 32 bytes, in hex or base64. Default: a key that the store creates.',
  }),
  ...databaseFlags,
})

const rateLimitFlags = Object.fromEntries(
  Object.values(rateLimits).map(({ flag, specified, inHelp }) => [
    flag,
    Flags.integer({
      min: 1,
      helpGroup: limitGroup,
      helpValue: 'N',
      default: specified,
      description: inHelp,
    }),
  ]),
) as Record<RateLimitFlag, Interfaces.OptionFlag<number>>

/** A command that opens the store itself reads the settings of `serve` from their variables. */
export const serveFlags = withVariables({
  ...globalFlags,
  port: Flags.integer({
    default: 8080,
    min: 0,
    max: 65_535,
    description: 'API port; 0 picks a free one.',
  }),
  host: Flags.string({
    default: '127.0.0.1',
    parse: async (text) => parseHost(text),
    description: 'API listening address.',
  }),
  'base-url': Flags.string({
    helpValue: 'URL',
    parse: async (text) => parseOwnUrl('--base-url', text),
    description: 'Public URL of the API. Default: host and port.',
  }),
  demo: Flags.boolean({
    description: 'Add demo data (staging only).',
  }),
  fixtures: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'FILE',
    description: 'Apply a fixture file at start; repeatable.',
  }),
  https: Flags.boolean({
    description: 'Serve https, by default with a new certificate.',
  }),
  'https-cert': Flags.string({
    helpValue: 'FILE',
    description: 'Certificate chain (PEM).',
  }),
  'https-key': Flags.string({
    helpValue: 'FILE',
    description: 'Private key (PEM).',
  }),
  ...rateLimitFlags,
  'trust-proxy': Flags.integer({
    default: 0,
    min: 0,
    max: 16,
    helpGroup: limitGroup,
    helpValue: 'HOPS',
    description: 'Trusted proxies in X-Forwarded-For.',
  }),
  'max-share-count': Flags.integer({
    default: 10_000,
    min: 1,
    // The minimum number of shares of a cooperative can be equally high.
    max: 1_000_000,
    helpGroup: limitGroup,
    description: 'Maximum number of shares per order.',
  }),
  ...webhookFlags,
  ...mailFlags,
  ...backupFlags,
  ...benchFlags,
  'bank-lookup-url': Flags.string({
    helpValue: 'URL',
    parse: async (text) => parseReceiverUrl('--bank-lookup-url', text),
    description: 'Look-up service for banks unknown to coopshare.',
  }),
  'operator-host': Flags.string({
    default: '127.0.0.1',
    parse: async (text) => parseHost(text),
    description: 'Operator listening address.',
  }),
  'operator-port': Flags.integer({
    min: 0,
    max: 65_535,
    description: 'Operator port. Default: --port plus 1, if free.',
  }),
  'four-eyes': Flags.string({
    helpValue: 'settle,reject,collect',
    parse: async (text) => {
      const names = text.split(/[\s,]+/)
      if (names.every((name) => Object.hasOwn(secondedActions, name))) return names.join(',')
      throw invalid(
        `--four-eyes must be settle, reject or collect, or several of them separated by commas, not "${text}".`,
      )
    },
    description: 'Decisions, and files of collections, that a second operator must confirm.',
  }),
  'operator-cert': Flags.string({
    helpValue: 'FILE',
    description: 'Operator endpoint certificate (PEM).',
  }),
  'operator-key': Flags.string({
    helpValue: 'FILE',
    description: 'Private key of --operator-cert (PEM).',
  }),
  'operator-names': Flags.string({
    helpValue: 'HOST:PORT,…',
    // Commands sign the name at which they reach the service, so the service must know each name.
    parse: async (text) => {
      const names = text.toLowerCase().split(/[\s,]+/)
      const wrong = names.find((name) => !/^([\w.-]+|\[[\d.:a-f]+\])(:\d{1,5})?$/.test(name))
      if (wrong === undefined) return names.join(',')
      throw invalid(
        `--operator-names must be a list of HOST or HOST:PORT, separated by commas. "${wrong}" is neither.`,
      )
    },
    description: 'Other operator endpoint addresses.',
  }),
  'database-wait': Flags.custom<number>({
    helpGroup: connectionGroup,
    helpValue: 'TIME',
    default: 30,
    defaultHelp: async () => '30s',
    parse: async (text) => parseTime('database-wait', text),
    description: 'How long `serve` waits for a database that is not ready yet.',
  })(),
  drain: Flags.custom<number>({
    helpValue: 'TIME',
    parse: async (text) => parseTime('drain', text),
    description: 'Time to keep serving after SIGTERM: 5s; staging: 0s.',
  })(),
  'log-level': Flags.option({
    options: logLevels,
    default: 'info',
    description: 'Lowest level to log.',
  })(),
  'log-format': Flags.option({
    options: logFormats,
    default: 'auto',
    description: 'Log format; auto: text at a terminal, otherwise json.',
  })(),
})

export type ServeFlags = Interfaces.InferredFlags<typeof serveFlags>
export type LogLevel = (typeof logLevels)[number]
export type LogFormat = (typeof logFormats)[number]

const longestSeconds = 3600

/** Returns seconds. */
function parseTime(flag: string, text: string): number {
  const durationMs = parseDuration(text)
  if (durationMs !== undefined && durationMs <= longestSeconds * 1000) return durationMs / 1000
  throw invalid(`--${flag} must be a time from 0s to 60m, for example 5s or 500ms, not "${text}".`)
}

/** listhen silently replaces an invalid host name. */
function parseHost(text: string): string {
  if (!isIP(text) && !/^(?!-)[\d.A-Za-z-]{1,63}(?<!-)$/.test(text)) {
    throw invalid(`"${text}" is not a host name or an IP address.`)
  }
  return text
}

const secondedActions = { settle: 'settled', reject: 'rejected', collect: 'collect' } as const

/** @param text a text that the flag has accepted */
export function fourEyesOf(text: string | undefined): readonly SecondedAction[] {
  const names = (text?.split(',') ?? []) as readonly (keyof typeof secondedActions)[]
  return names.map((name) => secondedActions[name])
}

interface Flag {
  readonly type: string
  readonly env?: string | undefined
}

const yesOrNo = /^(1|true|y|yes|0|false|n|no)?$/i

/** oclif reads any other text as false: `COOPSHARE_HTTPS=on` would serve http. */
export function requireSwitches(
  flags: Readonly<Record<string, Flag>>,
  variables: Readonly<Record<string, string | undefined>>,
): void {
  for (const { type, env } of Object.values(flags)) {
    const text = type === 'boolean' && env !== undefined && variables[env]
    if (text && !yesOrNo.test(text)) throw invalid(`${env} must be true or false, not "${text}".`)
  }
}
