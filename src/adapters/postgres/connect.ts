import postgres from 'postgres'
import { refusal, within } from './faults.ts'
import { type Encryption, openSocket } from './socket.ts'

/** How to reach the database, and how to behave there. */
export interface DatabaseOptions {
  /** May hold a password. */
  readonly url: string
  readonly poolSize: number
  readonly statementTimeoutMs: number
  /** `require` encrypts and accepts any certificate; `verify` requires a certificate of the host. */
  readonly tls: 'off' | 'require' | 'verify'
  /** PEM; the authorities of the system when undefined. */
  readonly certificateAuthority?: string | undefined
}

export type Sql = ReturnType<typeof connect>

/** Closed with the last connection of a process that stopped in the middle of a transaction. */
const abandonedMs = 60_000
/** How long it may take to get a connection. */
export const connectMs = 5000
const defaultPort = 5432

/** A database that has been silent for this long is gone: it would have ended a statement that takes too long. */
export function silenceMs({ statementTimeoutMs }: DatabaseOptions): number {
  return statementTimeoutMs + connectMs
}

export interface ConnectOptions {
  readonly connections: number
  /** A pooler in between keeps neither settings nor statements for a connection. Nothing but speed depends on them. */
  readonly isPooled?: boolean
  /** A connection is gone, for whatever reason. */
  readonly onClose?: (() => void) | undefined
  readonly onNotify?: (channel: string, payload: string) => void
}

/** The driver's own pool: connections are made when they are needed. */
export function connect(options: DatabaseOptions, parts: ConnectOptions) {
  const { connections, isPooled = false, onClose, onNotify } = parts
  return postgres(options.url, {
    // As arrays they are in the driver's documentation, and not in its types.
    ...(placeOf(options) as object),
    max: connections,
    // It is for the socket, as it is made here.
    ssl: false,
    connect_timeout: connectMs / 1000,
    max_lifetime: null,
    // A caller that asks again wants an answer at once.
    backoff: () => 0,
    // The driver would ask for the types of the database itself: a connection lost at that moment ends the process.
    fetch_types: false,
    onnotice: () => {},
    ...(onClose && { onclose: onClose }),
    // The next three are known to the driver, and not to its types.
    ...(onNotify && ({ onnotify: onNotify } as object)),
    ...({ socket: openSocket({ connectMs, encryption: encryptionOf(options) }) } as object),
    ...({ max_pipeline: 1 } as object),
    connection: { application_name: 'coopshare', ...(!isPooled && settingsOf(options)) },
  })
}

export interface Connected {
  readonly sql: Sql
  readonly isPooled: boolean
}

/** One connection. What stands in between refuses settings, or says who it is by answering for another process. */
export function connectOne(options: DatabaseOptions, onClose?: () => void): Promise<Connected> {
  const one = { connections: 1, onClose }
  return look(options, one).catch((error: Error) => {
    if (!/^unsupported startup parameter/.test(error.message)) throw error
    return look(options, { ...one, isPooled: true })
  })
}

async function look(options: DatabaseOptions, parts: ConnectOptions): Promise<Connected> {
  const sql = connect(options, parts)
  try {
    const asked = sql.unsafe<{ pid: number; isolation: string }[]>(
      `select pg_backend_pid() as pid, current_setting('default_transaction_isolation') as isolation`,
    )
    const answer = await within(connectMs, asked)
    const [row] = answer
    const isPooled = row?.pid !== answer.state.pid
    if (isPooled && row?.isolation !== 'read committed') {
      throw refusal(
        'The database is set to another default_transaction_isolation than `read committed`, which a pooler in between does not let this program change. Set it for the role.',
      )
    }
    return { sql, isPooled }
  } catch (error) {
    await sql.end({ timeout: 1 })
    throw error
  }
}

function settingsOf(options: DatabaseOptions): Partial<postgres.ConnectionParameters> {
  return {
    // A statement that has waited for a lock has to see what was done under it, whatever the database is set to.
    default_transaction_isolation: 'read committed',
    // A number is read as it was written.
    extra_float_digits: 1,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: abandonedMs,
    // A plan is kept as long as its connection: one that reads a small table whole would still do so once it has grown.
    enable_seqscan: 'off',
    // Every statement looks up by keys, whatever its values are: planning it again takes longer than running it.
    plan_cache_mode: 'force_generic_plan',
    // Compiling takes longer than any look-up by a key.
    jit: 'off',
  }
}

/** The driver takes an IPv6 address in brackets for a name, and the name of a database as it is written. */
function placeOf({ url }: DatabaseOptions) {
  const { port, pathname } = new URL(url)
  const host = hostOf(url)
  return {
    host: [host],
    port: [Number(port || defaultPort)],
    ...(host.startsWith('/') && { path: `${host}/.s.PGSQL.${port || defaultPort}` }),
    database: decodeURIComponent(pathname.slice(1)),
  }
}

function hostOf(url: string): string {
  return decodeURIComponent(new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'))
}

function encryptionOf(options: DatabaseOptions): Encryption | undefined {
  const { url, tls, certificateAuthority: ca } = options
  if (tls === 'off') return undefined
  return { host: hostOf(url), rejectUnauthorized: tls === 'verify', ca }
}
