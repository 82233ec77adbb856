import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BackupConfig } from '../../config/backup-flags.ts'
import type { Logger } from '../../ports/logger.ts'
import { createFile, makePrivateDirectory, syncDirectory } from '../../system/disk.ts'
import type { Service } from '../../usecases/service.ts'

export interface RunningBackups {
  /** Aborts the backup that is being written, which leaves no file. */
  stop(): Promise<void>
}

export interface BackupObserver {
  /** Called at the start, too, with the time of the newest backup in the directory, or 0. */
  readonly noteSuccess: (atMs: number) => void
  readonly noteFailure: () => void
}

interface BackupOptions extends BackupConfig, BackupObserver {
  readonly logger: Logger
}

/** A failed backup is repeated after this time, or after the interval if that is shorter. */
const retryMs = 60_000
/** Timers cannot be set for longer than some weeks, and the clock of the machine may be corrected. */
const longestSleepMs = 60 * 60 * 1000

const ourName = /^coopshare-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/
const ourPartialName = /^\.coopshare-\d{8}T\d{6}Z\.backup\.partial$/

/** Writes a backup at regular times under a name of its time, and keeps the newest ones. */
export function runBackups(
  { upkeep, clock }: Pick<Service, 'upkeep' | 'clock'>,
  { directory, everyMs, keep, logger, noteSuccess, noteFailure }: BackupOptions,
): RunningBackups {
  const isOver = new AbortController()
  const { signal } = isOver
  const nowMs = () => Date.parse(clock.now())
  const write = async () => {
    const name = nameOf(nowMs())
    const bytes = await writeBackup(directory, name, abortable(upkeep.backup(), signal))
    noteSuccess(timeOf(name) ?? nowMs())
    logger.info({ file: name, bytes }, 'a backup was written')
    await removeOldest(directory, keep)
  }
  /** Returns the time until the next look. */
  const look = async () => {
    try {
      const newestMs = (await listBackups(directory)).at(-1)?.atMs
      const untilNextMs = newestMs === undefined ? 0 : newestMs + everyMs - nowMs()
      if (untilNextMs > 0) return untilNextMs
      await write()
      return everyMs
    } catch (error) {
      if (signal.aborted) return 0
      noteFailure()
      logger.error({ error }, 'a backup failed and will be repeated')
      return Math.min(retryMs, everyMs)
    }
  }
  const run = async () => {
    const newest = (await listBackups(directory).catch(() => [])).at(-1)
    noteSuccess(newest?.atMs ?? 0)
    while (!signal.aborted) {
      const ms = Math.min(await look(), longestSleepMs)
      await pause(ms, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    async stop() {
      isOver.abort()
      await running
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

/** The name is there only once the whole backup is durable. */
async function writeBackup(
  directory: string,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  await makePrivateDirectory(directory)
  const partial = join(directory, `.${name}.partial`)
  await rm(partial, { force: true })
  const bytes = await createFile(partial, content)
  await rename(partial, join(directory, name))
  await syncDirectory(directory)
  return bytes
}

interface WrittenBackup {
  readonly name: string
  readonly atMs: number
}

/** Oldest first. */
async function listBackups(directory: string): Promise<readonly WrittenBackup[]> {
  await makePrivateDirectory(directory)
  const found = (await readdir(directory)).flatMap((name) => {
    const atMs = timeOf(name)
    return atMs === undefined ? [] : [{ name, atMs }]
  })
  return found.sort((left, right) => left.atMs - right.atMs)
}

/** Also removes what a process that was killed has left. Other files stay. */
async function removeOldest(directory: string, keep: number): Promise<void> {
  const backups = await listBackups(directory)
  const partial = (await readdir(directory)).filter((name) => ourPartialName.test(name))
  const old = backups.slice(0, Math.max(0, backups.length - keep)).map(({ name }) => name)
  for (const name of [...old, ...partial]) await rm(join(directory, name), { force: true })
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
