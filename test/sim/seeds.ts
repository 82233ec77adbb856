import { randomInt } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { buildWorker } from '../../sim/build.ts'
import {
  type Campaign,
  type CampaignOptions,
  renderTotals,
  runCampaign,
} from '../../sim/campaign.ts'
import { shrink } from '../../sim/shrink.ts'

const root = join(import.meta.dirname, '..', '..')
const failedSeeds: readonly { readonly seed: number }[] = JSON.parse(
  readFileSync(join(root, 'sim/seeds.json'), 'utf8'),
)

const twice = 4
const freshMs = 120_000
/** No machine can run this number of seeds in that time. */
const most = 100_000

async function requireSound(t: Test, options: CampaignOptions): Promise<Campaign> {
  const campaign = await runCampaign(options)
  t.comment(renderTotals(campaign))
  const [first] = campaign.failed
  if (first) t.comment(await shrink(options.worker, first.seed))
  t.ok(campaign.done.every(({ counts }) => counts.acknowledged > 0))
  t.strictSame(
    campaign.failed.map(({ seed, violations }) => ({ seed, violations })),
    [],
  )
  t.strictSame(campaign.differing, [])
  return campaign
}

t.test('the service in simulated worlds', { timeout: 900_000 }, async (t) => {
  const worker = await buildWorker(root)
  t.teardown(() => rmSync(worker))
  const fresh = randomInt(2 ** 31 - most)

  await t.test('seeds that once failed do not fail any more', async (t) => {
    const seeds = failedSeeds.map(({ seed }) => seed)
    const [firstSeed = 0] = seeds
    const campaign = await requireSound(t, { worker, firstSeed, seeds, count: seeds.length })
    t.equal(campaign.done.length, seeds.length)
  })

  await t.test('a seed always produces the same history', async (t) => {
    await requireSound(t, { worker, firstSeed: fresh, count: twice, isTwice: true })
  })

  // The other tests need the other cores.
  await t.test('two minutes of fresh seeds lose nothing', async (t) => {
    const limits = { count: most, longestMs: freshMs, processes: 1 }
    const campaign = await requireSound(t, { worker, firstSeed: fresh + twice, ...limits })
    t.ok(campaign.done.length > 1)
  })
})
