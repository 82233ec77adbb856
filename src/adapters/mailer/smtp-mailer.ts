import { createTransport } from 'nodemailer'
import { hostnameOf, serverNameOf } from '../../machine/host-names.ts'
import type { Mailer, MailOutcome } from '../../ports/mailer.ts'
import { timeout } from '../outgoing/outgoing-error.ts'
import { createComposer } from './compose-mail.ts'
import { explainOwnFault, refusalOf, type SmtpError } from './smtp-error.ts'

export interface SmtpMailerOptions {
  /** An smtp: or smtps: address, with user and password if the server requires them. */
  readonly url: string
  readonly from: string
}

const timeouts = {
  connectionTimeout: 5000,
  greetingTimeout: 5000,
  socketTimeout: 10_000,
  dnsTimeout: 5000,
}

/** The limit for a whole e-mail: a server that answers slowly, byte by byte, would never exceed other limits. */
const patienceMs = 30_000

/** Sends e-mails through the operator's mail server. */
export function createSmtpMailer({ url, from }: SmtpMailerOptions): Omit<Mailer, 'removeFiles'> {
  const compose = createComposer(from)
  const servername = serverNameOf(hostnameOf(new URL(url)))
  const transport = createTransport({
    url,
    servername,
    pool: true,
    maxRequeues: 1,
    ...timeouts,
  })
  return {
    send: async (mail, signal) => {
      const startedMs = performance.now()
      const outcome = await withDeadline(signal, (signal) =>
        transport.sendMail({ envelope: { from, to: mail.to }, raw: compose(mail), signal }),
      ).then(({ response }) => describeReply(response), describeError)
      return { ...outcome, durationMs: Math.round(performance.now() - startedMs) }
    },
    close: () => transport.close({ force: true }),
  }
}

/**
 * Aborts the work if `outer` is aborted, or when the patience is used up. `AbortSignal.any` is not used, because Node 20
 * keeps an entry for each call in a signal that lives longer.
 */
async function withDeadline<Result>(
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const follow = () => controller.abort(outer?.reason)
  if (outer?.aborted) follow()
  outer?.addEventListener('abort', follow, { once: true })
  const late = setTimeout(() => controller.abort(timeout()), patienceMs)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(late)
    outer?.removeEventListener('abort', follow)
  }
}

type Outcome = Omit<MailOutcome, 'durationMs'>

const nothingMeasured = { address: null, firstByteMs: null }

function describeReply(reply: string): Outcome {
  const status = Number.parseInt(reply, 10) || null
  return { ...nothingMeasured, status, failure: null, detail: null, isFinal: true }
}

/** A refusal of this e-mail is an outcome. If the server is down or accepts nothing from us, the fault is ours. */
function describeError(error: SmtpError): Outcome {
  const refusal = refusalOf(error)
  // The text of the server is left out, because it may contain the address or our credentials.
  if (refusal === undefined) throw new Error(explainOwnFault(error))
  const { status, codes, isPermanent: isFinal } = refusal
  const detail =
    status === null ? 'The address is not valid.' : `The mail server answered ${codes}.`
  return { ...nothingMeasured, status, failure: 'mail_refused', detail, isFinal }
}
