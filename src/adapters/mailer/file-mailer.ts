import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Mailer } from '../../ports/mailer.ts'
import { makeDirectory } from '../make-directory.ts'
import { composeMail } from './compose-mail.ts'

export interface FileMailerOptions {
  readonly directory: string
  readonly from: string
}

/** Where there is no mail server: each mail becomes an .eml file that a mail program opens. */
export function createFileMailer({ directory, from }: FileMailerOptions): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      const startedMs = performance.now()
      const { message } = await transport.sendMail(composeMail(mail, from))
      // A mail that is sent again replaces itself.
      await writePrivately(`${mail.deliveryId}.eml`, message as Buffer)
      const durationMs = Math.round(performance.now() - startedMs)
      const nothing = { address: null, status: null, detail: null, firstByteMs: null }
      return { ...nothing, failure: null, durationMs, isFinal: true }
    },
    close: () => transport.close(),
  }

  async function writePrivately(name: string, bytes: Buffer): Promise<void> {
    await makeDirectory(directory, { mode: 0o700 })
    const temporary = join(directory, `.${name}`)
    await writeFile(temporary, bytes, { mode: 0o600 })
    await rename(temporary, join(directory, name))
  }
}
