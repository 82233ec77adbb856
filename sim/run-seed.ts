import { Bank } from './bank.ts'
import { Dice } from './dice.ts'
import { tryFlippedBits } from './flipped-bits.ts'
import { Ledger } from './ledger.ts'
import { judgeMoney } from './money-oracles.ts'
import { Operators } from './operators.ts'
import { judgeWorld } from './oracles.ts'
import { Partners } from './partner.ts'
import { Treasurers } from './treasurers.ts'
import { Trouble } from './trouble.ts'
import { type Counts, type Hazard, hazards, Violation, World } from './world.ts'

const dayMs = 86_400_000
/**
 * The calm at the end is longer than all attempts of a delivery, a pause, and a retry of a backup
 * together.
 */
const calmMs = 3 * 3_600_000

export interface Trial {
  readonly seed: number
  readonly hazards?: readonly Hazard[]
  /** Actions that are left out, to find the actions that matter. */
  readonly skipped?: ReadonlySet<number>
}

export interface Run {
  readonly seed: number
  readonly digest: string
  readonly violations: readonly string[]
  readonly story: readonly string[]
  readonly counts: Counts
  readonly actions: number
}

/** Runs one history: a day in which anything may fail, and then a few hours without faults. */
export async function runSeed({ seed, hazards: dangers = hazards, skipped }: Trial): Promise<Run> {
  const world = new World(seed, new Set(dangers))
  const plan = new Dice(seed, 5)
  const actions = plan.between(60, 140)
  try {
    await live(world, { seed, actions, plan, skipped })
  } catch (error) {
    if (!(error instanceof Violation))
      world.violate(`the simulation fails: ${(error as Error).stack}`)
  }
  if (world.service) world.service.process.isDead = true
  const { counts, loop, story, violations } = world
  Object.assign(counts, {
    deliveries: world.receivers.sent,
    steps: loop.steps,
    days: loop.nowMs / dayMs,
  })
  return { seed, digest: loop.digest(), violations, story, counts, actions }
}

interface Plan {
  readonly seed: number
  readonly actions: number
  readonly plan: Dice
  readonly skipped: ReadonlySet<number> | undefined
}

async function live(world: World, { seed, actions, plan, skipped }: Plan): Promise<void> {
  const ledger = new Ledger()
  const partners = new Partners(world, ledger)
  const bank = new Bank(world, ledger)
  const operators = new Operators(world, ledger, { partners, bank })
  const treasurers = new Treasurers(world, ledger, { operators, bank })
  await world.drive(world.start())
  await world.drive(operators.setUp(plan))
  const hasBank = world.hazards.has('payments') && plan.chance(0.5)
  if (hasBank) await world.drive(treasurers.setUp(plan))
  for (const organization of ledger.organizations) {
    await world.drive(partners.provision(organization, plan))
  }
  if (hasBank) await world.drive(treasurers.prepare(partners, plan))
  world.isCalm = false
  const trouble = new Trouble(world, ledger, { partners, operators })
  const begun: Promise<void>[] = []
  // Half of the actions begin within 100 ms of the previous one, because races find the most
  // faults.
  let atMs = 0
  for (let number = 0; number < actions; number += 1) {
    if (plan.chance(0.06)) atMs = plan.below(dayMs)
    else atMs = Math.min(dayMs, atMs + (plan.chance(0.5) ? plan.below(100) : plan.below(60_000)))
    const dice = new Dice(seed, 100 + number)
    if (skipped?.has(number)) continue
    const act = () => actOnce(world, { partners, operators, treasurers, trouble, hasBank }, dice)
    begun.push(
      world.loop
        .reply(atMs, undefined, act)
        .then((acted) => acted)
        .catch((error: Error) => {
          if (!(error instanceof Violation)) world.violate(`the simulation fails: ${error.stack}`)
        }),
    )
  }
  await world.loop.runUntil(world.loop.nowMs + dayMs, () => world.violations.length > 0)
  if (world.violations.length > 0) return
  await world.drive(Promise.all(begun))
  await calmDown(world, { ledger, partners, operators, treasurers, bank, hasBank })
}

interface Actors {
  readonly ledger: Ledger
  readonly partners: Partners
  readonly operators: Operators
  readonly treasurers: Treasurers
  readonly bank: Bank
  readonly hasBank: boolean
}

/** Ends all faults. The service must then finish all work that is due. */
async function calmDown(world: World, actors: Actors): Promise<void> {
  const { ledger, partners, operators, treasurers, bank, hasBank } = actors
  world.isCalm = true
  world.receivers.areWell = true
  world.computer.heal()
  world.tell('nothing fails any more')
  // A service that still works must finish the work that is due without a restart.
  const isWell = world.service?.isReady && (await world.drive(isWriting(world)))
  if (!isWell || world.dice.chance(0.3)) {
    await world.drive(world.stop())
    await world.drive(world.start())
  }
  if (hasBank) await world.drive(treasurers.finish(world.dice))
  await world.loop.runUntil(world.loop.nowMs + calmMs, () => world.violations.length > 0)
  if (world.violations.length > 0) return
  await world.drive(operators.check())
  await world.drive(operators.verifyAudit())
  // After this crash only the disk is left, so everything that was in memory must be on it.
  world.crash('loses its power')
  await world.drive(world.start())
  await world.drive(operators.checkEndpoints())
  await world.drive(judgeWorld(world, ledger, partners))
  if (!hasBank || world.violations.length > 0) return
  await world.drive(judgeMoney(world, ledger, bank))
  for (let times = 0; times < 2 && world.violations.length === 0; times += 1)
    await liveLater(world, actors)
}

/** A payer has eight weeks to take the money back. In these weeks the service is off. */
async function liveLater(world: World, actors: Actors): Promise<void> {
  const { ledger, partners, treasurers, bank } = actors
  await world.drive(world.stop())
  await world.loop.runUntil(world.loop.nowMs + world.dice.between(3, 8) * 7 * dayMs)
  world.tell('weeks have passed')
  await world.drive(world.start())
  await world.drive(treasurers.finishLate(partners, world.dice))
  await world.drive(judgeMoney(world, ledger, bank))
}

/** After a failed sync, the store accepts no writes until a restart, and the service is not ready. */
async function isWriting(world: World): Promise<boolean> {
  const answer = await world.call('partners', { method: 'GET', path: '/readyz' })
  return answer?.status === 200
}

interface Acting {
  readonly partners: Partners
  readonly operators: Operators
  readonly treasurers: Treasurers
  readonly trouble: Trouble
  /** Whether some cooperatives have creditors. */
  readonly hasBank: boolean
}

type Act = () => Promise<void>

/** Does one thing, which the dice choose among what the hazards of the world allow. */
async function actOnce(world: World, actors: Acting, dice: Dice): Promise<void> {
  const { partners, operators, treasurers, trouble, hasBank } = actors
  const acts: Readonly<Record<string, readonly [weight: number, hazard: Hazard | null, act: Act]>> =
    {
      partner: [hasBank ? 35 : 55, null, () => partners.act(dice)],
      operator: [hasBank ? 15 : 34, 'operators', () => operators.act(dice)],
      money: [hasBank ? 70 : 0, 'payments', () => treasurers.act(dice)],
      mood: [4, 'receivers', async () => operators.changeMood(dice)],
      kill: [2.5, 'crashes', () => trouble.crash(dice, 'is killed')],
      power: [3, 'power losses', () => trouble.crash(dice, 'loses its power')],
      rush: [3, 'power losses', () => trouble.rush(dice)],
      restart: [1.5, 'restarts', () => trouble.restart(dice)],
      sync: [1, 'disk faults', () => trouble.breakDisk('sync', dice)],
      full: [1, 'disk faults', () => trouble.breakDisk('full', dice)],
      flip: [1, 'flipped bits', () => tryFlippedBits(world, dice)],
      clock: [1, 'clocks', () => trouble.moveClock(dice)],
    }
  const weights = Object.entries(acts).map(([name, [weight, hazard]]) => [
    name,
    hazard === null || world.has(hazard) ? weight : 0,
  ])
  await acts[dice.weigh(Object.fromEntries(weights))]?.[2]()
}
