import postgres from 'postgres'
import { refusal, withTimeout } from './faults.ts'
import { type Encryption, openSocket } from './socket.ts'

/** The address of the database and how to use it. */
export interface DatabaseOptions {
  /** May hold a password. */
  readonly url: string
  /** For an address without a password. */
  readonly password?: string | undefined
  readonly poolSize: number
  readonly statementTimeoutMs: number
  /** `require` encrypts and accepts any certificate. `verify` requires a valid certificate for the host. */
  readonly tls: 'off' | 'require' | 'verify'
  /** PEM. If undefined, the authorities of the system are trusted. */
  readonly certificateAuthority?: string | undefined
}

export type Sql = ReturnType<typeof connect>

/** The database closes transactions that are idle for longer, because their process has stopped in the middle. */
const abandonedMs = 60_000
/** The time limit for a connection. */
export const connectMs = 5000
const defaultPort = 5432

/** The database ends statements that take too long, so a connection that is silent for this time is dead. */
export function silenceMs({ statementTimeoutMs }: DatabaseOptions): number {
  return statementTimeoutMs + connectMs
}

export interface ConnectOptions {
  readonly connections: number
  /** Leaves out settings and prepared statements, which only make statements faster: a pooler does not keep them. */
  readonly isPooled?: boolean
  /** Called when a connection is closed for any reason. */
  readonly onClose?: (() => void) | undefined
  readonly onNotify?: (channel: string, payload: string) => void
}

/** The pool of the driver, which connects when it needs to. */
export function connect(options: DatabaseOptions, parts: ConnectOptions) {
  const { connections, isPooled = false, onClose, onNotify } = parts
  return postgres(options.url, {
    // The driver documents arrays here, but its types do not allow them.
    ...(placeOf(options) as object),
    ...(options.password !== undefined &&
      !new URL(options.url).password && { password: options.password }),
    max: connections,
    // The socket is already encrypted.
    ssl: false,
    connect_timeout: connectMs / 1000,
    max_lifetime: null,
    // Callers choose their own pauses, so the driver must not add one.
    backoff: () => 0,
    // The driver would query the types itself. If the connection were lost at that moment, the process would end.
    fetch_types: false,
    onnotice: () => {},
    ...(onClose && { onclose: onClose }),
    // The driver has the next three options, but its types do not.
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

/** Makes one connection. A pooler is recognized because it refuses settings, or answers from another process. */
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
    const answer = await withTimeout(connectMs, asked)
    const [row] = answer
    const isPooled = row?.pid !== answer.state.pid
    if (isPooled && row?.isolation !== 'read committed') {
      throw refusal(
        'The default_transaction_isolation of the database is not `read committed`, and a connection pooler keeps this program from changing it. Set it for the role.',
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
    // After waiting for a lock, a statement must see what was committed meanwhile.
    default_transaction_isolation: 'read committed',
    // Numbers are read exactly as they were written.
    extra_float_digits: 1,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: abandonedMs,
    // A plan that reads or sorts all of a small table would still be used when the table has grown.
    enable_seqscan: 'off',
    enable_sort: 'off',
    // Statements look up rows by key, so the same plan fits all values. Planning would take longer than running.
    plan_cache_mode: 'force_generic_plan',
    // Just-in-time compilation takes longer than a lookup by key.
    jit: 'off',
  }
}

/** The driver takes an IPv6 address in brackets for a name, and does not decode the name of the database. */
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
