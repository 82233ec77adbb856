import { readFileSync } from 'node:fs'
import { Flags, type Interfaces } from '@oclif/core'
import { invalid } from './invalid.ts'

/** What is read would be something else than what was written. */
const notInAddress =
  /^(client_encoding|datestyle|timezone|extra_float_digits|default_transaction_isolation)$/i

const tlsModes = ['off', 'require', 'verify'] as const
export type DatabaseTls = (typeof tlsModes)[number]

/** Where the store is, if not in a directory. */
export const databaseFlags = {
  'database-url': Flags.string({
    env: 'COOPSHARE_DATABASE_URL',
    helpGroup: 'DATABASE',
    helpValue: 'URL',
    parse: async (text) => parseDatabaseUrl(text),
    default: refuseEmptyVariable,
    description:
      'Keep the store in this PostgreSQL database. With a password in it, give it as the variable.',
  }),
  'database-pool-size': Flags.integer({
    env: 'COOPSHARE_DATABASE_POOL_SIZE',
    helpGroup: 'DATABASE',
    helpValue: 'CONNECTIONS',
    default: 16,
    min: 2,
    max: 1000,
    description: 'Most connections to the database; a quarter of them only reads.',
  }),
  'database-statement-timeout': Flags.integer({
    env: 'COOPSHARE_DATABASE_STATEMENT_TIMEOUT',
    helpGroup: 'DATABASE',
    helpValue: 'SECONDS',
    default: 10,
    min: 1,
    max: 3600,
    description: 'How long one statement may take.',
  }),
  'database-tls': Flags.option({
    env: 'COOPSHARE_DATABASE_TLS',
    helpGroup: 'DATABASE',
    options: tlsModes,
    description:
      'Encryption on the way: off, require (whoever answers), verify (a certificate of the host); default: verify, and off to this machine itself.',
  })(),
  'database-ca-file': Flags.string({
    env: 'COOPSHARE_DATABASE_CA_FILE',
    helpGroup: 'DATABASE',
    helpValue: 'FILE',
    description: 'Authorities whose certificates are good (PEM); default: those of the system.',
  }),
}

export type DatabaseFlags = Interfaces.InferredFlags<typeof databaseFlags>

export interface DatabaseConfig {
  /** May hold a password. */
  readonly url: string
  readonly poolSize: number
  readonly statementTimeoutMs: number
  readonly tls: DatabaseTls
  /** PEM. */
  readonly certificateAuthority: string | undefined
}

/** undefined when the store is in a directory. */
export function databaseConfigOf(flags: DatabaseFlags): DatabaseConfig | undefined {
  const { 'database-url': url, 'database-ca-file': file } = flags
  if (url === undefined) return undefined
  return {
    url,
    poolSize: flags['database-pool-size'],
    statementTimeoutMs: flags['database-statement-timeout'] * 1000,
    tls: flags['database-tls'] ?? (isThisMachine(new URL(url)) ? 'off' : 'verify'),
    certificateAuthority: file === undefined ? undefined : readAuthority(file),
  }
}

function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\]|%2f.*)$/i.test(hostname)
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw invalid(`--database-ca-file cannot be read: ${(error as Error).message}`)
  }
}

/** A secret that has not arrived: whoever went on would keep orders in a directory, which may be gone tomorrow. */
async function refuseEmptyVariable(): Promise<undefined> {
  if (process.env['COOPSHARE_DATABASE_URL'] === '') {
    throw invalid(
      'COOPSHARE_DATABASE_URL is empty. Give it an address, or leave it out for a store in a directory.',
    )
  }
}

export function parseDatabaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isDatabase = url && /^postgres(ql)?:$/.test(url.protocol)
  // Not repeated: it may hold a password.
  if (!isDatabase || !isOneHost(url.hostname) || !/^\/[^/]+$/.test(url.pathname)) {
    throw invalid(
      'The database has to be an address such as postgres://user@host:5432/coopshare, with one host and a database. The directory of a socket is a host, too: postgres://user@%2Frun%2Fpostgresql/coopshare.',
    )
  }
  if (![url.username, url.password, url.hostname, url.pathname].every(isDecodable)) {
    throw invalid(
      'A % in the user, the password, the host or the database is written %25 in the address of the database.',
    )
  }
  const parameters = [...url.searchParams.keys()]
  const refused = parameters.find((name) => notInAddress.test(name))
  if (refused) {
    throw invalid(`Leave ${refused} out of the address of the database: it is set here already.`)
  }
  if (parameters.some((name) => name.startsWith('ssl'))) {
    throw invalid('Encryption is set by --database-tls, not in the address of the database.')
  }
  return text
}

function isOneHost(hostname: string): boolean {
  return hostname !== '' && !hostname.includes(',')
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
