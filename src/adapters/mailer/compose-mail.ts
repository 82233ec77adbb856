import type { SendMailOptions } from 'nodemailer'
import type { InvestorMail } from '../../ports/mailer.ts'
import { renderMailTexts } from './mail-texts.ts'

export function composeMail(mail: InvestorMail, from: string): SendMailOptions {
  const { deliveryId, to } = mail
  return {
    from,
    to,
    ...renderMailTexts(mail),
    messageId: `<${deliveryId}@${domainOf(from)}>`,
    // RFC 3834: keeps holiday notices and the like from answering.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Of `Name <user@domain>` or `user@domain`. */
function domainOf(from: string): string {
  return /@([^>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
}
