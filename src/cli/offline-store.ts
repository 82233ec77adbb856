import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { invalid } from '../config/common-flags.ts'
import { describePlace, type StorePlace } from '../config/database-flags.ts'
import type { Config } from '../config.ts'
import { operatorRoles } from '../domain/operators/operator.ts'
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
import { storeCheck, storeMove } from '../operations/store.ts'
import type { StoreAccess } from '../usecases/store/admit-access.ts'
import { copyStore as copy } from '../usecases/store/copy-store.ts'
import * as schemas from '../wire/json-schema.ts'
import { renameKeys } from '../wire/problems.ts'
import {
  bool,
  countOrNull,
  counts,
  field,
  id,
  ifPresent,
  instant,
  listOf,
  nested,
  nestedOrNull,
  oneOf,
  plain,
  type Rendered,
  rendered,
  text,
  textOrNull,
  texts,
  textsByName,
  view,
} from '../wire/view.ts'
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

const recordCounts = counts('Number of records, by kind.')

export const copiedStore = plain('Copied store', {
  from: text('Address of the source, without user and password.'),
  to: text('Address of the target, without user and password.'),
  records: recordCounts,
  digests: textsByName('Digest over all records of each kind.'),
  encryption_key_file: textOrNull('Key file, if the store created the key.'),
})

export async function copyStore(
  config: Config,
  to: StorePlace,
): Promise<Rendered<typeof copiedStore>> {
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
    'COOPSHARE_OPERATOR_URL names a service, but this command works on the store itself, without a service. Name the store with --data-dir or --database-url.',
  )
}

function requireTwoPlaces(from: StorePlace, to: StorePlace): void {
  if (describePlace(from) !== describePlace(to)) return
  throw new Problem(
    'STORE_NOT_EMPTY',
    `The store is already in ${describePlace(to)}. The command copies the database at --database-url (COOPSHARE_DATABASE_URL) if there is one, and the data directory otherwise. To copy the directory, leave out --database-url.`,
  )
}

export const migrations = plain('Migrations', {
  applied: texts('Names of the applied migrations.'),
})

/** @returns the names of the applied migrations; a store in a directory has none */
export async function migrateStore({ database }: Config): Promise<Rendered<typeof migrations>> {
  return { applied: database ? await migrateDatabase(database) : [] }
}

const admittedKey = view<StoreAccess['signingKeys'][number]>()('Admitted signing key', {
  kid: text('Id of the key.', (it) => it.kid),
  state: field(
    schemas.oneOf(['published', 'signing', 'retiring', 'revoked'], 'Key state.'),
    (it: StoreAccess['signingKeys'][number]) => it.state,
  ),
  changed_at: instant('Time when the key was last changed.', (it) => it.changedAt),
})

const admittedClient = view<StoreAccess['clients'][number]>()('Admitted client', {
  client_id: id('Client id.', (it) => it.clientId),
  name: textOrNull('Name of the client.', (it) => it.name),
  organization: text('Organization name.', (it) => it.organization),
  changed_at: instant('Time when the client was last changed.', (it) => it.changedAt),
})

const admittedOperator = view<StoreAccess['operators'][number]>()('Admitted operator', {
  operator_id: id('Id of the operator.', (it) => it.operatorId),
  name: text('Operator name.', (it) => it.name),
  role: oneOf(operatorRoles, 'Operator role.', (it) => it.role),
  changed_at: instant('Time when the operator was last changed.', (it) => it.changedAt),
})

const storeAccess = view<StoreAccess>()('Store access', {
  signing_keys: listOf(admittedKey, 'Keys whose tokens are accepted.', (it) => it.signingKeys),
  clients: listOf(admittedClient, 'Clients that can get tokens.', (it) => it.clients),
  operators: listOf(admittedOperator, 'Operators who are not disabled.', (it) => it.operators),
})
export type RenderedAccess = Rendered<typeof storeAccess>

const nobody: StoreAccess = { signingKeys: [], clients: [], operators: [] }

export const reopenedStore = plain('Reopened store', {
  reopened: bool('Whether the store had been marked as moved.'),
  moved: nestedOrNull(rendered(storeMove), 'Place to which the store had been copied.'),
  access: ifPresent(
    nested(rendered(storeAccess), 'Who has access again, if the store was marked as moved.'),
  ),
})
export type Reopened = Rendered<typeof reopenedStore>

export async function reopenStore(config: Config, isConfirmed: boolean): Promise<Reopened> {
  requirePlace(config)
  await requireOwnRole(config, 'store.reopen')
  const { moved, access } = await reopen(config, async ({ to, at }) => {
    if (!isConfirmed) await requireYes(questionFor(to, at))
    return true
  })
  return { reopened: moved !== null, moved, ...(access && { access: storeAccess.render(access) }) }
}

function questionFor(to: string, at: string) {
  const warning = `This store was moved to ${to} at ${at} and lacks everything that has been written there since then. If you serve both stores, each gets orders that the other one lacks.`
  return {
    question: `${warning} Allow changes to this store again?`,
    instead: `${warning} Nothing was changed. To allow changes to this store again, add --yes.`,
  }
}

export const restoredStore = plain('Restored store', {
  data_dir: text('Data directory.'),
  records: recordCounts,
  needs_encryption_key: bool('Whether the service needs a key from you to open the store.'),
  retired_keys: bool('Whether a new signing key replaces the signing keys in the backup.'),
  access: nested(rendered(storeAccess), 'Who has access to the restored store.'),
})

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
  return { records: renameKeys(records), key, access: storeAccess.render(result ?? nobody) }
}

export const verifiedBackup = plain('Verified backup', {
  file: text('Path of the backup.'),
  sound: bool('True if no problem was found.'),
  records: recordCounts,
  sealed_values: countOrNull('Number of decrypted values; null without a key.'),
  problems: texts('Problems that were found, each in one sentence.'),
  has_encryption_key: bool('Whether the backup contains the store key.'),
})

/** Restores the backup to a directory that is removed again, and checks everything in it. */
export async function verifyBackup(
  backup: string,
  config: Config,
  above = tmpdir(),
): Promise<Rendered<typeof verifiedBackup>> {
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

const recordNote = plain('Record note', {
  record: text('Kind of record, and its key.'),
  reason: text('Explanation for people.'),
})

export const salvagedStore = plain('Salvaged store', {
  from: text('Damaged backup or data directory.'),
  data_dir: text('Directory of the new store.'),
  complete: bool('True if every record was salvaged unchanged.'),
  records: recordCounts,
  lost: listOf(
    plain('Damaged line', {
      file: text('File of the line.'),
      line: countOrNull('Number of the line; null if the whole file is missing.'),
      reason: text('What is wrong.'),
      ids: texts('Ids that are readable in the damaged line.'),
      older: texts('Records that may be out of date.'),
    }),
    'Lines that cannot be read.',
  ),
  left_out: listOf(recordNote, 'Records that the command left out.'),
  corrected: listOf(recordNote, 'Records that the command corrected.'),
  cannot_settle: listOf(recordNote, 'Orders that nobody can settle any more.'),
  access: nested(rendered(storeAccess), 'Who has access to the salvaged store.'),
})

export async function salvageStore(
  config: Config,
  { backup, to }: ToSalvage,
): Promise<Rendered<typeof salvagedStore>> {
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
    access: storeAccess.render(salvaged.access ?? nobody),
  }
}
