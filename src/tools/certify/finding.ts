import type { SendOutcome } from '../../domain/webhooks/delivery.ts'

/** `skipped` means that a case was not judged, which is never a success. */
export const results = ['passed', 'warning', 'failed', 'skipped'] as const
export type Result = (typeof results)[number]

export interface Finding {
  readonly result: Result
  /** A sentence for people. */
  readonly detail: string
}

export const passed = (detail: string): Finding => ({ result: 'passed', detail })
const warning = (detail: string): Finding => ({ result: 'warning', detail })
export const failed = (detail: string): Finding => ({ result: 'failed', detail })
export const notJudged = (detail: string): Finding => ({ result: 'skipped', detail })

/** Late answers have no known status. The case `answer_time` judges them. */
const noAnswer = notJudged('The receiver did not answer in time.')

/** Judges requests that must all be accepted. */
export function judgeAccepted(outcomes: readonly SendOutcome[], more = ''): Finding {
  if (outcomes.some(isTooLate)) return noAnswer
  const refused = outcomes.findIndex(({ failure }) => failure !== null)
  if (refused >= 0) {
    const which = outcomes.length === 1 ? '' : ` Request ${refused + 1} of ${outcomes.length}:`
    return failed(`Not accepted.${which} ${outcomes[refused]?.detail ?? ''}`)
  }
  const answers = outcomes.map(({ status, durationMs }) => `${status} in ${durationMs} ms`)
  return passed(`Accepted: ${answers.join(', ')}.${more}`)
}

export function judgeRefused(outcome: SendOutcome): Finding {
  const { status, failure, detail } = outcome
  if (failure === null) return failed(`Accepted with ${status}.`)
  if (isTooLate(outcome)) return noAnswer
  if (status === null) return warning(`Refused, but without an answer. ${detail}`)
  if (status >= 400 && status < 500) return passed(`Refused with ${status}.`)
  return warning(`Refused, but with ${status}. Status 400 or 401 would be clearer.`)
}

export function isTooLate({ failure }: SendOutcome): boolean {
  return failure === 'timeout'
}

/** spec: Delivery and retries, read timeout. */
const longestMs = 5000
const slowMs = 1000

/** Judges the answers to all requests. */
export function judgeAnswerTimes(outcomes: readonly SendOutcome[]): Finding {
  const late = outcomes.filter(isTooLate).length
  const all = outcomes.length
  if (late > 0) return failed(`${late} of ${all} requests got no answer within ${longestMs} ms.`)
  const slow = outcomes.filter(({ durationMs }) => durationMs > slowMs).length
  const slowest = Math.max(...outcomes.map(({ durationMs }) => durationMs))
  const which = all === 1 ? 'The answer' : `The slowest of ${all} answers`
  const said = `${which} came after ${slowest} ms.`
  if (slow === 0) return passed(said)
  return warning(`${slow} of ${all} answers took more than ${slowMs} ms. ${said}`)
}
