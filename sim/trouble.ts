import type { Dice } from './dice.ts'
import type { Ledger } from './ledger.ts'
import type { Operators } from './operators.ts'
import type { Partners } from './partner.ts'
import type { CrashWay, World } from './world.ts'

interface Actors {
  readonly partners: Partners
  readonly operators: Operators
}

/** Nobody moves a clock further than this away from the right time. */
const mostClockOffsetMs = 60_000

/** Breaks the machine of the service, and repairs it. */
export class Trouble {
  readonly #world: World
  readonly #ledger: Ledger
  readonly #actors: Actors

  constructor(world: World, ledger: Ledger, actors: Actors) {
    this.#world = world
    this.#ledger = ledger
    this.#actors = actors
  }

  /** The crash may come at any step of the work in progress. */
  async crash(dice: Dice, way: CrashWay): Promise<void> {
    const world = this.#world
    // Files have just been renamed and removed after a compaction.
    if (dice.chance(0.3)) await this.#actors.operators.compact()
    await world.loop.pause(dice.chance(0.7) ? dice.fraction() * 120 : dice.below(5000))
    if (!world.service || world.service.process.isDead || world.isOnTrial) return
    world.crash(way)
    await this.#startLater(dice)
  }

  async restart(dice: Dice): Promise<void> {
    const world = this.#world
    if (!world.service?.isReady || world.isOnTrial) return
    world.counts.restarts += 1
    world.tell('the service is restarted')
    await world.stop()
    await this.#startLater(dice)
  }

  async breakDisk(what: 'sync' | 'full', dice: Dice): Promise<void> {
    const world = this.#world
    if (world.isOnTrial) return
    world.counts.faults += 1
    world.tell(what === 'sync' ? 'the disk fails to sync' : 'the disk is full')
    const { faults } = world.computer
    if (what === 'sync') faults.failingSyncs += dice.between(1, 3)
    else faults.isFull = true
    await world.loop.pause(dice.below(1_200_000))
    await this.#repairDisk(dice)
  }

  async #repairDisk(dice: Dice): Promise<void> {
    const world = this.#world
    world.computer.heal()
    world.tell('the disk works again')
    while (world.isOnTrial) await world.loop.pause(1000)
    if (world.service?.isReady) {
      if (dice.chance(0.5)) world.crash(dice.chance(0.5) ? 'is killed' : 'loses its power')
      else await world.stop()
    }
    if (world.service?.process.isDead) await world.start()
  }

  /**
   * The disk is slow and one investor gets many requests at the same time, so most of them are in
   * progress when the power or a sync fails. Many faults show only then.
   */
  async rush(dice: Dice): Promise<void> {
    const world = this.#world
    const known = this.#ledger.investors.filter(({ investorId }) => investorId !== undefined)
    const investor = dice.pick(known)
    if (!investor || !world.service?.isReady || world.isOnTrial || world.isDiskFaulty) return
    world.tell(`the disk is slow, and much happens to ${investor.reference}`)
    world.counts.faults += 1
    const { partners, operators } = this.#actors
    const { faults } = world.computer
    faults.isSlow = true
    const soon = (run: () => Promise<void>) =>
      world.loop.reply(dice.below(500), undefined, run).then((done) => done)
    const begun = Array.from({ length: dice.between(5, 15) }, () =>
      soon(() =>
        dice.chance(0.3) ? operators.decideFor(investor, dice) : partners.actFor(investor, dice),
      ),
    )
    if (dice.chance(0.5)) begun.push(soon(() => operators.compact()))
    await this.#interrupt(dice)
    faults.isSlow = false
    await Promise.all(begun)
  }

  async #interrupt(dice: Dice): Promise<void> {
    const world = this.#world
    const { loop, computer } = world
    await Promise.race([loop.pause(dice.below(2500)), this.#namesChange(dice)])
    const end = dice.weigh({ power: 6, sync: 3, nothing: 1 })
    if (end === 'sync') {
      computer.faults.failingSyncs += 1
      const longest = loop.pause(dice.between(500, 5000))
      await (dice.chance(0.5) ? Promise.race([longest, computer.nextFailedSync()]) : longest)
      return this.#repairDisk(dice)
    }
    await loop.pause(dice.chance(0.5) ? dice.fraction() * 5 : dice.below(400))
    if (end === 'nothing' || world.isOnTrial || world.service?.process.isDead !== false) return
    world.crash('loses its power')
    await loop.pause(dice.below(3000))
    if (world.service.process.isDead) await world.start()
  }

  /** Waits for changes of names. They are rare, so a crash at a random moment would seldom lose one. */
  async #namesChange(dice: Dice): Promise<void> {
    const count = dice.between(1, 12)
    for (let seen = 0; seen < count; seen += 1) {
      await this.#world.computer.disk.nextChange('/data')
    }
  }

  /** Corrects the clock, which may jump backwards. */
  async moveClock(dice: Dice): Promise<void> {
    const { computer } = this.#world
    const offsetMs = dice.between(-mostClockOffsetMs, mostClockOffsetMs)
    this.#world.tell(`the clock is moved by ${offsetMs - computer.clockOffsetMs} ms`)
    computer.clockOffsetMs = offsetMs
  }

  async #startLater(dice: Dice): Promise<void> {
    const world = this.#world
    await world.loop.pause(dice.chance(0.15) ? dice.below(7_200_000) : dice.below(20_000))
    if (!world.service?.process.isDead) return
    await world.start()
  }
}
