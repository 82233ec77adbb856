import { join } from 'node:path'
import type { BackupConfig } from '../../config/backup-flags.ts'
import { Problem } from '../../domain/problem.ts'
import { createFile, makePrivateDirectory, syncDirectory } from '../../machine/durable-files.ts'
import { readdir, rename, rm } from '../../machine/files.ts'
import { atMost, pause } from '../../machine/time.ts'
import { lockFile } from '../../open-service.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Service } from '../../usecases/service.ts'
import type { Running } from './background-jobs.ts'

interface BackupObserver {
  /** Called at the start, too, with the time of the newest backup in the directory, or 0. */
  readonly observeBackup: (atMs: number) => void
  readonly observeFailedBackup: () => void
}

interface BackupOptions extends BackupConfig, BackupObserver {
  readonly logger: Logger
}

/** A failed backup is repeated after this time, or after the interval if that is shorter. */
const retryMs = 60_000
/** Timers cannot be set for longer than a few weeks, and the clock of the machine may be corrected meanwhile. */
const longestSleepMs = 60 * 60 * 1000
/** The clocks of instances that share the directory may differ a little. */
const clockToleranceMs = 60_000

const ourName = /^coopshare-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/
/** Temporary names of a backup: the file, and the directory into which a database is read first. */
const unfinishedName = /^\.coopshare-(?:\d{8}T\d{6}Z\.backup\.partial|backup-\w{6})$/
/** Held while a backup is written, because instances on a database may share the directory. */
const lockName = '.coopshare-backup.lock'

/**
 * Writes a backup at regular times, named by its time, and keeps the newest ones. If several instances have the same
 * directory, only one of them writes.
 */
export function runBackups(
  { storeAdmin, clock }: Pick<Service, 'storeAdmin' | 'clock'>,
  { directory, everyMs, keep, logger, observeBackup, observeFailedBackup }: BackupOptions,
): Running {
  const isOver = new AbortController()
  const { signal } = isOver
  const nowMs = () => Date.parse(clock.now())
  const write = async () => {
    const name = nameOf(nowMs())
    const content = storeAdmin.backup({ workDirectory: directory, signal })
    const bytes = await writeBackup(directory, name, abortable(content, signal))
    observeBackup(timeOf(name) ?? nowMs())
    logger.info({ file: name, bytes }, 'a backup was written')
    await removeOldest(await list(), keep)
  }
  /** Backups of the future are from a time when a clock was wrong. They must not delay the next backup. */
  const list = () => listBackups(directory, nowMs() + clockToleranceMs)
  /** Returns the time until the next check. */
  const look = async () => {
    try {
      // The directory of the backups may be in the directory of the store.
      await storeAdmin.requireOwnFiles()
      await makePrivateDirectory(directory)
      const path = join(directory, lockName)
      const lock = await lockFile({ path, subject: directory, code: 'STORE_LOCKED' })
      try {
        const { past, future } = await list()
        const newestMs = past.at(-1)?.atMs
        if (newestMs !== undefined) observeBackup(newestMs)
        const untilNextMs = newestMs === undefined ? 0 : newestMs + everyMs - nowMs()
        if (untilNextMs > 0) return untilNextMs
        for (const { name } of future) {
          logger.warn({ file: name }, 'the name of a backup has a time in the future')
        }
        await write()
        return everyMs
      } finally {
        await lock.release()
      }
    } catch (error) {
      if (signal.aborted) return 0
      const soonMs = Math.min(retryMs, everyMs)
      if (error instanceof Problem && error.code === 'STORE_LOCKED') {
        logger.info({ error }, 'another instance is writing the backup')
        return soonMs
      }
      observeFailedBackup()
      logger.error({ error }, 'a backup failed and will be repeated')
      return soonMs
    }
  }
  const run = async () => {
    const listed = await list().catch(() => undefined)
    observeBackup(listed?.past.at(-1)?.atMs ?? 0)
    while (!signal.aborted) {
      const ms = Math.min(await look(), longestSleepMs)
      await pause(ms, signal).catch(() => undefined)
    }
  }
  const running = run()
  return {
    async stop(patienceMs) {
      // A backup that is aborted leaves no file.
      isOver.abort()
      await atMost(patienceMs, running)
    },
  }
}

async function* abortable(
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    signal.throwIfAborted()
    yield chunk
  }
}

/** The name exists only after the whole backup is durable. */
async function writeBackup(
  directory: string,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  await makePrivateDirectory(directory)
  // A killed process leaves such files.
  const left = (await readdir(directory)).filter((found) => unfinishedName.test(found))
  for (const found of left) await rm(join(directory, found), { force: true, recursive: true })
  const partial = join(directory, `.${name}.partial`)
  const bytes = await createFile(partial, content)
  await rename(partial, join(directory, name))
  await syncDirectory(directory)
  return bytes
}

interface WrittenBackup {
  readonly name: string
  readonly atMs: number
}

interface Listed {
  readonly directory: string
  /** Oldest first, as in `future`. */
  readonly past: readonly WrittenBackup[]
  readonly future: readonly WrittenBackup[]
}

async function listBackups(directory: string, untilMs: number): Promise<Listed> {
  await makePrivateDirectory(directory)
  const found = (await readdir(directory)).flatMap((name) => {
    const atMs = timeOf(name)
    return atMs === undefined ? [] : [{ name, atMs }]
  })
  found.sort((left, right) => left.atMs - right.atMs)
  const past = found.filter(({ atMs }) => atMs <= untilMs)
  return { directory, past, future: found.slice(past.length) }
}

/** Other files stay. A wrong clock must not make later backups look older than its own. */
async function removeOldest({ directory, past, future }: Listed, keep: number): Promise<void> {
  const backups = [...future, ...past]
  const old = backups.slice(0, Math.max(0, backups.length - keep)).map(({ name }) => name)
  for (const name of old) await rm(join(directory, name), { force: true })
}

function nameOf(ms: number): string {
  const text = new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
  return `coopshare-${text}.backup`
}

function timeOf(name: string): number | undefined {
  const [, year, month, day, hour, minute, second] = ourName.exec(name) ?? []
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(ms) ? undefined : ms
}
