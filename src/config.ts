import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type DatabaseConfig, databaseConfigOf } from './config/database-flags.ts'
import { type DeliveryConfig, deliveryConfigOf } from './config/delivery-flags.ts'
import { invalid } from './config/invalid.ts'
import { type LogLevel, type ServeFlags, serveFlags } from './config/serve-flags.ts'
import { requireSwitches } from './config/switches.ts'
import type { Environment } from './usecases/service.ts'

export interface HttpsFiles {
  readonly cert: string
  readonly key: string
}

export interface Config extends DeliveryConfig {
  readonly environment: Environment
  readonly dataDirectory: string
  readonly encryptionKeyFile: string | undefined
  /** Given as text in a variable; never a flag, which other users of the machine could read. */
  readonly encryptionKey: string | undefined
  /** undefined when the store is in the data directory. */
  readonly database: DatabaseConfig | undefined
  readonly host: string
  readonly port: number
  /** Without a trailing slash; undefined when it follows from host and port. */
  readonly baseUrl: string | undefined
  readonly https: boolean
  readonly httpsFiles: HttpsFiles | undefined
  readonly demo: boolean
  readonly fixtures: readonly string[]
  /** Per minute. */
  readonly limits: {
    readonly requests: number
    readonly requestsPerAddress: number
    readonly tokens: number
  }
  readonly trustedHops: number
  readonly maximumShareCount: number
  readonly bankLookupUrl: string | undefined
  readonly operatorHost: string
  readonly operatorPort: number
  /** `host` or `host:port`, besides those that the service knows itself. */
  readonly operatorNames: readonly string[]
  /** undefined when each start makes its own. */
  readonly operatorToken: string | undefined
  readonly metricsToken: string | undefined
  /** How long a start waits for a database that cannot be reached yet. */
  readonly databaseWaitMs: number
  /** How long it serves after it was told to stop. */
  readonly drainMs: number
  readonly logLevel: LogLevel
}

export interface Surroundings {
  readonly defaultDataDirectory: string
  readonly variables: Readonly<Record<string, string | undefined>>
}

/**
 * The flags of `serve` and the environment, read once. Two more places look at the environment: config/database-flags.ts
 * refuses an address that is empty, and cli/program/unknown-user.ts gives oclif the home and the shell of a user that the
 * system does not know.
 */
export function createConfig(flags: ServeFlags, surroundings: Surroundings): Config {
  const { defaultDataDirectory, variables } = surroundings
  requireSwitches(serveFlags, variables)
  return Object.freeze({
    environment: flags.environment,
    dataDirectory: resolve(flags['data-dir'] ?? defaultDataDirectory),
    encryptionKeyFile: flags['encryption-key-file'],
    encryptionKey: variables['COOPSHARE_ENCRYPTION_KEY'] || undefined,
    database: databaseConfigOf(flags),
    host: flags.host,
    port: flags.port,
    baseUrl: flags['base-url'],
    https: Boolean(flags.https) || flags['https-cert'] !== undefined,
    httpsFiles: httpsFilesOf(flags),
    // oclif leaves out a switch that was not given, whatever its type says.
    demo: Boolean(flags.demo),
    // oclif hands over the variable of a flag that may be repeated as one text.
    fixtures: [flags.fixtures ?? []].flat(),
    limits: {
      requests: flags['rate-limit'],
      requestsPerAddress: flags['address-rate-limit'],
      tokens: flags['token-rate-limit'],
    },
    trustedHops: flags['trust-proxy'],
    maximumShareCount: flags['max-share-count'],
    ...deliveryConfigOf(flags),
    bankLookupUrl: flags['bank-lookup-url'],
    operatorHost: flags['operator-host'],
    operatorPort: flags['operator-port'],
    operatorNames: flags['operator-names']?.split(',') ?? [],
    operatorToken: variables['COOPSHARE_OPERATOR_TOKEN'] || undefined,
    metricsToken: variables['COOPSHARE_METRICS_TOKEN'] || undefined,
    databaseWaitMs: 1000 * flags['database-wait'],
    drainMs: 1000 * (flags.drain ?? (flags.environment === 'production' ? 5 : 0)),
    logLevel: flags['log-level'],
  })
}

/** The address of a listener, as others reach it. */
export function urlOf(scheme: 'http' | 'https', host: string, port: number): string {
  // Nobody can call the address that stands for all addresses.
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${scheme}://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`
}

export function baseUrlOf(config: Config, port = config.port): string {
  return config.baseUrl ?? urlOf(config.https ? 'https' : 'http', config.host, port)
}

function httpsFilesOf(flags: ServeFlags): HttpsFiles | undefined {
  const { 'https-cert': cert, 'https-key': key } = flags
  if (cert && key) return { cert, key }
  if (cert || key) throw invalid('--https-cert and --https-key have to be given together.')
  return undefined
}
