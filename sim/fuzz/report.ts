// The results of a run, as text.
import type { FuzzResult } from './result.ts'

interface Total {
  tried: number
  cpuMs: number
  readonly outcomes: Map<string, number>
}

/** How far requests got, from the first check to the last. */
const depths = [
  'unknown path or method',
  'refused without a valid token',
  'refused because of its format',
  'refused by a rule, or nothing found',
  'done',
] as const
type Depth = (typeof depths)[number]

export class Report {
  found = 0
  readonly #totals = new Map<string, Total>()
  readonly #reached = new Set<string>()

  add(name: string, ofSeed: number | undefined, result: FuzzResult): void {
    const total = this.#totals.get(name) ?? {
      tried: 0,
      cpuMs: 0,
      outcomes: new Map<string, number>(),
    }
    this.#totals.set(name, total)
    total.tried += result.tried
    total.cpuMs += result.cpuMs ?? 0
    for (const [outcome, count] of Object.entries(result.outcomes)) {
      total.outcomes.set(outcome, (total.outcomes.get(outcome) ?? 0) + count)
    }
    for (const route of result.reached ?? []) this.#reached.add(route)
    for (const { fault, input } of result.findings) {
      this.found += 1
      const seed = ofSeed === undefined ? '' : `, seed ${ofSeed}`
      console.log(`FOUND in ${name}${seed}: ${fault}\n  ${JSON.stringify(input)}`)
    }
  }

  tried(name: string): number {
    return this.#totals.get(name)?.tried ?? 0
  }

  render(seconds: number): string {
    const others = [...this.#totals].filter(([name]) => name !== 'requests')
    const lines = others.map(([name, { tried, outcomes }]) => {
      const list = descending(outcomes).map(([outcome, count]) => `${outcome} ${number(count)}`)
      return `${name.padEnd(18)}${number(tried).padStart(12)}  ${list.join(', ')}`
    })
    const requests = this.#totals.get('requests')
    return [...lines, ...(requests ? this.#renderRequests(requests, seconds) : [])].join('\n')
  }

  #renderRequests({ tried, cpuMs, outcomes }: Total, seconds: number): string[] {
    const rate = number(Math.round(tried / seconds))
    const rateOfCore = number(Math.round(tried / (cpuMs / 1000)))
    return [
      `${'requests'.padEnd(18)}${number(tried).padStart(12)}  ${rate} a second, ${rateOfCore} for each second of a core`,
      '',
      ...renderCounts('by status class', sumBy(outcomes, classOf), tried),
      '',
      ...renderCounts('by how far they got', sumBy(outcomes, depthOf), tried),
      `${number(this.#reached.size)} routes answered at least once with success`,
      '',
      ...renderCounts('by listener, status and code', outcomes, tried),
    ]
  }
}

function renderCounts(title: string, counts: ReadonlyMap<string, number>, whole: number): string[] {
  const rows = descending(counts).map(([name, count]) => {
    const share = `${((100 * count) / whole).toFixed(1)} %`
    return `  ${name.padEnd(60)}${number(count).padStart(12)}${share.padStart(9)}`
  })
  return [title, ...rows]
}

function sumBy(
  outcomes: ReadonlyMap<string, number>,
  nameOf: (outcome: string) => string,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const [outcome, count] of outcomes) {
    const name = nameOf(outcome)
    sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return sums
}

function classOf(outcome: string): string {
  const [, status = ''] = outcome.split(' ')
  return status === '503' ? '503' : `${status[0]}xx`
}

const ofPath = new Set(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'ENVIRONMENT_MISMATCH'])
const ofForm = new Set(['VALIDATION_ERROR', 'MALFORMED_REQUEST_BODY', 'invalid_request'])

function depthOf(outcome: string): Depth {
  const [, text = '', code = ''] = outcome.split(' ')
  const status = Number(text)
  if (status < 400) return depths[4]
  if (ofPath.has(code) || status === 405) return depths[0]
  if (status === 401 || status === 429) return depths[1]
  const isForm = ofForm.has(code) || [400, 413, 415].includes(status)
  return isForm ? depths[2] : depths[3]
}

function descending(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...counts].sort(([, left], [, right]) => right - left)
}

function number(value: number): string {
  return value.toLocaleString('en-GB')
}
