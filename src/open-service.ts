import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deferBankDirectory, deferMailer, deferWebhookSender } from './adapters/deferred.ts'
import { acquireLock } from './adapters/file-lock/lock.ts'
import type { FlushedLogger } from './adapters/logger.ts'
import { checkStore } from './adapters/lowdb/check-store.ts'
import { openLowdbStore } from './adapters/lowdb/open-store.ts'
import { restoreStore } from './adapters/lowdb/restore-store.ts'
import type { Salvaged, SalvageOptions } from './adapters/lowdb/salvage/salvage-store.ts'
import { readManifest, reopenDirectory } from './adapters/lowdb/store-directory.ts'
import { makeDirectory } from './adapters/make-directory.ts'
import type { DatabasePatience } from './adapters/postgres/explaining.ts'
import { systemClock } from './adapters/system-clock.ts'
import { systemRandom } from './adapters/system-random.ts'
import type { DatabaseConfig } from './config/database-flags.ts'
import { baseUrlOf, type Config } from './config.ts'
import { Problem } from './domain/problem.ts'
import type { StoreCopyPlaces } from './open-service/open-store-copy.ts'
import type { BankDirectory } from './ports/bank-directory.ts'
import type { Mailer } from './ports/mailer.ts'
import type { StoreMove } from './ports/store-copy.ts'
import type { JournalPosition, StoreCheck } from './ports/store-upkeep.ts'
import type { WebhookSender } from './ports/webhook-sender.ts'
import { claimEnvironment } from './usecases/claim-environment.ts'
import { ensureSigningKey } from './usecases/oauth/ensure-signing-key.ts'
import type { Service } from './usecases/service.ts'
import type { StoreCopy } from './usecases/store/copy-store.ts'

export interface OpenedService {
  readonly service: Service
  close(): Promise<void>
}

export interface OpenServiceOptions {
  /** Makes no store where there is none. */
  readonly onlyExisting?: boolean
  /** Refuses a store that has moved; a command may read one. */
  readonly isServed?: boolean
  /** For a database that cannot be reached yet; without it, that is an error at once. */
  readonly patience?: DatabasePatience
}

/** The service on the store in the database, or in the data directory, which this process then owns. */
export async function openService(
  config: Config,
  options: OpenServiceOptions = {},
): Promise<OpenedService> {
  refuseTestingAidsInProduction(config)
  const { store, vault } = await openStore(config, options)
  const service: Service = {
    store,
    upkeep: store,
    clock: systemClock,
    random: systemRandom,
    vault,
    bankDirectory: openBankDirectory(config),
    webhookSender: openWebhookSender({ allowPrivate: config.allowPrivateWebhooks }),
    mailer: openMailer(config),
    settings: {
      environment: config.environment,
      baseUrl: baseUrlOf(config),
      maximumShareCount: config.maximumShareCount,
      webhookBackoffSeconds: config.webhookBackoffSeconds,
      allowPrivateWebhooks: config.allowPrivateWebhooks,
      investorMail: config.investorMail,
    },
  }
  return prepare({ service, close: () => close(service) })
}

async function openStore(config: Config, options: OpenServiceOptions) {
  const encryptionKey = await readEncryptionKey(config)
  const { database, dataDirectory: directory } = config
  if (database) {
    // For control.json, and for mails where there is no mail server.
    if (!options.onlyExisting) await makeDirectory(directory, { mode: 0o700 })
    const { openPostgresStore } = await import('./adapters/postgres/open-postgres-store.ts')
    const open = () => openPostgresStore({ ...options, ...database, encryptionKey })
    if (!options.patience) return open()
    const { awaitDatabase } = await import('./adapters/postgres/explaining.ts')
    return awaitDatabase(options.patience, open)
  }
  const store = await openLowdbStore({ ...options, directory, encryptionKey, clock: systemClock })
  return { store, vault: store.vault }
}

async function close({ mailer, store }: Service): Promise<void> {
  mailer.close()
  await store.close()
}

function openBankDirectory({ bankLookupUrl: lookupUrl, environment }: Config): BankDirectory {
  return deferBankDirectory(async () => {
    const { createBankDirectory } = await import('./adapters/bank-directory/bank-directory.ts')
    // IBANs travel to it: in production only over https, and to where the address guard lets everything else go.
    return createBankDirectory({ lookupUrl, allowPrivate: environment === 'staging' })
  })
}

function openWebhookSender(options: { readonly allowPrivate: boolean }): WebhookSender {
  return deferWebhookSender(async () => {
    const { createWebhookSender } = await import('./adapters/webhook-sender/webhook-sender.ts')
    return createWebhookSender(options)
  })
}

/** Where mails become files. */
function mailDirectoryOf({ mailDirectory, dataDirectory }: Config): string {
  return mailDirectory ?? join(dataDirectory, 'mail')
}

function openMailer(config: Config): Mailer {
  const { smtpUrl: url, mailFrom: from } = config
  return deferMailer(async () => {
    if (url !== undefined) {
      const { createSmtpMailer } = await import('./adapters/mailer/smtp-mailer.ts')
      return createSmtpMailer({ url, from })
    }
    const { createFileMailer } = await import('./adapters/mailer/file-mailer.ts')
    return createFileMailer({ directory: mailDirectoryOf(config), from })
  })
}

/** spec: Delivery and retries, the first wait. */
const specifiedBackoffSeconds = 30

function refuseTestingAidsInProduction(config: Config): void {
  if (config.environment !== 'production') return
  if (config.allowPrivateWebhooks) throw testingAid(privateWebhooks)
  if (config.webhookBackoffSeconds !== specifiedBackoffSeconds) throw testingAid(otherBackoff)
}

const privateWebhooks =
  '--allow-private-webhooks is for staging only: it lets a partner make the service call machines of its own network.'
const otherBackoff =
  '--webhook-backoff is for staging only: partners are promised that the first wait after a failed delivery is 30 s.'

function testingAid(detail: string): Problem {
  return new Problem('TESTING_AID_IN_PRODUCTION', detail)
}

/** Nothing of a service whose environment does not fit stays open. */
async function prepare(opened: OpenedService): Promise<OpenedService> {
  try {
    await claimEnvironment(opened.service)
    await ensureSigningKey(opened.service)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

export async function readEncryptionKey(config: Config): Promise<string | undefined> {
  const { encryptionKeyFile: file, encryptionKey } = config
  if (file === undefined) return encryptionKey
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const { message } = cause as Error
    throw new Problem('ENCRYPTION_KEY_REFUSED', `The key file cannot be read: ${message}`, {
      cause,
    })
  }
}

export async function openLogger({ logLevel }: Config): Promise<FlushedLogger> {
  const { createLogger } = await import('./adapters/logger.ts')
  return createLogger(logLevel)
}

/** What sends events to the machine of whoever runs the command: they say where, so any address will do. */
export function openForwarder(): Pick<Service, 'clock' | 'webhookSender'> {
  return { clock: systemClock, webhookSender: openWebhookSender({ allowPrivate: true }) }
}

export const now = () => systemClock.now()

/** Of files that commands keep: one process has it. */
export const lockFile = acquireLock

/** Works on a store that is damaged, too, which cannot be opened. Without a key, nothing that is sealed is looked at. */
export async function checkStoreUnopened(config: Config): Promise<StoreCheck> {
  const { database, dataDirectory: directory } = config
  const encryptionKey = await readEncryptionKey(config)
  if (!database) return checkStore({ directory, encryptionKey })
  const { checkPostgresStore } = await import('./adapters/postgres/open-postgres-store.ts')
  return checkPostgresStore({ ...database, encryptionKey })
}

export const restoreStoreFiles = restoreStore

/** Where the store ended when a backup of it was made. A backup of another store than that of the directory is refused. */
export async function readEndOfBackup(path: string, directory: string): Promise<JournalPosition> {
  const { readBackupEnd } = await import('./adapters/lowdb/backup.ts')
  const { end, keyCheck } = await readBackupEnd(path)
  const manifest = await readManifest(directory)
  if (!manifest || manifest.keyCheck === keyCheck) return end
  throw new Problem('INVALID_PARAMETER', `${path} is a backup of another store than ${directory}.`)
}

/** Works on a store that is damaged, and only reads it. */
export async function salvageStoreFiles(options: Omit<SalvageOptions, 'clock'>): Promise<Salvaged> {
  const { salvageStore } = await import('./adapters/lowdb/salvage/salvage-store.ts')
  return salvageStore({ ...options, clock: systemClock })
}

/** From one place to another, of either kind. */
export async function openCopy(places: StoreCopyPlaces): Promise<StoreCopy> {
  const { openStoreCopy } = await import('./open-service/open-store-copy.ts')
  return openStoreCopy(places)
}

export async function migrateDatabase(database: DatabaseConfig): Promise<readonly string[]> {
  const { migrate } = await import('./adapters/postgres/migrate.ts')
  return migrate(database)
}

/** Lets a store that has moved take writes again. Returns where it had been moved to, and null when nothing was changed. */
export async function reopenStore(
  { database, dataDirectory }: Config,
  isWanted: (moved: StoreMove) => Promise<boolean>,
): Promise<StoreMove | null> {
  if (!database) return reopenDirectory(dataDirectory, isWanted)
  const { reopenDatabase } = await import('./adapters/postgres/moved-database.ts')
  return reopenDatabase(database, isWanted)
}
