import { Flags } from '@oclif/core'
import type { renderCoverage } from '../http/bench/render-journal.ts'
import type { renderExchange, renderFault } from '../wire/bench.ts'

export interface ClockState {
  readonly now: string
}

export interface MaintenanceState {
  readonly on: boolean
}

export interface ExpiredTokens {
  readonly clients: number
}

export type FaultRow = ReturnType<typeof renderFault>
export type ExchangeRow = ReturnType<typeof renderExchange>
export type CoverageReport = ReturnType<typeof renderCoverage>

export const clockTimeoutFlag = Flags.string({
  helpValue: 'TIME',
  description: 'How long to wait for what is due. Default: 30s.',
})
