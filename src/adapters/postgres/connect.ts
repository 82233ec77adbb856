import postgres from 'postgres'
import type { DatabaseOptions } from './database-options.ts'
import { onlySocket, type SocketOptions } from './only-socket.ts'
import { writeTimestamp } from './timestamps.ts'

export type Sql = ReturnType<typeof connect>

/** Closed with the last connection of a process that stopped in the middle of a transaction. */
const abandonedMs = 60_000
/** How long it may take to get a connection. */
export const connectMs = 5000
const defaultPort = 5432

/** Whoever has said nothing for so long is gone, though nobody says so: the database itself ends what takes too long. */
export function silenceMs({ statementTimeoutMs }: DatabaseOptions): number {
  return statementTimeoutMs + connectMs
}

/**
 * Each statement is planned once, and looks up few rows by their keys, one after the other: other joins read an index to
 * its end, which is short when they are planned and long afterwards.
 */
const plansOfWrites = {
  plan_cache_mode: 'force_generic_plan',
  enable_mergejoin: 'off',
  enable_hashjoin: 'off',
}

export interface ConnectOptions {
  /** The same few statements again and again. */
  readonly isForWrites?: boolean | undefined
  /** The connection is gone, for whatever reason. */
  readonly onClose?: () => void
  readonly onNotify?: (() => void) | undefined
}

/** A client of the driver with one connection, which it makes when it is asked something. */
export function connect(
  options: DatabaseOptions,
  { isForWrites, onClose, onNotify }: ConnectOptions = {},
) {
  return postgres(options.url, {
    // As arrays they are in the driver's documentation, and not in its types.
    ...(placeOf(options) as object),
    max: 1,
    // It is for the socket, as it is made here.
    ssl: false,
    connect_timeout: connectMs / 1000,
    max_lifetime: null,
    // The driver would ask for the types of the database itself: a connection lost at that moment ends the process.
    fetch_types: false,
    onnotice: () => {},
    ...(onClose && { onclose: onClose }),
    // The next two are known to the driver, and not to its types.
    ...(onNotify && ({ onnotify: onNotify } as object)),
    ...({ socket: onlySocket(socketOf(options, isForWrites)) } as object),
    connection: {
      application_name: 'coopshare',
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      // Whoever has waited for a lock has to see what was done under it, whatever the database is set to.
      default_transaction_isolation: 'read committed',
      // A number is read as it was written.
      extra_float_digits: 1,
      statement_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: abandonedMs,
      // A plan is kept as long as its connection: one that reads a small table whole would still do so once it has grown.
      enable_seqscan: 'off',
      // Compiling takes longer than any look-up by a key.
      jit: 'off',
      ...(isForWrites && plansOfWrites),
    },
    types: {
      // Whoever asks reads them, because they may also come as JSON.
      date: { to: 1184, from: [1184], serialize: writeTimestamp, parse: (text: string) => text },
    },
  })
}

function socketOf(options: DatabaseOptions, isForWrites = false): SocketOptions {
  return { connectMs, encryption: encryptionOf(options), gathers: isForWrites }
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

function encryptionOf({ url, tls, certificateAuthority: ca }: DatabaseOptions) {
  if (tls === 'off') return undefined
  return {
    host: hostOf(url),
    rejectUnauthorized: tls === 'verify',
    ...(ca !== undefined && { ca }),
  }
}
