// `npm run sim -- --seeds N [--seed S] [--twice] [--planted [NAME…]]` tries the whole service in
// simulated worlds, on all cores at the same time.
import { randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readArguments, wholeNumber } from '../scripts/arguments.ts'
import { buildWorker } from './build.ts'
import { type Campaign, renderTotals, runCampaign } from './campaign.ts'
import { findPlanted } from './planted.ts'
import { shrink } from './shrink.ts'
import type { Done } from './worker.ts'

const seedsPerLine = 100

const { firstSeed, count, isTwice, isPlanted, names } = readArguments(() => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seeds: { type: 'string', default: '100' },
      seed: { type: 'string' },
      twice: { type: 'boolean', default: false },
      planted: { type: 'boolean', default: false },
    },
  })
  return {
    firstSeed: values.seed === undefined ? randomInt(2 ** 31) : wholeNumber('--seed', values.seed),
    count: wholeNumber('--seeds', values.seeds),
    isTwice: values.twice,
    isPlanted: values.planted,
    names: positionals,
  }
})

if (isPlanted) {
  process.exitCode = await findPlanted({ names, firstSeed, most: count })
} else {
  const worker = await buildWorker(process.cwd())
  const campaign = await runCampaign({
    worker,
    firstSeed,
    count,
    isTwice,
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
