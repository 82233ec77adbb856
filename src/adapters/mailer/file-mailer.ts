import { join } from 'node:path'
import {
  createFile,
  makePrivateDirectory,
  syncDirectory,
  unlessMissing,
} from '../../machine/durable-files.ts'
import { rename, rm } from '../../machine/files.ts'
import { ownIdentity } from '../../machine/processes.ts'
import { shareRuns, stopwatchMs } from '../../machine/time.ts'
import type { Mailer } from '../../ports/mailer.ts'
import { createComposer } from './compose-mail.ts'

export interface FileMailerOptions {
  readonly directory: string
  readonly from: string
}

/** Writes each e-mail as an .eml file, which mail programs can open. Sends nothing. */
export function createFileMailer({ directory, from }: FileMailerOptions): Mailer {
  const compose = createComposer(from)
  // `ownIdentity` reads files of the system, so it is called only once.
  const { pid } = ownIdentity()
  const syncNames = shareRuns(() => syncDirectory(directory))
  return {
    async send(mail) {
      const startedMs = stopwatchMs()
      // An e-mail that is sent again replaces its file.
      const name = `${mail.deliveryId}.eml`
      await write(name, Buffer.from(compose(mail)))
      const durationMs = Math.round(stopwatchMs() - startedMs)
      const nothing = { address: null, status: null, failure: null, firstByteMs: null }
      const detail = `Written to ${name}, not sent.`
      return { ...nothing, detail, durationMs, isFinal: true, written: true }
    },
    async removeFiles(deliveryIds) {
      const removals = deliveryIds.map(async (id) => {
        const removed = await unlessMissing(rm(join(directory, `${id}.eml`)).then(() => true))
        return removed ?? false
      })
      const removed = (await Promise.all(removals)).filter((isRemoved) => isRemoved).length
      if (removed > 0) await syncNames()
      return removed
    },
    close: () => undefined,
  }

  /** After this resolves, the e-mail is not sent again, so the file has to survive a power loss. */
  async function write(name: string, bytes: Buffer): Promise<void> {
    // Mail programs ignore the hidden file. The process id keeps instances with the same directory apart.
    const temporary = join(directory, `.${name}.${pid}`)
    await createTemporary(temporary, bytes)
    await rename(temporary, join(directory, name))
    await syncNames()
  }

  /** Usually the directory exists and no killed process has left a file behind. */
  async function createTemporary(path: string, bytes: Buffer): Promise<void> {
    try {
      await createFile(path, [bytes])
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'EEXIST') throw error
      await makePrivateDirectory(directory)
      await rm(path, { force: true })
      await createFile(path, [bytes])
    }
  }
}
