import { Dice } from './dice.ts'
import { Ledger } from './ledger.ts'
import { Operators } from './operators.ts'
import { judgeWorld } from './oracles.ts'
import { Partners } from './partner.ts'
import { type Counts, type Hazard, hazards, Violation, World } from './world.ts'

const dayMs = 86_400_000
/** Longer than the attempts of a delivery, a pause and a retry of a backup take together. */
const calmMs = 3 * 3_600_000

export interface Trial {
  readonly seed: number
  readonly hazards?: readonly Hazard[]
  /** Actions that are left out, to find those that matter. */
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

/** Runs one history: a day in which anything may fail, and then a few hours in which nothing does. */
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
  const operators = new Operators(world, ledger, partners)
  await world.drive(world.start())
  await world.drive(operators.setUp(plan))
  for (const organization of ledger.organizations) {
    await world.drive(partners.provision(organization, plan))
  }
  world.isCalm = false
  const begun: Promise<void>[] = []
  // Most of what happens happens at about the same time as something else.
  let atMs = 0
  for (let number = 0; number < actions; number += 1) {
    if (plan.chance(0.06)) atMs = plan.below(dayMs)
    else atMs = Math.min(dayMs, atMs + (plan.chance(0.5) ? plan.below(100) : plan.below(60_000)))
    const dice = new Dice(seed, 100 + number)
    if (skipped?.has(number)) continue
    const act = () => new Actions(world, { ledger, partners, operators }).act(dice)
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
  await calmDown(world, { ledger, partners, operators })
}

interface Actors {
  readonly ledger: Ledger
  readonly partners: Partners
  readonly operators: Operators
}

/** From now on nothing fails, so everything that is due must end. */
async function calmDown(world: World, { ledger, partners, operators }: Actors): Promise<void> {
  world.isCalm = true
  world.receivers.areWell = true
  Object.assign(world.computer.faults, { failingSyncs: 0, isFull: false })
  world.tell('nothing fails any more')
  // A service that still works has to finish what is due without a restart.
  const isWell = world.service?.isReady && (await world.drive(isWriting(world)))
  if (!isWell || world.dice.chance(0.3)) {
    await world.drive(world.stop())
    await world.drive(world.start())
  }
  await world.loop.runUntil(world.loop.nowMs + calmMs, () => world.violations.length > 0)
  if (world.violations.length > 0) return
  await world.drive(operators.check())
  await world.drive(operators.verifyAudit())
  // What is in memory must be on the disk, too.
  world.crash('loses its power')
  await world.drive(world.start())
  await world.drive(judgeWorld(world, ledger, partners))
}

/** After a failed sync the store accepts no writes until a restart. */
async function isWriting(world: World): Promise<boolean> {
  const answer = await world.call('partners', { method: 'GET', path: '/readyz' })
  return answer?.status === 200
}

class Actions {
  readonly #world: World
  readonly #actors: Actors

  constructor(world: World, actors: Actors) {
    this.#world = world
    this.#actors = actors
  }

  async act(dice: Dice): Promise<void> {
    const world = this.#world
    const { partners, operators } = this.#actors
    const of = (hazard: Hazard, weight: number) => (world.has(hazard) ? weight : 0)
    const what = dice.weigh({
      partner: 55,
      operator: of('operators', 34),
      mood: of('receivers', 4),
      kill: of('crashes', 2.5),
      power: of('power losses', 3),
      restart: of('restarts', 1.5),
      sync: of('disk faults', 1),
      full: of('disk faults', 1),
      flip: of('flipped bits', 1),
    })
    if (what === 'partner') return partners.act(dice)
    if (what === 'operator') return operators.act(dice)
    if (what === 'mood') return operators.changeMood(dice)
    if (what === 'restart') return this.#restart(dice)
    if (what === 'flip') return this.#flip(dice)
    if (what === 'sync' || what === 'full') return this.#breakDisk(what, dice)
    // The crash may come at any step of what is under way.
    await world.loop.pause(dice.chance(0.7) ? dice.fraction() * 120 : dice.below(5000))
    if (!world.service || world.service.process.isDead || world.isOnTrial) return
    world.crash(what === 'kill' ? 'is killed' : 'loses its power')
    await this.#startLater(dice)
  }

  async #startLater(dice: Dice): Promise<void> {
    const world = this.#world
    await world.loop.pause(dice.chance(0.15) ? dice.below(7_200_000) : dice.below(20_000))
    if (!world.service?.process.isDead) return
    await world.start()
  }

  async #restart(dice: Dice): Promise<void> {
    const world = this.#world
    if (!world.service?.isReady || world.isOnTrial) return
    world.counts.restarts += 1
    world.tell('the service is restarted')
    await world.stop()
    await this.#startLater(dice)
  }

  async #breakDisk(what: 'sync' | 'full', dice: Dice): Promise<void> {
    const world = this.#world
    if (world.isOnTrial) return
    world.counts.faults += 1
    world.tell(what === 'sync' ? 'the disk fails to sync' : 'the disk is full')
    const { faults } = world.computer
    if (what === 'sync') faults.failingSyncs += dice.between(1, 3)
    else faults.isFull = true
    await world.loop.pause(dice.below(1_200_000))
    Object.assign(faults, { failingSyncs: 0, isFull: false })
    world.tell('the disk works again')
    while (world.isOnTrial) await world.loop.pause(1000)
    if (world.service?.isReady) {
      if (dice.chance(0.5)) world.crash(dice.chance(0.5) ? 'is killed' : 'loses its power')
      else await world.stop()
    }
    if (world.service?.process.isDead) await world.start()
  }

  /** A flipped bit on the disk is found at the start, or makes no difference. */
  async #flip(dice: Dice): Promise<void> {
    const world = this.#world
    const before = await showOrders(world)
    if (!before || !world.service?.isReady || world.isDiskFaulty) return
    await world.stop()
    if (!world.service.process.isDead || world.isOnTrial) return
    const whole = world.computer.disk
    world.computer.disk = whole.copy()
    const files = [...world.computer.disk.files()].filter(([path]) => isOfStore.test(path))
    const [path, inode] = dice.pick(files.filter(([, { size }]) => size > 0)) ?? []
    if (inode) await this.#tryDamaged(`a bit of ${path} flips at ${inode.flip(dice)}`, before)
    world.computer.disk = whole
    await world.start()
  }

  async #tryDamaged(what: string, before: ReadonlyMap<string, string>): Promise<void> {
    const world = this.#world
    world.counts.faults += 1
    world.tell(what)
    world.isOnTrial = true
    const isStarted = await this.#startDamaged()
    if (isStarted) await judgeAfterFlip(world, before)
    if (world.service) world.service.process.isDead = true
    world.isOnTrial = false
  }

  async #startDamaged(): Promise<boolean> {
    const world = this.#world
    const begun = world.begin()
    const outcome = await begun.ready.then(
      () => undefined,
      (error: Error) => error,
    )
    if (outcome) world.tell(`the service refuses it: ${outcome.message.slice(0, 120)}`)
    return outcome === undefined
  }
}

const isOfStore = /^\/data\/(journal|snapshot|store|acknowledged|encryption)/

/** A store that opens although a bit has flipped shows what it showed before. */
async function judgeAfterFlip(world: World, before: ReadonlyMap<string, string>): Promise<void> {
  const after = await showOrders(world)
  if (!after) return
  for (const [id, shown] of before) {
    if (after.get(id) === shown) continue
    world.violate(
      `the order ${id} is ${after.get(id) ?? 'lost'} after a flipped bit, and nobody noticed`,
    )
  }
}

/** The parts of each order that never change. */
async function showOrders(world: World): Promise<ReadonlyMap<string, string> | undefined> {
  const answer = await world.operate('purchase.list', {})
  if (answer?.status !== 200) return undefined
  const shown = new Map<string, string>()
  for (const { status: _, reason: __, updated_at: ___, ...row } of answer.body) {
    shown.set(row.share_purchase_id, JSON.stringify(row))
  }
  return shown
}
