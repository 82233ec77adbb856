import { join } from 'node:path'
import { baseUrlOf, type Config } from '../config.ts'
import { parseUrl } from '../domain/text.ts'
import { renderDuration } from '../domain/timestamp.ts'
import { doublingWaits, type RetryWaits } from '../domain/webhooks/delivery-retries.ts'
import { type ServeFlags, serveFlags } from './serve-flags.ts'

export const settingSources = ['flag', 'variable', 'file', 'default'] as const

/** A setting of a service as its user would write it. */
export interface Setting {
  /** Of its flag, or of its variable if there is no flag. */
  readonly name: string
  /** null if it is not set. */
  readonly value: string | number | boolean | readonly string[] | null
  /** `file` if the value was read from a file that a flag or a variable names. */
  readonly source: (typeof settingSources)[number]
}

export interface GivenSettings {
  readonly config: Config
  readonly flags: ServeFlags
  /** The flags that the user has typed; the others come from variables and defaults. */
  readonly typed: ReadonlySet<string>
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** All settings, those with a flag first. A secret is never shown. */
export function describeSettings(given: GivenSettings): Setting[] {
  const { config, flags, typed, variables } = given
  const withFlag = Object.entries(serveFlags).map(([flag, { type, env = '' }]): Setting => {
    const name = flag as keyof ServeFlags
    const given = type === 'boolean' ? Boolean(flags[name]) : flags[name]
    const value = name in shown ? shown[name]?.(config) : given
    return {
      name: `--${flag}`,
      value: (value as Setting['value'] | undefined) ?? null,
      source: typed.has(flag) ? 'flag' : variables[env] ? 'variable' : 'default',
    }
  })
  return [...withFlag, ...describeSecrets(config)]
}

function describeSecrets(config: Config): Setting[] {
  const { encryptionKey, encryptionKeyFile, metricsToken, operatorToken } = config
  const secret = (name: string, value: string | undefined): Setting => ({
    name,
    value: value === undefined ? null : masked,
    source: value === undefined ? 'default' : 'variable',
  })
  return [
    encryptionKeyFile === undefined
      ? secret('COOPSHARE_ENCRYPTION_KEY', encryptionKey)
      : { name: 'COOPSHARE_ENCRYPTION_KEY', value: masked, source: 'file' },
    secret('COOPSHARE_METRICS_TOKEN', metricsToken),
    secret('COOPSHARE_OPERATOR_TOKEN', operatorToken),
  ]
}

/** Settings that the flag holds in another form, or that follow from others if they are not set. */
const shown: {
  readonly [Name in keyof ServeFlags]?: (config: Config) => Setting['value'] | undefined
} = {
  'data-dir': ({ dataDirectory }) => dataDirectory,
  'database-url': ({ database }) => database && maskUrl(database.url),
  'database-tls': ({ database }) => database?.tls,
  'database-wait': ({ databaseWaitMs }) => renderDuration(databaseWaitMs),
  // A free port is chosen at the start.
  'base-url': (config) => config.baseUrl ?? (config.port === 0 ? null : baseUrlOf(config)),
  // The start takes another port if this one is not free.
  'operator-port': ({ operatorPort, port }) =>
    operatorPort ?? (port === 0 || port === 65_535 ? null : port + 1),
  https: ({ https }) => https,
  fixtures: ({ fixtures }) => (fixtures.length === 0 ? null : fixtures),
  'webhook-backoff': ({ webhookBackoffSeconds: seconds }) => renderDuration(1000 * seconds),
  'webhook-schedule': ({ webhookWaits, webhookBackoffSeconds }) =>
    renderSchedule(webhookWaits ?? doublingWaits(webhookBackoffSeconds)),
  'event-retention': ({ eventRetentionSeconds: seconds }) =>
    seconds === 0 ? '0' : renderDuration(1000 * seconds),
  'smtp-url': ({ smtpUrl }) => smtpUrl && maskUrl(smtpUrl),
  'mail-directory': mailDirectoryOf,
  'mail-from': ({ mailFrom }) => mailFrom,
  'mail-schedule': ({ mailWaits }) => renderSchedule(mailWaits),
  'backup-every': ({ backup }) => backup && renderDuration(backup.everyMs),
  'backup-dir': ({ backup }) => backup?.directory,
  'bank-lookup-url': ({ bankLookupUrl }) => bankLookupUrl && maskUrl(bankLookupUrl),
  drain: ({ drainMs }) => renderDuration(drainMs),
}

function mailDirectoryOf(config: Config): string | undefined {
  const { mailDirectory, smtpUrl, investorMail, dataDirectory } = config
  const isDefault = smtpUrl === undefined && investorMail
  return mailDirectory ?? (isDefault ? join(dataDirectory, 'mail') : undefined)
}

function renderSchedule(waits: RetryWaits): string {
  return waits.map((seconds) => renderDuration(1000 * seconds)).join(',')
}

const masked = '***'

/** A password, or what stands after the question mark, where services take keys, is never shown. */
function maskUrl(text: string): string {
  const url = parseUrl(text)
  if (!url) return masked
  if (url.password !== '') url.password = masked
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, masked)
  return url.href
}
