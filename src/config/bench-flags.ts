import { Flags, type Interfaces } from '@oclif/core'
import type { ContractPreview } from '../domain/bench/contract-preview.ts'
import { parseTimestamp, type Timestamp, timestampError } from '../domain/timestamp.ts'
import { benchGroup, invalid, withVariables } from './common-flags.ts'

const clockStates = ['stopped', 'running'] as const
const times = ['wall', 'virtual'] as const

/** The flags for partners who test against the service; in staging only. */
export const benchFlags = withVariables({
  bench: Flags.boolean({
    description: 'Control time and faults (staging only).',
  }),
  now: Flags.string({
    helpGroup: benchGroup,
    helpValue: 'INSTANT',
    parse: async (text) => {
      const instant = parseTimestamp(text)
      if (instant !== undefined) return instant
      throw invalid(`"${text}" in --now ${timestampError(text)}.`)
    },
    description: 'Time at which the clock starts. Default: now.',
  }),
  clock: Flags.option({
    helpGroup: benchGroup,
    options: clockStates,
    default: 'stopped',
    description: 'Whether the clock runs between commands.',
  })(),
  seed: Flags.integer({
    helpGroup: benchGroup,
    helpValue: 'N',
    min: 0,
    description: 'Seed that makes ids and secrets the same in every run.',
  }),
  'webhook-time': Flags.option({
    helpGroup: benchGroup,
    options: times,
    default: 'wall',
    description: 'Clock for the time in webhook signatures.',
  })(),
  'token-time': Flags.option({
    helpGroup: benchGroup,
    options: times,
    default: 'wall',
    description: 'Clock for iat and exp in tokens.',
  })(),
  'contract-preview': Flags.string({
    helpGroup: benchGroup,
    helpValue: 'additive|removed:FIELD',
    parse: async (text) => {
      if (text === 'additive' || /^removed:\w+$/.test(text)) return text
      throw invalid(
        `--contract-preview must be "additive", or "removed:" and the name of a property such as removed:hero_image_url, not "${text}".`,
      )
    },
    description: 'Change answers as a later contract version might.',
  }),
  'exit-with-parent': Flags.boolean({
    helpGroup: benchGroup,
    description: 'Stop when the process that started the service ends.',
  }),
})

type BenchFlags = Interfaces.InferredFlags<typeof benchFlags>

export interface BenchConfig {
  readonly now: Timestamp | undefined
  readonly isRunning: boolean
  readonly seed: number | undefined
  readonly movesWebhooks: boolean
  readonly movesTokens: boolean
  readonly contractPreview: ContractPreview | undefined
}

/** Returns undefined without --bench. The other flags of the bench need --bench. */
export function benchConfigOf(flags: BenchFlags): BenchConfig | undefined {
  const { now, seed, clock, 'contract-preview': preview } = flags
  const { 'webhook-time': webhookTime, 'token-time': tokenTime } = flags
  const isSet = {
    '--now': now !== undefined,
    '--seed': seed !== undefined,
    '--clock running': clock === 'running',
    '--webhook-time virtual': webhookTime === 'virtual',
    '--token-time virtual': tokenTime === 'virtual',
    '--contract-preview': preview !== undefined,
  }
  const [lonely] = Object.entries(isSet).find(([, given]) => given) ?? []
  if (!flags.bench) {
    if (lonely === undefined) return undefined
    throw invalid(`${lonely} needs --bench.`)
  }
  return {
    now: now === undefined ? undefined : parseTimestamp(now),
    isRunning: clock === 'running',
    seed,
    movesWebhooks: webhookTime === 'virtual',
    movesTokens: tokenTime === 'virtual',
    contractPreview: preview === undefined ? undefined : previewOf(preview),
  }
}

function previewOf(text: string): ContractPreview {
  return text === 'additive' ? text : { removed: text.slice('removed:'.length) }
}
