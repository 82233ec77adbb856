import { randomInt } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { buildWorker } from '../../sim/build.ts'
import { type CampaignOptions, renderTotals, runCampaign } from '../../sim/campaign.ts'
import { shrink } from '../../sim/shrink.ts'

const root = join(import.meta.dirname, '..', '..')
const failedSeeds: readonly { readonly seed: number }[] = JSON.parse(
  readFileSync(join(root, 'sim/seeds.json'), 'utf8'),
)

/** Enough to notice a large fault in a few seconds. `npm run sim` tries as many as you like. */
const fresh = 6

async function requireSound(
  t: Test,
  worker: string,
  options: Omit<CampaignOptions, 'worker'>,
): Promise<void> {
  const campaign = await runCampaign({ ...options, worker, isTwice: true })
  t.comment(renderTotals(campaign))
  const [first] = campaign.failed
  if (first) t.comment(await shrink(worker, first.seed))
  t.equal(campaign.done.length, options.count)
  t.ok(campaign.done.every(({ counts }) => counts.acknowledged > 0))
  t.strictSame(
    campaign.failed.map(({ seed, violations }) => ({ seed, violations })),
    [],
  )
  t.strictSame(campaign.differing, [])
}

t.test('the service in simulated worlds', { timeout: 600_000 }, async (t) => {
  const worker = await buildWorker(root)
  t.teardown(() => rmSync(worker))

  await t.test('seeds that failed once fail no more', async (t) => {
    const seeds = failedSeeds.map(({ seed }) => seed)
    const [firstSeed = 0] = seeds
    await requireSound(t, worker, { firstSeed, seeds, count: seeds.length })
  })

  await t.test('no fresh seed loses anything, and each is one history', async (t) => {
    const firstSeed = randomInt(2 ** 31 - fresh)
    await requireSound(t, worker, { firstSeed, count: fresh })
  })
})
