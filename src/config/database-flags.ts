import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Flags, type Interfaces } from '@oclif/core'
import { parseUrl, readSecret } from '../domain/text.ts'
import { connectionGroup, invalid, parseDirectory } from './common-flags.ts'

/** These parameters would change how values are read. */
const notInAddress =
  /^(client_encoding|datestyle|timezone|extra_float_digits|default_transaction_isolation)$/i

const tlsModes = ['off', 'require', 'verify'] as const
type DatabaseTls = (typeof tlsModes)[number]

export const databaseFlags = {
  'database-url': Flags.string({
    helpGroup: connectionGroup,
    helpValue: 'URL',
    parse: async (text) => parseDatabaseUrl(text),
    // An empty variable is a secret that did not arrive. A service that started anyway would keep orders in a directory
    // that may be gone tomorrow.
    default: async () => {
      if (process.env['COOPSHARE_DATABASE_URL'] === '') throw emptyAddress()
      return undefined
    },
    description:
      'PostgreSQL database of the store. Use the variable if the address contains a password.',
  }),
  'database-pool-size': Flags.integer({
    helpGroup: connectionGroup,
    helpValue: 'CONNECTIONS',
    default: 16,
    min: 2,
    max: 1000,
    description: 'Maximum number of connections to the database.',
  }),
  'database-statement-timeout': Flags.integer({
    helpGroup: connectionGroup,
    helpValue: 'SECONDS',
    default: 10,
    min: 1,
    max: 3600,
    description: 'Time limit of one database statement.',
  }),
  'database-tls': Flags.option({
    helpGroup: connectionGroup,
    helpValue: 'MODE',
    options: tlsModes,
    description:
      'TLS on the connection: require only encrypts, verify also checks the certificate. Default: verify; off for a database on this machine.',
  })(),
  'database-ca-file': Flags.string({
    helpGroup: connectionGroup,
    helpValue: 'FILE',
    description: 'Certificate authorities to trust (PEM). Default: the authorities of your system.',
  }),
}

type DatabaseFlags = Interfaces.InferredFlags<typeof databaseFlags>

export interface DatabaseConfig {
  /** The address may contain a password. */
  readonly url: string
  /** For an address without a password. */
  readonly password: string | undefined
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
  requireWritableServer(url)
  return {
    url,
    password: readSecret(process.env['PGPASSWORD']),
    poolSize: flags['database-pool-size'],
    statementTimeoutMs: flags['database-statement-timeout'] * 1000,
    tls: flags['database-tls'] ?? (isThisMachine(new URL(url)) ? 'off' : 'verify'),
    certificateAuthority: file === undefined ? undefined : readAuthority(file),
  }
}

/** The driver would close each connection to the database, or fail without naming the setting. */
function requireWritableServer(url: string): void {
  const sessions =
    new URL(url).searchParams.get('target_session_attrs') || process.env['PGTARGETSESSIONATTRS']
  if (!sessions || /^(read-write|primary)$/.test(sessions)) return
  throw invalid(
    `The database must accept writes, so PGTARGETSESSIONATTRS, or target_session_attrs in the address, may only be read-write or primary, not "${sessions}". Leave it out.`,
  )
}

function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\]|%2f.*)$/i.test(hostname)
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    // All commands use the same words for a missing file.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    throw invalid(`Cannot read --database-ca-file: ${(error as Error).message}`)
  }
}

function emptyAddress() {
  return invalid(
    'COOPSHARE_DATABASE_URL is empty. Set it to an address, or unset it to use a store in a directory.',
  )
}

function parseDatabaseUrl(given: string): string {
  const text = readSecret(given)
  if (text === undefined) throw emptyAddress()
  const url = parseUrl(text)
  const isDatabase = url && /^postgres(ql)?:$/.test(url.protocol)
  // The message leaves the address out because it may contain a password.
  const isOneHost = url?.hostname && !url.hostname.includes(',')
  if (!isDatabase || !isOneHost || !/^\/[^/]+$/.test(url.pathname)) {
    throw invalid(
      'The database address must name one host and a database, for example postgres://user@host:5432/coopshare. For a socket, use its directory as the host: postgres://user@%2Frun%2Fpostgresql/coopshare.',
    )
  }
  if (![url.username, url.password, url.hostname, url.pathname].every(isDecodable)) {
    throw invalid('Write each % in the user, password, host or database name as %25.')
  }
  const parameters = [...url.searchParams.keys()]
  const refused = parameters.find((name) => notInAddress.test(name))
  if (refused) {
    throw invalid(`Remove ${refused} from the database address: coopshare sets it.`)
  }
  if (parameters.some((name) => name.startsWith('ssl'))) {
    throw invalid('Set encryption with --database-tls, not in the database address.')
  }
  return text
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

export type StorePlace = { readonly directory: string } | { readonly database: DatabaseConfig }

const address = /^(postgres(ql)?:|[a-z][a-z\d+.-]*:\/\/)/i

/** @param text the address of a database, or a path */
export function storePlaceOf(text: string, flags: DatabaseFlags): StorePlace {
  if (!address.test(readSecret(text) ?? ''))
    return { directory: resolve(parseDirectory('to', text)) }
  const database = databaseConfigOf({ ...flags, 'database-url': parseDatabaseUrl(text) })
  if (!database) throw new Error('The address has no database.')
  return { database }
}

/** The result contains no user and no password. */
export function describePlace(place: StorePlace): string {
  if ('directory' in place) return place.directory
  const { host, pathname } = new URL(place.database.url)
  return `postgres://${host}${pathname}`
}
