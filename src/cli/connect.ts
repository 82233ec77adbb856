import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { Problem } from '../domain/problem.ts'
import type { Connection } from './connection.ts'
import { readControlFile } from './control-file.ts'

export interface ConnectOptions {
  /** Of a service elsewhere. */
  readonly operatorUrl: string | undefined
  readonly config: Config
  /** For each call of a service that runs. */
  readonly timeoutMs?: number | undefined
  /** How long a store is waited for that another process has. */
  readonly waitMs?: number
  /** Makes a store where there is none. */
  readonly mayBegin?: boolean
}

/**
 * A service elsewhere when one is named; else the database when there is one, where all instances see what is done;
 * else the service that runs on the data directory; else the store itself.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { waitMs = longestStartMs } = options
  const from = performance.now()
  for (;;) {
    const service = await findService(options)
    if (service) return service
    try {
      return await openLocally(options)
    } catch (error) {
      if (!isLocked(error) || performance.now() - from > waitMs) throw error
    }
    await pause(betweenLooksMs)
  }
}

/** A service that is starting has the store, and says later where it is reached. Another command lets go of it soon. */
const longestStartMs = 10_000
const betweenLooksMs = 100

function isLocked(error: unknown): boolean {
  return error instanceof Problem && error.code === 'STORE_LOCKED'
}

/** undefined when the store is to be looked at itself: no service runs, or it is in a database. */
export async function findService(options: ConnectOptions): Promise<Connection | undefined> {
  const isInDatabase = options.operatorUrl === undefined && options.config.database
  return isInDatabase ? undefined : findRunningService(options)
}

/** One elsewhere when it is named, else the one of the data directory, wherever its store is; undefined when none runs. */
export async function findRunningService(options: ConnectOptions): Promise<Connection | undefined> {
  const { operatorUrl, config, timeoutMs } = options
  const { environment } = config
  if (operatorUrl !== undefined) {
    const { reachNamed } = await import('./reach-service.ts')
    return reachNamed({ url: operatorUrl, token: requireToken(config), environment, timeoutMs })
  }
  const control = await readControlFile(config.dataDirectory)
  if (!control) return undefined
  const { reachRunning } = await import('./reach-service.ts')
  return reachRunning(control, { environment, timeoutMs })
}

async function openLocally({ config, mayBegin = false }: ConnectOptions): Promise<Connection> {
  const { openService } = await import('../open-service.ts')
  const { createLocalConnection } = await import('./local-connection.ts')
  const opened = await openService(config, { onlyExisting: !mayBegin })
  return createLocalConnection(opened, config)
}

function requireToken({ operatorToken }: Config): string {
  if (operatorToken !== undefined) return operatorToken
  throw new Problem(
    'UNAUTHENTICATED',
    'Set COOPSHARE_OPERATOR_TOKEN to the operator token of the service.',
  )
}
