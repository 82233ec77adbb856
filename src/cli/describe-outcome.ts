interface Outcome {
  readonly status: number | null
  readonly detail: string | null
  readonly address: string | null
  readonly first_byte_ms: number | null
  readonly duration_ms: number
}

/** What came of sending something once, in one line. */
export function describeOutcome(outcome: Outcome): string {
  const { detail, address, duration_ms } = outcome
  const where = address === null ? '' : ` from ${address}`
  return `${detail ?? `${outcome.status}${where}`} (${duration_ms} ms)`
}
