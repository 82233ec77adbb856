export interface VerifiedOperation {
  readonly operation: string
  /** Null when it was not asked, or not answered. */
  readonly status: number | null
  readonly holds: boolean
  readonly difference: string | null
  /** Of the token: why it was not asked. */
  readonly missing_scopes: readonly string[]
}

export function outcome(
  operation: string,
  status: number | null,
  difference: string | undefined,
): VerifiedOperation {
  return {
    operation,
    status,
    holds: difference === undefined,
    difference: difference ?? null,
    missing_scopes: [],
  }
}

export function lacking(operation: string, missing: readonly string[]): VerifiedOperation {
  return { ...outcome(operation, null, undefined), missing_scopes: missing }
}

/** What a deployment has nothing for, such as pictures, or what its client may not see. */
export function isPassedOver({ status, holds }: VerifiedOperation): boolean {
  return status === null && holds
}
