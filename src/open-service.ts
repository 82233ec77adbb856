import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { $Fetch } from 'ofetch'
import { createMovableClock, createSeededRandom } from './adapters/bench-clock.ts'
import { createSystemRandom, systemClock, systemRandom } from './adapters/clock.ts'
import { requireKnownFormats } from './adapters/encrypted-fields.ts'
import { acquireLock, makeWorkDirectory } from './adapters/file-lock/lock.ts'
import type { ServiceLogger } from './adapters/logger.ts'
import { openLowdbStore } from './adapters/lowdb/open-store.ts'
import { isUnwritable, openReadOnlyStore } from './adapters/lowdb/read-only-store.ts'
import type { DatabaseWait } from './adapters/postgres/session.ts'
import type { BenchConfig } from './config/bench-flags.ts'
import type { DatabaseConfig } from './config/database-flags.ts'
import { baseUrlOf, type Config } from './config.ts'
import { Problem } from './domain/problem.ts'
import { readSecret } from './domain/text.ts'
import { doublingWaits, specifiedBackoffSeconds } from './domain/webhooks/delivery-retries.ts'
import { makeDirectory, privateDirectory } from './machine/durable-files.ts'
import { readText } from './machine/files.ts'
import { shareRuns } from './machine/time.ts'
import type { BankDirectory } from './ports/bank-directory.ts'
import type { Clock } from './ports/clock.ts'
import type { Mailer } from './ports/mailer.ts'
import type { BackupOptions, CopyTarget, Rekeyed } from './ports/store-admin.ts'
import type { WebhookSender } from './ports/webhook-sender.ts'
import { AuditSealer } from './usecases/audit/audit-chain.ts'
import { systemAuditContext, withAudit } from './usecases/audit/record-audit.ts'
import { Bench } from './usecases/bench/bench.ts'
import { createBenchSender } from './usecases/bench/bench-webhook-sender.ts'
import { ensureSigningKey } from './usecases/oauth/signing-keys.ts'
import type { Service } from './usecases/service.ts'
import { recordFourEyes } from './usecases/share-purchases/four-eyes.ts'
import { claimSettings } from './usecases/store/store-settings.ts'
import { renderEvent } from './wire/events.ts'

export interface OpenedService {
  readonly service: Service
  /** undefined without --bench. */
  readonly bench?: Bench | undefined
  /** Returns a function that draws the same random values again from here on. */
  markRandom?(): () => void
  close(): Promise<void>
}

export interface OpenServiceOptions {
  /** Throws STORE_NOT_FOUND instead of creating a store. */
  readonly onlyExisting?: boolean
  /** Refuses a store that was moved, which commands may still read. */
  readonly isServed?: boolean
  /** How long to wait for a database. If absent, a failed connection is an error immediately. */
  readonly patience?: DatabaseWait
  /** Called when new entries of the audit could not be added to the chain. */
  readonly onUnsealed?: (error: unknown) => void
  /** Called when the keys of the store have been replaced. */
  readonly onRekeyed?: (rekeyed: Rekeyed) => void
  /** Receivers of a simulation. */
  readonly webhookSender?: WebhookSender | undefined
}

/** Opens the service on a database, or on a data directory that this process then owns. */
export async function openService(
  config: Config,
  options: OpenServiceOptions = {},
): Promise<OpenedService> {
  refuseTestingAidsInProduction(config)
  // A command that opens the store itself has no bench.
  const opened = config.bench && options.isServed ? openBench(config.bench) : undefined
  const { bench, clock = systemClock, random = createSystemRandom() } = opened ?? {}
  const { store, vault, storeAdmin } = await openStore(config, { ...options, clock })
  const sender =
    options.webhookSender ?? openWebhookSender({ allowPrivate: config.allowPrivateWebhooks })
  const ports: Service = {
    store,
    storeAdmin,
    clock,
    random,
    vault,
    bankDirectory: openBankDirectory(config),
    webhookSender: bench ? createBenchSender(sender, bench) : sender,
    mailer: openMailer(config, storeAdmin),
    renderEvent,
    onRekeyed: options.onRekeyed,
    settings: {
      environment: config.environment,
      baseUrl: baseUrlOf(config),
      maximumShareCount: config.maximumShareCount,
      webhookWaits: config.webhookWaits ?? doublingWaits(config.webhookBackoffSeconds),
      mailWaits: config.mailWaits,
      allowPrivateWebhooks: config.allowPrivateWebhooks,
      investorMail: config.investorMail,
      fourEyes: config.fourEyes,
      contractPreview: bench?.contractPreview,
    },
  }
  const marking = opened?.markRandom && { markRandom: opened.markRandom }
  const sealer = options.isServed ? new AuditSealer(ports, options.onUnsealed) : undefined
  const service = await prepare({ ...ports, sealer }, sealer)
  sealer?.wake()
  return { service, bench, ...marking, close: () => close(service, sealer) }
}

function openBench({ now, isRunning, movesWebhooks, movesTokens, seed, ...config }: BenchConfig) {
  const clock = createMovableClock({ now, isRunning, movesWebhooks, movesTokens })
  const { contractPreview } = config
  const bench = new Bench({ clock, random: systemRandom, contractPreview })
  const seeded = createSeededRandom(seed ?? 0, clock)
  // Without a seed, only the waits of retries are the same in each run. An app that remembers the events of earlier runs
  // needs new ids.
  const random =
    seed === undefined ? { ...createSystemRandom(), fraction: seeded.fraction } : seeded
  return { bench, clock, random, markRandom: seeded.mark }
}

interface OpenStoreOptions extends OpenServiceOptions {
  readonly clock: Clock
}

async function openStore(config: Config, options: OpenStoreOptions) {
  const encryptionKey = await readEncryptionKey(config)
  const { database, dataDirectory: directory } = config
  if (database) {
    // The directory is needed for control.json, and for e-mails if there is no mail server.
    if (!options.onlyExisting) await makeDirectory(directory, privateDirectory)
    const { openPostgresStore } = await import('./adapters/postgres/postgres-store.ts')
    const open = () => openPostgresStore({ ...options, ...database, encryptionKey })
    const { awaitDatabase } = await import('./adapters/postgres/session.ts')
    const opened = await (options.patience ? awaitDatabase(options.patience, open) : open())
    const backup = (options?: BackupOptions) => backUpDatabase(database, options)
    return { ...opened, storeAdmin: Object.assign(opened.store, { backup }) }
  }
  const opening = openLowdbStore({ ...options, directory, encryptionKey })
  const store = await opening.catch((error) => {
    if (options.isServed || !isUnwritable(error)) throw error
    return openReadOnlyStore({ directory, encryptionKey }, error)
  })
  return { store, vault: store.vault, storeAdmin: store }
}

/**
 * Writes the records as a data directory first, so that backups of both engines have the same
 * format, and are verified and restored in the same way. The transaction ends before a slow reader
 * gets the first byte.
 */
async function* backUpDatabase(
  database: DatabaseConfig,
  { workDirectory = tmpdir(), signal }: BackupOptions = {},
): AsyncGenerator<Uint8Array> {
  const { streamBackup } = await import('./adapters/lowdb/backup.ts')
  const work = await makeWorkDirectory(workDirectory, 'backup')
  const directory = join(work.path, 'store')
  try {
    await copyInto(directory, database, signal)
    for await (const chunk of streamBackup(directory)) {
      // All files are open now. Without names, they end with this process, even if it is killed. On a network file
      // system, open files keep their directory, which can be removed only after they are closed.
      await work.remove().catch(() => undefined)
      yield chunk
    }
  } finally {
    await work.remove()
  }
}

async function copyInto(
  directory: string,
  database: DatabaseConfig,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { withSnapshot } = await import('./adapters/postgres/copy.ts')
  const { openDirectoryTarget } = await import('./adapters/lowdb/copy.ts')
  let target: CopyTarget | undefined
  try {
    await withSnapshot(database, async ({ keyCheck, moved, rotation, read }) => {
      const copied = { directory, keyCheck, moved, rotation, clock: systemClock }
      const opened = await openDirectoryTarget(copied)
      target = opened
      await read(async (batch) => {
        signal?.throwIfAborted()
        await opened.put(batch)
      })
    })
    await target?.readBack(() => signal?.throwIfAborted())
    await target?.commit()
  } catch (error) {
    await target?.discard().catch(() => undefined)
    throw error
  }
}

async function close(
  { mailer, store }: Pick<Service, 'mailer' | 'store'>,
  sealer: AuditSealer | undefined,
): Promise<void> {
  mailer.close()
  await sealer?.stop()
  await store.close()
}

/** The lookup receives IBANs, so in production it must use https and a public address. */
function openBankDirectory({ bankLookupUrl: lookupUrl, environment }: Config): BankDirectory {
  const directory = loadOnce(async () => {
    const { createBankDirectory } = await import('./adapters/bank-directory.ts')
    return createBankDirectory({ lookupUrl, allowPrivate: environment === 'staging' })
  })
  return { lookUp: async (iban) => (await directory()).lookUp(iban) }
}

function openWebhookSender(options: { readonly allowPrivate: boolean }): WebhookSender {
  const sender = loadOnce(async () => {
    const { createWebhookSender } = await import('./adapters/webhook-sender/webhook-sender.ts')
    return createWebhookSender(options)
  })
  return {
    send: async (request) => (await sender()).send(request),
    findAddressError: async (url) => (await sender()).findAddressError(url),
    inspectAddresses: async (url) => (await sender()).inspectAddresses(url),
    inspectCertificate: async (url) => (await sender()).inspectCertificate(url),
  }
}

/** E-mails may be written beside the files of the store. */
function openMailer(config: Config, storeAdmin: Service['storeAdmin']): Mailer {
  let used: Mailer | undefined
  const mailer = loadOnce(async () => (used = await loadMailer(config)))
  const requireOwnFiles = shareRuns(() => storeAdmin.requireOwnFiles())
  return {
    async send(mail, signal) {
      await requireOwnFiles()
      return (await mailer()).send(mail, signal)
    },
    removeFiles: async (deliveryIds) => (await mailer()).removeFiles(deliveryIds),
    close: () => used?.close(),
  }
}

/** E-mails can also be removed from the directory if a mail server sends the new ones. */
async function loadMailer({ smtpUrl: url, mailFrom: from, ...places }: Config): Promise<Mailer> {
  const { createFileMailer } = await import('./adapters/mailer/file-mailer.ts')
  const directory = places.mailDirectory ?? join(places.dataDirectory, 'mail')
  const files = createFileMailer({ directory, from })
  if (url === undefined) return files
  const { createSmtpMailer } = await import('./adapters/mailer/smtp-mailer.ts')
  return { ...createSmtpMailer({ url, from }), removeFiles: files.removeFiles }
}

/**
 * Loads an adapter at its first use. Adapters that speak to other machines are most of the program, and most commands
 * never need them.
 */
function loadOnce<Port>(load: () => Promise<Port>): () => Promise<Port> {
  let loading: Promise<Port> | undefined
  return () => (loading ??= load())
}

export function refuseTestingAidsInProduction(config: Config): void {
  if (config.environment !== 'production') return
  if (config.bench) throw testingAid(benchInProduction)
  if (config.allowPrivateWebhooks) throw testingAid(privateWebhooks)
  if (config.webhookBackoffSeconds !== specifiedBackoffSeconds) throw testingAid(otherBackoff)
}

const privateWebhooks =
  '--allow-private-webhooks is for staging only: it lets a partner make the service call machines in its own network.'
const benchInProduction =
  '--bench is for staging only: it lets its user move the clock and cause faults.'
const otherBackoff =
  '--webhook-backoff is for staging only: partners are promised that the first wait after a failed delivery is 30 s.'

function testingAid(detail: string): Problem {
  return new Problem('TESTING_AID_IN_PRODUCTION', detail)
}

/** Closes everything if the environment does not match. */
async function prepare(ports: Service, sealer: AuditSealer | undefined): Promise<Service> {
  try {
    const stored = await claimSettings(ports)
    requireKnownFormats('settings', stored)
    // A damaged key is noticed now, and not by the first search.
    if (stored.encryptedSearchKey) ports.vault.decrypt(stored.encryptedSearchKey)
    const service = withAudit(ports, systemAuditContext('start'))
    await ensureSigningKey(service)
    // A service that serves has a sealer.
    if (sealer) await recordFourEyes(service)
    return service
  } catch (error) {
    await close(ports, sealer)
    throw error
  }
}

export async function readEncryptionKey(config: Config): Promise<string | undefined> {
  const { encryptionKeyFile: file, encryptionKey } = config
  return file === undefined ? encryptionKey : readKeyFile(file)
}

/** Refuses a key that opens no store. */
export async function requireEncryptionKey(config: Config): Promise<void> {
  const key = await readEncryptionKey(config)
  const { openGivenVault } = await import('./adapters/postgres/store-row.ts')
  if (key !== undefined || config.database) openGivenVault(key)
}

export async function readKeyFile(file: string): Promise<string> {
  try {
    return readSecret(await readText(file)) ?? ''
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const detail =
      code === 'ENOENT'
        ? `There is no key file ${file}. Check its name.`
        : `The key file ${file} cannot be read: ${message}`
    throw new Problem('ENCRYPTION_KEY_REFUSED', detail, { cause })
  }
}

/** @param render for a log that people read; otherwise the log has JSON lines */
export async function openLogger(
  { logLevel }: Config,
  render?: (json: string) => string,
): Promise<ServiceLogger> {
  const { createLogger } = await import('./adapters/logger.ts')
  return createLogger(logLevel, render)
}

/** Sends events to the machine that runs the command. The user names the address, so any address is allowed. */
export function openForwarder(): Pick<Service, 'clock' | 'webhookSender'> {
  return { clock: systemClock, webhookSender: openWebhookSender({ allowPrivate: true }) }
}

/** Asks a program that the user names, so any address is allowed, as for `openForwarder`. */
export async function openReader(): Promise<$Fetch> {
  const { createGuardedFetch } = await import('./adapters/outgoing/guarded-fetch.ts')
  return createGuardedFetch({ allowPrivate: true })
}

export const now = () => systemClock.now()

export { makeWorkDirectory, removeLeftWork } from './adapters/file-lock/lock.ts'

/** A lock on a file of a command. */
export const lockFile = acquireLock
