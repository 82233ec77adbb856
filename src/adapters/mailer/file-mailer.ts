import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mailer } from '../../ports/mailer.ts'
import { createFile, makePrivateDirectory, shareDirectorySync } from '../../system/disk.ts'
import { createComposer } from './compose-mail.ts'

export interface FileMailerOptions {
  readonly directory: string
  readonly from: string
}

/** Each e-mail becomes an .eml file that an e-mail program opens. Nothing is sent from here. */
export function createFileMailer({ directory, from }: FileMailerOptions): Mailer {
  const compose = createComposer(from)
  const syncDirectory = shareDirectorySync(directory)
  return {
    async send(mail) {
      const startedMs = performance.now()
      // An e-mail that is sent again replaces its file.
      const name = `${mail.deliveryId}.eml`
      await write(name, Buffer.from(compose(mail)))
      const durationMs = Math.round(performance.now() - startedMs)
      const nothing = { address: null, status: null, failure: null, firstByteMs: null }
      const detail = `Written to ${name}, not sent.`
      return { ...nothing, detail, durationMs, isFinal: true, written: true }
    },
    close: () => undefined,
  }

  /** An e-mail is not sent again once this has resolved, so it has to outlast a power loss. */
  async function write(name: string, bytes: Buffer): Promise<void> {
    // Hidden from mail programs; other instances may be sending into the directory, too.
    const temporary = join(directory, `.${name}.${process.pid}`)
    await createTemporary(temporary, bytes)
    await rename(temporary, join(directory, name))
    await syncDirectory()
  }

  /** Nearly always the directory is there, and nothing is left of a process that was killed. */
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
