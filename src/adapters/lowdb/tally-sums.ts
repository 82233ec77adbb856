import { moneyFromMinorUnits, toMinorUnits } from '../../domain/money.ts'
import { periodOf, type Tally } from '../store/collection.ts'
import type { TallyRange, TallySum } from '../store/lookup.ts'

interface Sum {
  count: number
  minorUnits: bigint
}

/** The sums of a tally, by part and period. */
export class TallySums<Stored> {
  readonly #tally: Tally<Stored>
  readonly #parts = new Map<string, Map<string, Sum>>()

  constructor(tally: Tally<Stored>) {
    this.#tally = tally
  }

  /** A record takes the place of another one, is new, or is removed. */
  change(before: Stored | undefined, after: Stored | undefined): void {
    this.#add(before, -1)
    this.#add(after, 1)
  }

  read({ parts, periods }: TallyRange): TallySum[] {
    return parts.flatMap((part) => {
      const sums = [...(this.#parts.get(part) ?? [])].filter(
        ([period]) => !periods || (period >= periods.from && period < periods.until),
      )
      if (periods) return sums.map(([period, sum]) => render(part, period, sum))
      const total = { count: 0, minorUnits: 0n }
      for (const [, { count, minorUnits }] of sums) {
        total.count += count
        total.minorUnits += minorUnits
      }
      return total.count > 0 ? [render(part, '', total)] : []
    })
  }

  #add(record: Stored | undefined, sign: 1 | -1): void {
    const counted = record && this.#tally.of(record)
    if (!counted) return
    const { part, at, amount } = counted
    const period = periodOf(this.#tally, at)
    const periods = this.#parts.get(part) ?? new Map<string, Sum>()
    this.#parts.set(part, periods)
    const sum = periods.get(period) ?? { count: 0, minorUnits: 0n }
    sum.count += sign
    if (amount !== undefined) sum.minorUnits += BigInt(sign) * toMinorUnits(amount)
    if (sum.count > 0) periods.set(period, sum)
    else periods.delete(period)
    if (periods.size === 0) this.#parts.delete(part)
  }
}

function render(part: string, period: string, { count, minorUnits }: Sum): TallySum {
  return { part, period, count, amount: moneyFromMinorUnits(minorUnits) }
}
