import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Mailer } from '../../ports/mailer.ts'
import { makePrivateDirectory, writeFileDurably } from '../disk.ts'
import { composeMail } from './compose-mail.ts'

export interface FileMailerOptions {
  readonly directory: string
  readonly from: string
}

/** Each mail becomes an .eml file that a mail program opens. Nobody sends it from here. */
export function createFileMailer({ directory, from }: FileMailerOptions): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      const startedMs = performance.now()
      const { message } = await transport.sendMail(composeMail(mail, from))
      // A mail that is sent again replaces itself.
      const name = `${mail.deliveryId}.eml`
      await write(name, message as Buffer)
      const durationMs = Math.round(performance.now() - startedMs)
      const nothing = { address: null, status: null, failure: null, firstByteMs: null }
      const detail = `Written to ${name}, not sent.`
      return { ...nothing, detail, durationMs, isFinal: true, written: true }
    },
    close: () => transport.close(),
  }

  /** Nobody sends it again once this has resolved, so it has to outlast a power loss. */
  async function write(name: string, bytes: Buffer): Promise<void> {
    await makePrivateDirectory(directory)
    // Hidden from mail programs; other instances may be sending into the directory, too.
    const temporary = join(directory, `.${name}.${process.pid}`)
    await writeFileDurably(join(directory, name), bytes, temporary)
  }
}
