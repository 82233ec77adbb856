import { domainToASCII } from 'node:url'
import addressparser from 'nodemailer/lib/addressparser'
import { foldLines } from 'nodemailer/lib/mime-funcs'
import MimeNode from 'nodemailer/lib/mime-node'
import { encode, wrap } from 'nodemailer/lib/qp'
import { escapeMarkup } from '../../domain/text.ts'
import { nowMs } from '../../machine/time.ts'
import type { InvestorMail, MailKind } from '../../ports/mailer.ts'
import { type MailValues, mailValuesOf, templateOf } from './mail-texts.ts'

/** Renders the e-mail as bytes for SMTP. */
export type ComposeMail = (mail: InvestorMail) => string

/** In quoted-printable, `=` comes before two digits or a line break, so no text can contain this boundary. */
const boundary = '=_coopshare'

/**
 * Encodes the common parts of all e-mails of a kind once; nodemailer encodes the other parts.
 * nodemailer's general composer takes several times as long.
 */
export function createComposer(from: string): ComposeMail {
  const head = header('From', from)
  const { name: sender, domain } = readSender(from)
  const bodies = new Map<MailKind, Body>()
  return (mail) => {
    const { deliveryId, to, status } = mail
    const body = bodies.get(status) ?? prepareBody(status)
    bodies.set(status, body)
    const { subject, parts } = body(mailValuesOf(mail, sender))
    return `${head}\r
${isPlainAddress.test(to) ? `To: ${to}` : header('To', to)}\r
${header('Subject', subject)}\r
Message-ID: <${deliveryId}@${domain}>\r
Date: ${new Date(nowMs()).toUTCString().replace('GMT', '+0000')}\r
Auto-Submitted: auto-generated\r
MIME-Version: 1.0\r
Content-Type: multipart/alternative; boundary="${boundary}"\r
\r
${parts}`
  }
}

/** An address of the usual form that fits into one line. nodemailer encodes all others. */
const isPlainAddress = /^(?=.{3,70}$)[\w+-]+(?:\.[\w+-]+)*@[\w-]+(?:\.[\w-]+)+$/

/** Replaces line breaks in the value with spaces. */
function header(name: string, value: string): string {
  return foldLines(`${name}: ${MimeNode.encodeHeaderValue(name, value)}`, 76)
}

/** The name under which the e-mails are signed, and the domain of their ids in ASCII (RFC 5322 3.6.4). */
function readSender(from: string) {
  const [{ name = '', address = '' } = {}] = addressparser(from, { flatten: true })
  const domain = domainToASCII(address.slice(address.lastIndexOf('@') + 1))
  return { name: name || null, domain: domain || 'localhost' }
}

type Body = (values: MailValues) => { readonly subject: string; readonly parts: string }

function prepareBody(status: MailKind): Body {
  const template = templateOf(status)
  const text = prepareText(template.text, (value) => value)
  const html = prepareText(template.html, escapeMarkup)
  return (values) => ({
    subject: template.subject.replace(slot, (_, name: keyof MailValues) => values[name] ?? ''),
    parts: `--${boundary}\r
Content-Type: text/plain; charset=utf-8\r
Content-Transfer-Encoding: quoted-printable\r
\r
${text(values)}\r
--${boundary}\r
Content-Type: text/html; charset=utf-8\r
Content-Transfer-Encoding: quoted-printable\r
\r
${html(values)}\r
--${boundary}--\r
`,
  })
}

/**
 * Encodes the lines without values in advance; quoted-printable encodes line by line. Leaves out lines whose value is
 * unknown.
 */
function prepareText(
  template: string,
  write: (value: string) => string,
): (values: MailValues) => string {
  const lines = template.split('\n').map((line) => prepareLine(line, write))
  return (values) => {
    const written = lines.map((line) => (typeof line === 'string' ? line : line(values)))
    return written.filter((line) => line !== null).join('\r\n')
  }
}

type Line = string | ((values: MailValues) => string | null)

function prepareLine(template: string, write: (value: string) => string): Line {
  const [before = '', name, after = ''] = template.split(slot)
  if (name === undefined) return encodeText(template)
  return (values) => {
    const value = values[name as keyof MailValues] ?? null
    return value === null ? null : encodeText(`${before}${write(value)}${after}`)
  }
}

const slot = /\{([\w.]+)\}/

/** Most lines need no encoding, and this test is much faster than encoding. */
const isPlainLine = /^[ -<>-~]{0,75}[!-<>-~]$/

function encodeText(text: string): string {
  if (isPlainLine.test(text)) return text
  return wrap(encode(text.replace(/\r\n?|\n/g, '\r\n')))
}
