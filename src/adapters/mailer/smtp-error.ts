// What a mail server's refusal is about, and why an e-mail could not be handed over.
import { certificateFault } from '../outgoing/certificate-fault.ts'

/** An error of nodemailer. */
export interface SmtpError extends Error {
  readonly code?: string
  /** The code of the system or of TLS, if nodemailer has replaced it with its own. */
  readonly originalCode?: string
  readonly command?: string
  /** All lines of the reply. They may contain the address or our credentials. */
  readonly response?: string
  readonly responseCode?: number
}

export interface Refusal {
  /** null if no server was asked, because the address is not valid. */
  readonly status: number | null
  /** The codes of the reply, such as `550 5.1.1`. */
  readonly codes: string
  readonly isPermanent: boolean
}

/** An enhanced status code (RFC 3463). Some servers write `#` in front of it. */
interface EnhancedCode {
  readonly text: string
  readonly isPermanent: boolean
  readonly subject: number
  readonly detail: number
}

const [addressing, mailbox, content] = [1, 2, 6]
const aboutTheServerOrUs = [3, 4, 5, 7]
/** Details of X.1 about the address of the sender, which is ours. */
const aboutTheSender = [7, 8]

/**
 * The reply codes without an enhanced code that are about the recipient or this e-mail (RFC 5321 4.2.3, RFC 7504). At
 * RCPT, 501 means that the address is malformed, servers that greylist answer 451, and 554 means that they do not relay
 * for us.
 */
const codesAboutTheMail: Readonly<Record<string, readonly number[]>> = {
  'RCPT TO': [450, 451, 501, 550, 551, 552, 553, 556],
  DATA: [450, 550, 551, 552, 553, 554, 556],
}

/** Returns undefined if the fault is the server's or ours, so that it says nothing about this e-mail. */
export function refusalOf(error: SmtpError): Refusal | undefined {
  const { code, command = '', responseCode: status } = error
  // Before these, the server has not heard of this e-mail.
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return undefined
  if (status === undefined) {
    return command === 'API' ? { status: null, codes: '', isPermanent: true } : undefined
  }
  const enhanced = enhancedCodeOf(error)
  if (!isAboutTheMail(command, status, enhanced)) return undefined
  const isPermanent = status >= 500 && enhanced?.isPermanent !== false
  return { status, codes: codesOf(error), isPermanent }
}

/** The server ends the connection, whatever the command was (RFC 5321 4.2.2, 3.8). */
const closing = 421

function isAboutTheMail(command: string, status: number, enhanced?: EnhancedCode): boolean {
  if (status === closing) return false
  const { subject, detail = 0 } = enhanced ?? {}
  const isAboutTheRecipient =
    (subject === addressing && !aboutTheSender.includes(detail)) || subject === mailbox
  // The address in MAIL FROM is ours.
  if (isAboutTheRecipient) return command !== 'MAIL FROM'
  if (subject === content) return true
  if (subject === addressing || aboutTheServerOrUs.includes(subject ?? 0)) return false
  return codesAboutTheMail[command]?.includes(status) ?? false
}

const enhancedCode = /^\d{3}[ -]+#?(([45])\.(\d{1,3})\.(\d{1,3}))(?![\d.])/m

function enhancedCodeOf({ response = '' }: SmtpError): EnhancedCode | undefined {
  const [, text, kind, subject, detail] = enhancedCode.exec(response) ?? []
  if (text === undefined) return undefined
  return { text, isPermanent: kind === '5', subject: Number(subject), detail: Number(detail) }
}

function codesOf(error: SmtpError): string {
  const parts = [error.responseCode, enhancedCodeOf(error)?.text]
  return parts.filter((part) => part !== undefined).join(' ')
}

/** Says why the server got no e-mail, without its text. */
export function explainOwnFault(error: SmtpError): string {
  const { name, code, originalCode, command } = error
  const parts = [code ?? name, originalCode, command, codesOf(error)]
  const what = parts.filter((part) => part !== undefined && part !== '').join(', ')
  return `${sentenceOf(error)} (${what})`
}

const sentences: Readonly<Record<string, string>> = {
  EABORT: 'The mail server did not answer in time.',
  EAUTH: 'The mail server did not accept the user name and password of --smtp-url.',
  EDNS: 'The host name in --smtp-url cannot be resolved.',
  EENVELOPE:
    'The mail server accepts no e-mail from this service, or has a fault. Check --mail-from, the password in --smtp-url, and whether the server relays for this machine.',
  EMESSAGE: 'The mail server refused an e-mail because of its rules or an internal fault.',
  EPROTOCOL: 'The mail server refused the connection, or does not speak SMTP.',
  ETIMEDOUT: 'The mail server did not answer in time.',
  ETLS: 'The mail server announced STARTTLS, but the connection could not be encrypted.',
}

function sentenceOf({ code, originalCode }: SmtpError): string {
  const fault = certificateFault(originalCode ?? code ?? '', 'the mail server')
  if (fault !== undefined) {
    return `The certificate of the mail server ${fault}. Give its authority to the service in NODE_EXTRA_CA_CERTS, or correct --smtp-url.`
  }
  if (/^(ERR_SSL_|EPROTO$)/.test(originalCode ?? '')) {
    return 'The mail server does not begin the connection with TLS. If it offers STARTTLS, write smtp: in --smtp-url.'
  }
  return sentences[code ?? ''] ?? 'The connection to the mail server failed.'
}
