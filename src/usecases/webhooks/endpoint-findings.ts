import type { Timestamp } from '../../domain/timestamp.ts'
import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import type { CertificateInspection } from '../../ports/webhook-sender.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

/** Sooner than that, whoever has to renew a certificate may be away. */
const soonDays = 14
const dayMs = 24 * 60 * 60 * 1000

/** Connection and answer may each take that long: together they may take longer, and it is still delivered. */
const slowMs = 5000

export function judgeCertificate(
  { issuer, validTo, fault }: CertificateInspection,
  now: Timestamp,
): Finding {
  const until = validTo === null ? '' : `, good until ${validTo.slice(0, 10)}`
  const described = `Issued by ${issuer ?? 'nobody who is named'}${until}.`
  if (fault !== null) {
    return failed(`${capitalized(fault)}.${validTo === null ? '' : ` ${described}`}`)
  }
  const days = validTo === null ? 0 : (Date.parse(validTo) - Date.parse(now)) / dayMs
  return days < soonDays ? warning(`${described} It ends soon: renew it.`) : ok(described)
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function judgeTestEvent({ status, failure, detail, durationMs }: SendOutcome): Finding {
  if (failure !== null) return failed(`A signed event was not taken. ${detail ?? failure}`)
  if (durationMs <= slowMs) return ok(`A signed event was taken: ${status} in ${durationMs} ms.`)
  return warning(
    `A signed event was taken, but after ${durationMs} ms: answer first, and process afterwards.`,
  )
}

/** Only a receiver that answers can be judged: of one that does not, nothing is known. */
export function judgeWrongSignature({ status, failure, detail }: SendOutcome): Finding {
  if (failure === null) {
    return failed(
      `An event with a wrong signature was taken (${status}): either the receiver does not verify, and takes events from anybody, or it takes types that it does not know before it verifies. It should verify first.`,
    )
  }
  if (status === null) {
    return warning(`An event with a wrong signature got no answer. ${detail ?? failure}`)
  }
  if (status >= 400 && status < 500) return ok(`A wrong signature is refused with ${status}.`)
  return warning(`A wrong signature is answered with ${status}; 400 or 401 says what is meant.`)
}
