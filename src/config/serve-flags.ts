import { isIP } from 'node:net'
import { Flags, type Interfaces } from '@oclif/core'
import type { Environment } from '../usecases/service.ts'
import { databaseFlags } from './database-flags.ts'
import { deliveryFlags, secondsOf } from './delivery-flags.ts'
import { parseReceiverUrl, parseServiceUrl } from './http-url.ts'
import { invalid } from './invalid.ts'
import { parseDirectory } from './store-place.ts'

const environments = ['staging', 'production'] as const satisfies readonly Environment[]
const logLevels = ['info', 'warn', 'error', 'silent'] as const

/** What every command takes. */
export const globalFlags = {
  'data-dir': Flags.string({
    env: 'COOPSHARE_DATA_DIR',
    helpGroup: 'GLOBAL',
    helpValue: 'DIR',
    parse: async (text) => parseDirectory('data-dir', text),
    description: "Where the service keeps everything; default: the platform's data directory.",
  }),
  environment: Flags.option({
    env: 'COOPSHARE_ENVIRONMENT',
    helpGroup: 'GLOBAL',
    options: environments,
    default: 'staging',
    description: 'Has to be the one that the store was started with first.',
  })(),
  'encryption-key-file': Flags.string({
    env: 'COOPSHARE_ENCRYPTION_KEY_FILE',
    helpGroup: 'GLOBAL',
    helpValue: 'FILE',
    description:
      'Key for encryption at rest, 32 bytes as hex or base64; default: made by the store.',
  }),
  ...databaseFlags,
}

const perMinute = { min: 1, helpGroup: 'LIMITS', helpValue: 'PER-MINUTE' }

/** What `serve` takes. A command that opens the store itself reads the same settings from their variables. */
export const serveFlags = {
  ...globalFlags,
  port: Flags.integer({
    env: 'COOPSHARE_PORT',
    default: 8080,
    min: 0,
    max: 65_535,
    description: 'Port of the partner API; 0 takes a free one.',
  }),
  host: Flags.string({
    env: 'COOPSHARE_HOST',
    default: '127.0.0.1',
    parse: async (text) => parseHost(text),
    description: 'Address that the partner API listens on.',
  }),
  'base-url': Flags.string({
    env: 'COOPSHARE_BASE_URL',
    helpValue: 'URL',
    parse: async (text) => parseServiceUrl('base-url', text),
    description: 'Address under which partners reach the service; default: host and port.',
  }),
  demo: Flags.boolean({
    env: 'COOPSHARE_DEMO',
    description: 'Fill the store with demo data, in staging only.',
  }),
  fixtures: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    env: 'COOPSHARE_FIXTURES',
    helpValue: 'FILE',
    description: 'Apply a fixture file at start; may be given more than once.',
  }),
  https: Flags.boolean({
    env: 'COOPSHARE_HTTPS',
    description: 'Serve https: with the given certificate, or with one made for localhost.',
  }),
  'https-cert': Flags.string({
    env: 'COOPSHARE_HTTPS_CERT',
    helpValue: 'FILE',
    description: 'Certificate chain (PEM); needs --https-key.',
  }),
  'https-key': Flags.string({
    env: 'COOPSHARE_HTTPS_KEY',
    helpValue: 'FILE',
    description: 'Private key of the certificate (PEM).',
  }),
  'rate-limit': Flags.integer({
    ...perMinute,
    env: 'COOPSHARE_RATE_LIMIT',
    default: 600,
    description: 'Requests below /v1 for each client.',
  }),
  'token-rate-limit': Flags.integer({
    ...perMinute,
    env: 'COOPSHARE_TOKEN_RATE_LIMIT',
    default: 20,
    description: 'Token requests for each client, and for each calling address.',
  }),
  'address-rate-limit': Flags.integer({
    ...perMinute,
    env: 'COOPSHARE_ADDRESS_RATE_LIMIT',
    default: 1200,
    description: 'Requests below /v1 for each calling address.',
  }),
  'trust-proxy': Flags.integer({
    env: 'COOPSHARE_TRUST_PROXY',
    default: 0,
    min: 0,
    max: 16,
    helpGroup: 'LIMITS',
    helpValue: 'HOPS',
    description: 'Take the calling address from X-Forwarded-For, so many hops from the right.',
  }),
  'max-share-count': Flags.integer({
    env: 'COOPSHARE_MAX_SHARE_COUNT',
    default: 10_000,
    min: 1,
    // As many as a cooperative may ask for at least.
    max: 1_000_000,
    helpGroup: 'LIMITS',
    description: 'Most shares in one order.',
  }),
  ...deliveryFlags,
  'bank-lookup-url': Flags.string({
    env: 'COOPSHARE_BANK_LOOKUP_URL',
    helpValue: 'URL',
    parse: async (text) => parseReceiverUrl('bank-lookup-url', text),
    description: 'Asked for banks that the built-in directory does not know (as openiban.com).',
  }),
  'operator-host': Flags.string({
    env: 'COOPSHARE_OPERATOR_HOST',
    default: '127.0.0.1',
    parse: async (text) => parseHost(text),
    description: 'Address that the operator endpoint listens on.',
  }),
  'operator-port': Flags.integer({
    env: 'COOPSHARE_OPERATOR_PORT',
    default: 0,
    min: 0,
    max: 65_535,
    description: 'Port of the operator endpoint; 0 takes a free one.',
  }),
  'operator-names': Flags.string({
    env: 'COOPSHARE_OPERATOR_NAMES',
    helpValue: 'HOST[:PORT],…',
    parse: async (text) => parseNames(text),
    description:
      'Other addresses that commands may use for the operator endpoint, such as that of a tunnel.',
  }),
  'database-wait': Flags.custom<number>({
    env: 'COOPSHARE_DATABASE_WAIT',
    helpGroup: 'DATABASE',
    helpValue: 'TIME',
    default: 30,
    defaultHelp: async () => '30s',
    parse: async (text) => parseTime('database-wait', text),
    description:
      'How long to wait at the start for a database that is starting, recovering, full or out of reach.',
  })(),
  drain: Flags.custom<number>({
    env: 'COOPSHARE_DRAIN',
    helpValue: 'TIME',
    parse: async (text) => parseTime('drain', text),
    description:
      'How long to go on serving after SIGTERM while /readyz answers 503; default: 5s in production, 0s in staging.',
  })(),
  'log-level': Flags.option({
    env: 'COOPSHARE_LOG_LEVEL',
    options: logLevels,
    default: 'info',
    description: 'What is written to the log on stderr.',
  })(),
}

export type GlobalFlags = Interfaces.InferredFlags<typeof globalFlags>
export type ServeFlags = Interfaces.InferredFlags<typeof serveFlags>
export type LogLevel = (typeof logLevels)[number]

const longestSeconds = 3600

/** In seconds. */
function parseTime(flag: string, text: string): number {
  const seconds = secondsOf(text)
  if (seconds !== undefined && seconds <= longestSeconds) return seconds
  throw invalid(`--${flag} takes a time from 0s to 60m, such as 5s or 500ms, not "${text}".`)
}

/** What is no host name would quietly become another one in listhen. */
function parseHost(text: string): string {
  if (!isIP(text) && !/^(?!-)[\d.A-Za-z-]{1,63}(?<!-)$/.test(text)) {
    throw invalid(`"${text}" is no host name or IP address.`)
  }
  return text
}

/** As commands name them in a signature. */
function parseNames(text: string): string {
  const names = text.toLowerCase().split(/[\s,]+/)
  const wrong = names.find((name) => !/^([\w.-]+|\[[\d.:a-f]+\])(:\d{1,5})?$/.test(name))
  if (wrong === undefined) return names.join(',')
  throw invalid(`--operator-names takes HOST or HOST:PORT, separated by commas, not "${wrong}".`)
}
