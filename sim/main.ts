// `npm run sim -- --seeds N [--seed S] [--twice] [--planted [NAME…]]` tries the whole service in
// simulated worlds, on all cores at the same time.
import { randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildWorker } from './build.ts'
import { type Campaign, renderTotals, runCampaign } from './campaign.ts'
import { findPlanted } from './planted.ts'
import { shrink } from './shrink.ts'
import type { Done } from './worker.ts'

const seedsPerLine = 100

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '100' },
    seed: { type: 'string' },
    twice: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
  },
})

const firstSeed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
const count = Number(values.seeds)
if (!Number.isSafeInteger(firstSeed) || !Number.isSafeInteger(count) || count < 1) {
  console.error('Give numbers: npm run sim -- --seeds 1000 --seed 1')
  process.exit(2)
}

if (values.planted) {
  process.exitCode = await findPlanted({ names: positionals, firstSeed, most: count })
} else {
  const worker = await buildWorker(process.cwd())
  const campaign = await runCampaign({
    ...{ worker, firstSeed, count, isTwice: values.twice },
    onDone: showProgress,
  })
  console.log(renderTotals(campaign))
  process.exitCode = await explain(worker, campaign)
  rmSync(worker)
}

/** Shows the progress, because a campaign may take hours. */
function showProgress({ seed, violations }: Done, done: number): void {
  if (violations.length > 0) console.error(`seed ${seed}: ${violations[0]}`)
  if (done % seedsPerLine === 0) console.error(`${done} of ${count} seeds`)
}

/** Prints the story of the first failing seed and returns the exit code. */
async function explain(worker: string, { failed, differing }: Campaign): Promise<number> {
  for (const seed of differing) {
    console.log(`Two runs of the seed ${seed} had different histories.`)
  }
  const [first] = failed
  if (first) console.log(await shrink(worker, first.seed))
  return failed.length + differing.length > 0 ? 1 : 0
}
