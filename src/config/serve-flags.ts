import { isIP } from 'node:net'
import { Flags, type Interfaces } from '@oclif/core'
import type { Environment } from '../usecases/service.ts'
import { databaseFlags } from './database-flags.ts'
import { deliveryFlags } from './delivery-flags.ts'
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

/** What is no host name would quietly become another one in listhen. */
function parseHost(text: string): string {
  if (!isIP(text) && !/^(?!-)[\d.A-Za-z-]{1,63}(?<!-)$/.test(text)) {
    throw invalid(`"${text}" is no host name or IP address.`)
  }
  return text
}
