import type { SignatureFault } from './signature-fault.ts'

export interface Ageing {
  readonly toleranceSeconds: number
  /** The moment of the verification, in seconds since 1970. */
  readonly atSeconds: number
}

/** spec: Signature. `t` has to be within the tolerance; one that is no number of seconds has a fault already. */
export function timeFaults(t: string | undefined, ageing: Ageing): SignatureFault[] {
  const { toleranceSeconds, atSeconds } = ageing
  if (t === undefined || !/^\d{1,11}$/.test(t)) return []
  const age = atSeconds - Number(t)
  if (Math.abs(age) <= toleranceSeconds) return []
  const allowed = `the tolerance is ${toleranceSeconds} s`
  return age > 0
    ? [{ code: 'stale', detail: `t is ${age} s old; ${allowed}. ${staleHint}` }]
    : [{ code: 'future', detail: `t is ${-age} s in the future; ${allowed}. Is a clock wrong?` }]
}

const staleHint =
  'Was the event kept before it was verified, or is a clock wrong? --at verifies as of another moment.'
