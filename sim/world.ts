import { Computer } from './computer.ts'
import { Dice } from './dice.ts'
import { Disk } from './disk.ts'
import { Loop, settled } from './loop.ts'
import { Receivers } from './receivers.ts'
import { type Answer, type Call, operatorToken, ServiceProcess } from './service.ts'

/**
 * The hazards of a world. A failing seed is tried without each of them, to find those that matter.
 */
export const hazards = [
  'crashes',
  'power losses',
  'restarts',
  'lost messages',
  'disk faults',
  'flipped bits',
  'clocks',
  'receivers',
  'operators',
  'payments',
] as const
export type Hazard = (typeof hazards)[number]

export type CrashWay = 'is killed' | 'loses its power'

export interface Counts {
  crashes: number
  restarts: number
  faults: number
  requests: number
  acknowledged: number
  deliveries: number
  /** Direct debits that the bank took, and entries of its accounts. */
  debits: number
  entries: number
  steps: number
  days: number
  /**
   * Histories of investors that were judged. `undecided` counts those that were too long to judge.
   */
  histories: number
  undecided: number
}

export const noCounts: Readonly<Counts> = {
  crashes: 0,
  restarts: 0,
  faults: 0,
  requests: 0,
  acknowledged: 0,
  deliveries: 0,
  debits: 0,
  entries: 0,
  steps: 0,
  days: 0,
  histories: 0,
  undecided: 0,
}

export class Violation extends Error {}

/** A simulated world: the service with its computer, partners, operators and receivers. */
export class World {
  readonly dice: Dice
  readonly loop: Loop
  readonly computer: Computer
  readonly receivers: Receivers
  readonly counts: Counts = { ...noCounts }
  readonly story: string[] = []
  readonly violations: string[] = []
  readonly log: string[] = []
  readonly hazards: ReadonlySet<Hazard>
  readonly environment: 'staging' | 'production'
  /** Whether another operator confirms each collection. */
  readonly isFourEyes: boolean
  service: ServiceProcess | undefined
  /** Whether nothing fails, as at the end of a history. */
  isCalm = true
  /** Whether a damaged disk is being tried. Meanwhile no other fault reaches the process. */
  isOnTrial = false
  ticks = 0
  #isStarting = false
  #waiting = new Set<() => void>()
  #backupEveryMs: number | undefined

  constructor(seed: number, dangers: ReadonlySet<Hazard>) {
    this.dice = new Dice(seed, 1)
    this.loop = new Loop(new Dice(seed, 2))
    const disk = new Disk()
    for (const path of ['/data', '/mail', '/backups']) disk.makeDirectory(path)
    disk.syncNames('/')
    this.computer = new Computer(this.loop, new Dice(seed, 3), disk)
    this.receivers = new Receivers(this.loop, new Dice(seed, 4), (fault) => this.violate(fault))
    this.hazards = dangers
    this.environment = this.dice.chance(0.5) ? 'staging' : 'production'
    this.isFourEyes = this.dice.chance(0.3)
    this.#backupEveryMs = this.dice.chance(0.3) ? 6 * 3_600_000 : undefined
  }

  has(hazard: Hazard): boolean {
    return !this.isCalm && this.hazards.has(hazard)
  }

  violate(what: string): void {
    this.violations.push(what)
    this.tell(`VIOLATION: ${what}`)
  }

  tell(what: string): void {
    const seconds = Math.floor(this.loop.nowMs / 1000)
    const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) =>
      String(Math.floor(part)).padStart(2, '0'),
    )
    this.story.push(`${clock.join(':')}  ${what}`)
    this.loop.note(what)
  }

  /** Starts the service, and tries again if a fault of the disk prevents that. */
  async start(): Promise<void> {
    if (this.#isStarting || this.isOnTrial) return
    this.#isStarting = true
    try {
      while (!(await this.tryStart())) await this.loop.pause(this.dice.between(500, 5000))
    } finally {
      this.#isStarting = false
    }
  }

  /**
   * Tries to start the service and returns whether it runs. A fault of the disk or a crash can end
   * the start.
   */
  async tryStart(): Promise<boolean> {
    const { failures } = this.computer
    const begun = this.begin()
    const died = new Promise<'died'>((resolve) => this.#waiting.add(() => resolve('died')))
    const outcome = await Promise.race([
      begun.ready.then(
        () => 'ready',
        (error: Error) => error,
      ),
      died,
    ])
    if (outcome === 'ready' && begun.service.isReady) return true
    if (outcome === 'died') return false
    this.endProcess()
    const mayFail = this.computer.failures > failures
    const reason = outcome instanceof Error ? outcome.message : 'it is not ready'
    this.tell(`the service does not start: ${reason}`)
    if (!mayFail) {
      this.violate(`the service does not start: ${reason}`)
      throw new Violation(reason)
    }
    return false
  }

  begin() {
    const { loop, computer, receivers: sender } = this
    const log = (level: string, fields: object, message: string) =>
      this.noteLog(level, fields, message)
    const { environment, isFourEyes } = this
    const options = { environment, isFourEyes, backupEveryMs: this.#backupEveryMs }
    const begun = ServiceProcess.begin({ loop, computer, options, sender, log })
    this.service = begun.service
    return begun
  }

  noteLog(level: string, fields: object, message: string): void {
    const values = Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? value.message : value,
    ])
    this.log.push(`${level} ${message} ${JSON.stringify(Object.fromEntries(values))}`)
  }

  /** Nothing that waits for the process gets an answer any more. */
  endProcess(): void {
    if (this.service) this.service.process.isDead = true
    this.#endWaiting()
  }

  /** The process ends at once. With a power loss, what was not synced may be lost. */
  crash(way: CrashWay): void {
    if (!this.service || this.service.process.isDead || this.isOnTrial) return
    this.counts.crashes += 1
    this.tell(`the service ${way}`)
    this.service.process.isDead = true
    if (way === 'loses its power') this.computer.disk.crash(this.dice)
    this.#endWaiting()
  }

  /** Returns false if the process has crashed meanwhile, or if it was not running. */
  async stop(): Promise<boolean> {
    const { service } = this
    if (!service?.isReady || this.isOnTrial) return false
    const closing = service
      .close()
      .catch((error: Error) => this.tell(`the stop fails: ${error.message}`))
    const died = new Promise<void>((resolve) => this.#waiting.add(resolve))
    await Promise.race([closing, died])
    if (service.process.isDead) return false
    service.process.isDead = true
    this.#endWaiting()
    return true
  }

  /** Resolves with undefined if the outcome of the request is unknown. */
  async call(door: 'partners' | 'operators', call: Call): Promise<Answer | undefined> {
    const { loop, dice } = this
    this.counts.requests += 1
    const isLost = this.has('lost messages') && dice.chance(0.06)
    const lostWay = isLost && dice.chance(0.3)
    await loop.pause(dice.between(1, 40))
    const { service } = this
    const isUnreachable = this.isOnTrial && !call.isTrial
    if (lostWay || isUnreachable || !service?.isReady) return undefined
    call.reached?.()
    const answer = await this.unlessDead(service.call(door, call))
    await loop.pause(dice.between(1, 40))
    if (answer) this.#inspect(call, answer)
    return isLost ? undefined : answer
  }

  operate(
    operation: string,
    input: object,
    {
      token = operatorToken,
      ...options
    }: Pick<Call, 'reached' | 'isTrial'> & { token?: string } = {},
  ): Promise<Answer | undefined> {
    return this.call('operators', {
      ...options,
      method: 'POST',
      path: `/operations/${operation}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
  }

  /** Runs the loop until the work is done, but for five simulated days at most. */
  async drive<Result>(work: Promise<Result>): Promise<Result> {
    let outcome: { value: Result } | { error: unknown } | undefined
    work.then(
      (value) => {
        outcome = { value }
      },
      (error) => {
        outcome = { error }
      },
    )
    await settled()
    const longestMs = this.loop.nowMs + 5 * 86_400_000
    while (!outcome) {
      if (this.loop.nowMs > longestMs || !(await this.loop.next())) {
        this.violate('something never ends')
        throw new Violation('something never ends')
      }
    }
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }

  #inspect({ method, path }: Call, { status, text }: Answer): void {
    if (status >= 500 && status !== 503) {
      const logged = this.log.findLast((line) => line.startsWith('error '))
      this.violate(`${method} ${path} is answered with ${status}: ${logged ?? text.slice(0, 300)}`)
    }
    // The service also answers 503 when an operator gives an invalid encryption key.
    const isRefusal = text.includes('"ENCRYPTION_KEY_REFUSED"')
    if (status === 503 && this.isCalm && !isRefusal) {
      this.violate(`${method} ${path} is answered with 503 although nothing fails`)
    }
  }

  async unlessDead<Result>(work: Promise<Result>): Promise<Result | undefined> {
    if (this.service?.process.isDead) return undefined
    let end = () => {}
    const died = new Promise<undefined>((resolve) => {
      end = () => resolve(undefined)
      this.#waiting.add(end)
    })
    try {
      return await Promise.race([work, died])
    } finally {
      this.#waiting.delete(end)
    }
  }

  #endWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = new Set()
    for (const end of waiting) end()
  }

  get isDiskFaulty(): boolean {
    const { failingSyncs, isFull } = this.computer.faults
    return isFull || failingSyncs > 0
  }
}
