import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { type ActingOperator, localAdministrator } from '../domain/operators/operator.ts'
import { Problem } from '../domain/problem.ts'
import type { OpenedService } from '../open-service.ts'
import type { WorkName } from '../operations/run-audited.ts'
import {
  authenticateToken,
  isPartOfOperatorToken,
  minimumServiceTokenLength,
} from '../usecases/operators/operator-tokens.ts'
import type { Connection, RunningConnection } from './connection.ts'
import { readControlFile } from './control-file.ts'
import { readText } from './files/read-file.ts'

export interface ConnectOptions {
  /** Address of a service on another machine. */
  readonly operatorUrl: string | undefined
  /** A file with the authority that issued the certificate of the service. */
  readonly operatorCa?: string | undefined
  readonly config: Config
  /** The time limit for each call of a running service. */
  readonly timeoutMs?: number | undefined
  /** Creates a store if there is none. */
  readonly mayBegin?: boolean
}

/**
 * Uses the service at `operatorUrl`, or the database, or the service that runs on the data
 * directory, or the store itself: the first of these that exists.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const from = performance.now()
  for (;;) {
    const service = await findService(options)
    if (service) return service
    try {
      return await openLocally(options)
    } catch (error) {
      if (
        !(error instanceof Problem && error.code === 'STORE_LOCKED') ||
        performance.now() - from > longestStartMs
      )
        throw error
    }
    await pause(pollIntervalMs)
  }
}

/** The lock may belong to a starting service, which soon writes its address, or to a command, which soon ends. */
const longestStartMs = 10_000
const pollIntervalMs = 100

/** undefined if the caller has to open the store itself: no service is running, or the store is in a database. */
export async function findService(options: ConnectOptions): Promise<Connection | undefined> {
  const isInDatabase = options.operatorUrl === undefined && options.config.database
  return isInDatabase ? undefined : findRunningService(options)
}

/** Also finds a service whose store is in a database; undefined if none is running. */
export async function findRunningService(
  options: ConnectOptions,
): Promise<RunningConnection | undefined> {
  const { operatorUrl, operatorCa, config, timeoutMs } = options
  const { environment } = config
  if (operatorUrl !== undefined) {
    const { reachNamed } = await import('./remote-connection.ts')
    const ca = operatorCa === undefined ? undefined : await readText(operatorCa)
    const token = requireToken(config)
    return reachNamed({ url: operatorUrl, token, environment, timeoutMs, tls: { ca } })
  }
  const control = await readControlFile(config.dataDirectory)
  if (!control) return undefined
  const { reachRunning } = await import('./remote-connection.ts')
  return reachRunning(control, { environment, timeoutMs, token: ownTokenIn(config) })
}

async function openLocally({ config, mayBegin = false }: ConnectOptions): Promise<Connection> {
  const { openService } = await import('../open-service.ts')
  const { createLocalConnection } = await import('./local-connection.ts')
  const opened = await openService(config, { onlyExisting: !mayBegin })
  try {
    const operator = await requireOwnOperator(opened, config)
    return createLocalConnection(opened, config, operator)
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Commands on the store itself obey the role of the operator whose token is in the environment. */
export async function requireOwnRole(
  config: Config,
  name: WorkName | 'store.check',
): Promise<void> {
  if (ownTokenIn(config) === undefined) return
  const { openService } = await import('../open-service.ts')
  const { requireRoleForWork, serviceForOperator } = await import('../operations/run-audited.ts')
  const opened = await openService(config, { onlyExisting: true }).catch((error) => {
    throw nobodyKnown(error)
  })
  try {
    const { service } = opened
    const operator = await requireOwnOperator(opened, config)
    const caller = { operator, via: 'command', requestId: service.random.traceId() } as const
    if (name === 'store.check') await serviceForOperator(service, caller).requireRole(name, {})
    else await requireRoleForWork(service, caller, name)
  } finally {
    await opened.close()
  }
}

/**
 * On the machine of the service, a command acts as the local administrator unless the variable has the token of an
 * operator. It may also have the token of the service, which a store does not know.
 */
function ownTokenIn({ operatorToken }: Config): string | undefined {
  if (operatorToken === undefined || isPartOfOperatorToken(operatorToken)) return operatorToken
  return operatorToken.length < minimumServiceTokenLength ? operatorToken : undefined
}

async function requireOwnOperator(
  { service }: OpenedService,
  config: Config,
): Promise<ActingOperator> {
  const token = ownTokenIn(config)
  if (token === undefined) return localAdministrator
  const operator = await authenticateToken(service, token)
  if (operator) return operator
  throw new Problem(
    'UNAUTHENTICATED',
    'COOPSHARE_OPERATOR_TOKEN does not belong to an active operator of this store. Check that you have copied the token exactly, or ask an administrator.',
  )
}

/** If a store is damaged, for example, it cannot show whose token it is. */
function nobodyKnown(cause: Error): Problem {
  return new Problem(
    'UNAUTHENTICATED',
    `COOPSHARE_OPERATOR_TOKEN cannot be checked, because the store cannot be opened: ${cause.message} Without the variable you are the local administrator.`,
    { cause },
  )
}

function requireToken({ operatorToken }: Config): string {
  if (operatorToken !== undefined) return operatorToken
  throw new Problem(
    'UNAUTHENTICATED',
    'Set COOPSHARE_OPERATOR_TOKEN to the operator token of the service.',
  )
}
