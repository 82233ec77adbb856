import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { invalid } from '../config/common-flags.ts'
import { describePlace, type StorePlace } from '../config/database-flags.ts'
import type { Config } from '../config.ts'
import { Problem } from '../domain/problem.ts'
import {
  checkDirectory,
  checkStoreUnopened,
  migrateDatabase,
  openCopy,
  readEndOfBackup,
  reopenStore as reopen,
  restoreStoreFiles,
  salvageStoreFiles,
  unpackStore,
} from '../open-service/offline-store.ts'
import { makeWorkDirectory, now, readEncryptionKey, readKeyFile } from '../open-service.ts'
import { storeCheck } from '../operations/store.ts'
import type { StoreMove } from '../ports/store-admin.ts'
import type { StoreAccess } from '../usecases/store/admit-access.ts'
import { copyStore as copy } from '../usecases/store/copy-store.ts'
import { renameKeys } from '../wire/problems.ts'
import type { Rendered } from '../wire/view.ts'
import { requireYes } from './confirm.ts'
import { type ConnectOptions, findService, requireOwnRole } from './connect.ts'
import { isWithin } from './files/read-file.ts'
import { startProgress } from './output.ts'

export { readKeyFile }

type Check = Rendered<typeof storeCheck>

/**
 * A damaged store cannot be opened, so without a service its files are read directly.
 * @param backup the store must contain everything that this backup contains
 */
export async function checkStore(options: ConnectOptions, backup?: string): Promise<Check> {
  const { config } = options
  if (backup !== undefined && config.database) {
    throw new Problem(
      'NOT_FOR_DATABASES',
      'A store in a database cannot be compared with a backup.',
    )
  }
  const known = backup && (await readEndOfBackup(backup, config.dataDirectory))
  const service = await findService(options)
  if (!service) await requireOwnRole(config, 'store.check')
  const check = service
    ? await service.call('store.check', {})
    : storeCheck.render(await checkStoreUnopened(config))
  const { journal_end: end } = check
  if (!known || !end) return check
  const isBehind =
    end.journal < known.journal || (end.journal === known.journal && end.bytes < known.bytes)
  if (!isBehind) return check
  const problem = `The end of the store is missing: it ends in journal ${end.journal} at byte ${end.bytes}, but the backup ${backup} ends in journal ${known.journal} at byte ${known.bytes}. Restore that backup or a later one.`
  return { ...check, sound: false, problems: [...check.problems, problem] }
}

export async function copyStore(config: Config, to: StorePlace) {
  const { database, dataDirectory: directory } = config
  const from = database ? { database } : { directory }
  requirePlace(config)
  requireTwoPlaces(from, to)
  await requireOwnRole(config, 'store.copy')
  const opened = await openCopy({ from, to, encryptionKey: await readEncryptionKey(config) })
  try {
    // Each record is written once and read once.
    const bar = await startProgress(opened.source.count * 2)
    const move = { to: describePlace(to), at: now() }
    const copied = await copy(opened, move, (records) => bar?.increment(records)).finally(() =>
      bar?.stop(),
    )
    return {
      from: describePlace(from),
      to: describePlace(to),
      records: renameKeys(copied.records),
      digests: renameKeys(copied.digests),
      encryption_key_file: opened.source.keyFile ?? null,
    }
  } finally {
    await opened.source.close()
  }
}

/**
 * Somebody who works on a service elsewhere must name the store. Otherwise the command would move a store of this
 * machine.
 */
function requirePlace({ isElsewhere }: Config): void {
  if (!isElsewhere) return
  throw invalid(
    'COOPSHARE_OPERATOR_URL names a service, and this command works on a store without its service. Name the store with --data-dir or --database-url.',
  )
}

function requireTwoPlaces(from: StorePlace, to: StorePlace): void {
  if (describePlace(from) !== describePlace(to)) return
  throw new Problem(
    'STORE_NOT_EMPTY',
    `The store is already in ${describePlace(to)}. The command copies the database at --database-url (COOPSHARE_DATABASE_URL) if there is one, and the data directory otherwise. To copy the directory, leave out --database-url.`,
  )
}

/** @returns the names of the applied migrations; a store in a directory has none */
export async function migrateStore({ database }: Config): Promise<readonly string[]> {
  return database ? migrateDatabase(database) : []
}

export interface Reopened {
  readonly reopened: boolean
  readonly moved: StoreMove | null
  readonly access?: RenderedAccess
}

export async function reopenStore(config: Config, isConfirmed: boolean): Promise<Reopened> {
  requirePlace(config)
  await requireOwnRole(config, 'store.reopen')
  const { moved, access } = await reopen(config, async ({ to, at }) => {
    if (!isConfirmed) await requireYes(questionFor(to, at))
    return true
  })
  return { reopened: moved !== null, moved, ...(access && { access: renderAccess(access) }) }
}

function questionFor(to: string, at: string) {
  const warning = `This store was moved to ${to} at ${at} and lacks everything that has been written there since then. If you serve both stores, each gets orders that the other one lacks.`
  return {
    question: `${warning} Allow changes to this store again?`,
    instead: `${warning} Nothing was changed. To allow changes to this store again, add --yes.`,
  }
}

export async function restoreStore(
  backupFile: string,
  config: Config,
  options: { readonly retiresKeys?: boolean } = {},
) {
  requirePlace(config)
  const { dataDirectory } = config
  const backup = backupFile === '-' ? readInput() : backupFile
  const encryptionKey = await readEncryptionKey(config)
  const target = { directory: dataDirectory, encryptionKey }
  const { records, key, result } = await restoreStoreFiles(backup, target, options)
  return { records: renameKeys(records), key, access: renderAccess(result) }
}

function renderAccess(access: StoreAccess | undefined) {
  const { signingKeys = [], clients = [], operators = [] } = access ?? {}
  return {
    signing_keys: signingKeys.map(({ kid, state, changedAt }) => ({
      kid,
      state,
      changed_at: changedAt,
    })),
    clients: clients.map(({ clientId, name, organization, changedAt }) => ({
      client_id: clientId,
      name,
      organization,
      changed_at: changedAt,
    })),
    operators: operators.map(({ operatorId, name, role, changedAt }) => ({
      operator_id: operatorId,
      name,
      role,
      changed_at: changedAt,
    })),
  }
}

export type RenderedAccess = ReturnType<typeof renderAccess>

/** Restores the backup to a directory that is removed again, and checks everything in it. */
export async function verifyBackup(backup: string, config: Config, above = tmpdir()) {
  const work = await makeWorkDirectory(above, 'verify')
  try {
    const directory = join(work.path, 'store')
    const given = await readEncryptionKey(config)
    const { key } = await unpackStore(backup, { directory, encryptionKey: given })
    const encryptionKey = key === 'restored' ? undefined : given
    const check = storeCheck.render(await checkDirectory({ directory, encryptionKey }))
    const { moved: _, journal_end: __, torn_bytes: ___, rekeying: ____, ...found } = check
    return { file: backup, ...found, has_encryption_key: key === 'restored' }
  } finally {
    await work.remove()
  }
}

function readInput(): AsyncIterable<Uint8Array> {
  if (!process.stdin.isTTY) return process.stdin
  throw invalid('With - the backup is read from standard input. Use | or <.')
}

interface ToSalvage {
  /** undefined for the store in the data directory. */
  readonly backup: string | undefined
  readonly to: string
}

export async function salvageStore(config: Config, { backup, to }: ToSalvage) {
  if (backup === undefined) requirePlace(config)
  const { database, dataDirectory: directory } = config
  if (database && backup === undefined) {
    throw new Problem('NOT_FOR_DATABASES', 'Use the tools of PostgreSQL to repair a database.')
  }
  if (backup === undefined && isWithin(directory, to)) {
    throw invalid('--to must be outside the data directory, which is not changed.')
  }
  const salvaged = await salvageStoreFiles({
    source: backup === undefined ? { directory } : { backup },
    to: resolve(to),
    encryptionKey: await readEncryptionKey(config),
  })
  const { lost, leftOut, corrected, unsettleable } = salvaged
  return {
    from: backup ?? directory,
    data_dir: resolve(to),
    complete: [lost, leftOut, corrected, unsettleable].every(({ length }) => length === 0),
    records: renameKeys(salvaged.records),
    lost,
    left_out: leftOut,
    corrected,
    cannot_settle: unsettleable,
    access: renderAccess(salvaged.access),
  }
}
