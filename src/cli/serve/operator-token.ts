import { randomBytes } from 'node:crypto'
import { invalid } from '../../config/invalid.ts'
import type { Config } from '../../config.ts'

const minimumLength = 32

/** Random at each start, unless given: for operators and scrapers of metrics who cannot read the control file. */
export function operatorTokenOf({ operatorToken }: Config): string {
  if (operatorToken === undefined) return randomBytes(32).toString('base64url')
  if (operatorToken.length >= minimumLength) return operatorToken
  throw invalid(`COOPSHARE_OPERATOR_TOKEN has to have ${minimumLength} characters or more.`)
}
