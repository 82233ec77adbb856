import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Parser } from '@oclif/core'
import { distance } from 'fastest-levenshtein'
import { type BackupConfig, backupConfigOf } from './config/backup-flags.ts'
import { type BenchConfig, benchConfigOf } from './config/bench-flags.ts'
import { invalid } from './config/common-flags.ts'
import { type DatabaseConfig, databaseConfigOf } from './config/database-flags.ts'
import { type MailConfig, mailConfigOf } from './config/mail-flags.ts'
import {
  fourEyesOf,
  type LogFormat,
  type LogLevel,
  requireSwitches,
  type ServeFlags,
  serveFlags,
} from './config/serve-flags.ts'
import { type WebhookConfig, webhookConfigOf } from './config/webhook-flags.ts'
import { eachRateLimit, type RateLimits } from './domain/rate-limits.ts'
import type { SecondedAction } from './domain/share-purchases/share-purchase.ts'
import { readSecret } from './domain/text.ts'
import type { Environment } from './ports/collections.ts'

export interface HttpsFiles {
  readonly cert: string
  readonly key: string
}

export interface Config extends WebhookConfig, MailConfig {
  readonly environment: Environment
  readonly dataDirectory: string
  /** COOPSHARE_OPERATOR_URL names a service, and nothing names a store on this machine. */
  readonly isElsewhere: boolean
  readonly encryptionKeyFile: string | undefined
  /** There is no flag for it, because other users of the machine can read flags. */
  readonly encryptionKey: string | undefined
  /** undefined if the store is in the data directory. */
  readonly database: DatabaseConfig | undefined
  readonly host: string
  readonly port: number
  /** Without a trailing slash; undefined if it follows from host and port. */
  readonly baseUrl: string | undefined
  readonly https: boolean
  readonly httpsFiles: HttpsFiles | undefined
  readonly demo: boolean
  readonly fixtures: readonly string[]
  readonly limits: RateLimits
  readonly trustedHops: number
  /** undefined without --bench. */
  readonly bench: BenchConfig | undefined
  /** undefined unless the service makes backups itself. */
  readonly backup: BackupConfig | undefined
  readonly exitWithParent: boolean
  readonly maximumShareCount: number
  readonly bankLookupUrl: string | undefined
  readonly operatorHost: string
  /** undefined: the operator endpoint answers without TLS. */
  readonly operatorHttpsFiles: HttpsFiles | undefined
  /** undefined: the port after `port` if that is free, and otherwise a free one. */
  readonly operatorPort: number | undefined
  /** `host` or `host:port`, in addition to the listening address. */
  readonly operatorNames: readonly string[]
  /** undefined if each start creates its own. */
  readonly operatorToken: string | undefined
  readonly metricsToken: string | undefined
  readonly fourEyes: readonly SecondedAction[]
  readonly databaseWaitMs: number
  readonly drainMs: number
  readonly logLevel: LogLevel
  readonly logFormat: LogFormat
  /** Variables that the service ignores, although their names look like those of its settings. */
  readonly misspelt: readonly { readonly variable: string; readonly meant: string }[]
}

export interface ConfigSources {
  readonly defaultDataDirectory: string
  readonly variables: Readonly<Record<string, string | undefined>>
}

/**
 * Nothing else reads the environment, except for two files: config/database-flags.ts reads variables
 * of PostgreSQL and refuses an empty address, and cli/program/unknown-user.ts sets the home and the shell of a user without an account.
 */
export function createConfig(flags: ServeFlags, surroundings: ConfigSources): Config {
  const { defaultDataDirectory, variables } = surroundings
  requireSwitches(serveFlags, variables)
  return Object.freeze({
    environment: flags.environment,
    dataDirectory: resolve(flags['data-dir'] ?? defaultDataDirectory),
    isElsewhere:
      Boolean(variables['COOPSHARE_OPERATOR_URL']) &&
      flags['data-dir'] === undefined &&
      flags['database-url'] === undefined,
    encryptionKeyFile: flags['encryption-key-file'],
    encryptionKey: readSecret(variables['COOPSHARE_ENCRYPTION_KEY']),
    database: databaseConfigOf(flags),
    host: flags.host,
    port: flags.port,
    baseUrl: flags['base-url'],
    https: Boolean(flags.https) || flags['https-cert'] !== undefined,
    httpsFiles: filesOf('https', flags['https-cert'], flags['https-key']),
    // oclif leaves out a switch that was not given, although its type says boolean.
    demo: Boolean(flags.demo),
    // oclif does not split the variable of a repeatable flag.
    fixtures: [flags.fixtures ?? []].flat(),
    limits: eachRateLimit(({ flag }) => flags[flag]),
    trustedHops: flags['trust-proxy'],
    maximumShareCount: flags['max-share-count'],
    ...mailConfigOf(flags),
    ...webhookConfigOf(flags),
    bench: benchConfigOf(flags),
    backup: backupConfigOf(flags),
    exitWithParent: Boolean(flags['exit-with-parent']),
    bankLookupUrl: flags['bank-lookup-url'],
    operatorHost: flags['operator-host'],
    operatorHttpsFiles: filesOf('operator', flags['operator-cert'], flags['operator-key']),
    operatorPort: flags['operator-port'],
    operatorNames: flags['operator-names']?.split(',') ?? [],
    operatorToken: readSecret(variables['COOPSHARE_OPERATOR_TOKEN']),
    metricsToken: readSecret(variables['COOPSHARE_METRICS_TOKEN']),
    fourEyes: fourEyesOf(flags['four-eyes']),
    databaseWaitMs: 1000 * flags['database-wait'],
    drainMs: 1000 * (flags.drain ?? (flags.environment === 'production' ? 5 : 0)),
    logLevel: flags['log-level'],
    logFormat: flags['log-format'],
    misspelt: misspeltIn(variables),
  })
}

/**
 * The settings of a service that starts in this process with these arguments. No variable of the process sets a flag:
 * those of the user may name a database.
 */
export async function parseConfig(
  argv: readonly string[],
  surroundings: ConfigSources,
): Promise<Config> {
  const withoutVariables = Object.entries(serveFlags).map(([name, flag]) => [
    name,
    { ...flag, env: undefined },
  ])
  const { flags } = await Parser.parse([...argv], { flags: Object.fromEntries(withoutVariables) })
  return createConfig(flags as ServeFlags, surroundings)
}

export function urlOf(scheme: 'http' | 'https', host: string, port: number): string {
  // Nobody can call the wildcard address.
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${scheme}://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`
}

export function baseUrlOf(config: Config, port = config.port): string {
  return config.baseUrl ?? urlOf(config.https ? 'https' : 'http', config.host, port)
}

/** These settings have no flag, because the list of processes would show its value. */
const secrets = ['COOPSHARE_ENCRYPTION_KEY', 'COOPSHARE_METRICS_TOKEN', 'COOPSHARE_OPERATOR_TOKEN']

const mostWrongLetters = 2

/** A misspelt setting would keep its default: with `COOPSHARE_ENV=production` the environment is staging. */
function misspeltIn(variables: ConfigSources['variables']): Config['misspelt'] {
  const settings = [...secrets, ...Object.values(serveFlags).flatMap(({ env }) => env ?? [])]
  return Object.keys(variables).flatMap((variable) => {
    if (!/^coopshare_./i.test(variable) || settings.includes(variable)) return []
    const name = variable.toUpperCase()
    const nearest = (names: readonly string[]) =>
      names.toSorted((left, right) => distance(left, name) - distance(right, name))[0]
    // A shortened name has more letters in common with its setting than with a short name of another one.
    const meant =
      nearest(settings.filter((one) => one.startsWith(name))) ??
      nearest(settings.filter((one) => distance(one, name) <= mostWrongLetters))
    return meant === undefined ? [] : [{ variable, meant }]
  })
}

function filesOf(
  what: 'https' | 'operator',
  cert: string | undefined,
  key: string | undefined,
): HttpsFiles | undefined {
  if (cert && key) return { cert, key }
  if (cert || key) throw invalid(`Give --${what}-cert and --${what}-key together.`)
  return undefined
}
