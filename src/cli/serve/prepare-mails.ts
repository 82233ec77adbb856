import { access, constants } from 'node:fs/promises'
import { invalid } from '../../config/invalid.ts'
import type { Config } from '../../config.ts'
import { makeDirectory } from '../../open-service/make-directory.ts'

/** Refuses a start that would leave investors without their mails unnoticed. */
export async function prepareMails(config: Config): Promise<void> {
  const { environment, smtpUrl, mailDirectory, investorMail } = config
  const isChosen = smtpUrl !== undefined || mailDirectory !== undefined || !investorMail
  if (environment === 'production' && !isChosen) throw invalid(choices)
  if (mailDirectory !== undefined) await requireWritable(mailDirectory)
}

const choices = `Production needs a choice for mails to investors. Give one of these flags, or set its variable:
  --smtp-url URL (COOPSHARE_SMTP_URL) sends them,
  --mail-directory DIR (COOPSHARE_MAIL_DIRECTORY) writes them to files,
  --no-investor-mail (COOPSHARE_NO_INVESTOR_MAIL) makes none.`

async function requireWritable(directory: string): Promise<void> {
  try {
    await makeDirectory(directory, { mode: 0o700 })
    await access(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw invalid(`--mail-directory cannot be written to: ${(error as Error).message}`)
  }
}
