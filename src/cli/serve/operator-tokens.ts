import { randomBytes } from 'node:crypto'
import { invalid } from '../../config/invalid.ts'
import type { Config } from '../../config.ts'

const minimumLength = 32

export interface OperatorTokens {
  readonly token: string
  /** Good for `/metrics` alone: whoever scrapes is no operator. */
  readonly metricsToken: string | undefined
}

/** The operator's is random at each start, unless given: for operators who cannot read the control file. */
export function operatorTokensOf({ operatorToken, metricsToken }: Config): OperatorTokens {
  requireLong('COOPSHARE_OPERATOR_TOKEN', operatorToken)
  requireLong('COOPSHARE_METRICS_TOKEN', metricsToken)
  return { token: operatorToken ?? randomBytes(32).toString('base64url'), metricsToken }
}

function requireLong(variable: string, token: string | undefined): void {
  if (token === undefined || token.length >= minimumLength) return
  throw invalid(`${variable} has to have ${minimumLength} characters or more.`)
}
