// Damages the files of stores and backups. The program must refuse damaged files with a code, or the
// damage must make no difference.

import { restoreStore } from '../../src/adapters/lowdb/backup.ts'
import { checkStore } from '../../src/adapters/lowdb/check-store.ts'
import { Bank } from '../bank.ts'
import { Dice } from '../dice.ts'
import type { Disk } from '../disk.ts'
import { Ledger } from '../ledger.ts'
import { Operators } from '../operators.ts'
import { Partners } from '../partner.ts'
import { operatorToken } from '../service.ts'
import { World } from '../world.ts'
import { mutateBytes } from './mutate.ts'
import type { FuzzResult } from './result.ts'

const isOfStore = /^\/data\/(journal|snapshot|store|acknowledged|encryption)/

export async function fuzzStoreBytes(seed: number, count: number): Promise<FuzzResult> {
  const fuzzing = new StoreFuzzing(seed)
  await fuzzing.setUp()
  for (let number = 0; number < count; number += 1) {
    await (fuzzing.dice.chance(0.3) ? fuzzing.tryBackup() : fuzzing.tryStore())
  }
  return fuzzing.end()
}

class StoreFuzzing {
  readonly dice: Dice
  readonly #world: World
  readonly #findings: { fault: string; input: unknown }[] = []
  readonly #outcomes: Record<string, number> = {}
  #whole: Disk
  #before = ''
  #backup = Buffer.alloc(0)

  constructor(seed: number) {
    this.dice = new Dice(seed, 7)
    this.#world = new World(seed, new Set())
    this.#whole = this.#world.computer.disk
  }

  async setUp(): Promise<void> {
    const world = this.#world
    const ledger = new Ledger()
    const partners = new Partners(world, ledger)
    const operators = new Operators(world, ledger, {
      partners: partners,
      bank: new Bank(world, ledger),
    })
    await world.drive(world.start())
    await world.drive(operators.setUp(this.dice))
    const [organization] = ledger.organizations
    if (!organization) throw new Error('There is no organization.')
    await world.drive(partners.provision(organization, this.dice))
    const [investor] = organization.investors
    if (!investor) throw new Error('There is no investor.')
    const place = () =>
      world.drive(partners.place(partners.newOrder(investor, this.dice), this.dice))
    for (let order = 0; order < 3; order += 1) await place()
    if (this.dice.chance(0.7)) await world.drive(world.operate('store.compact', {}))
    await place()
    this.#before = await this.#show()
    const headers = { authorization: `Bearer ${operatorToken}` }
    const call = { method: 'GET', path: '/store/backup', headers }
    const answer = await world.drive(world.call('operators', call))
    this.#backup = Buffer.from(answer?.body as Buffer)
    await world.drive(world.stop())
    this.#whole = world.computer.disk
  }

  /** Returns the list of all orders as text. */
  async #show(): Promise<string> {
    const world = this.#world
    const answer = await world.drive(world.operate('purchase.list', {}))
    return answer?.status === 200 ? answer.text : `${answer?.status}`
  }

  async tryStore(): Promise<void> {
    const world = this.#world
    const disk = this.#whole.copy()
    world.computer.disk = disk
    const files = [...disk.files()].filter(([path]) => isOfStore.test(path))
    const [path, inode] = this.dice.pick(files) ?? []
    if (!path || !inode) return
    const changed = mutateBytes(this.dice, inode.content)
    if (this.dice.chance(0.1)) disk.remove(path)
    else inode.replace(changed)
    const begun = world.begin()
    const outcome = await world.drive(
      begun.ready.then(
        () => undefined,
        (error: Error) => error,
      ),
    )
    if (outcome) this.#judgeRefusal(outcome, path)
    else if ((await this.#show()) !== this.#before) {
      this.#find('a damaged store opens and shows other data', path)
    } else this.#count('opened')
    begun.service.process.isDead = true
    for (const fault of world.violations.splice(0)) this.#find(fault, path)
  }

  async tryBackup(): Promise<void> {
    const bytes = mutateBytes(this.dice, this.#backup)
    if (bytes.equals(this.#backup)) return
    const world = this.#world
    world.computer.disk = this.#whole.copy()
    const { process } = world.begin().service
    const content = async function* () {
      yield bytes
    }
    const directory = '/restored'
    const restoring = restoreStore(content(), { directory }).then(
      async () => (await checkStore({ directory })).problems,
      (error: Error) => error,
    )
    const outcome = await world.drive(restoring)
    if (outcome instanceof Error) this.#judgeRefusal(outcome, 'the backup')
    else if (outcome.length > 0)
      this.#find(`a damaged backup is restored: ${outcome[0]}`, bytes.length)
    else this.#count('restored')
    process.isDead = true
    world.violations.length = 0
  }

  /** An error without a code counts as a crash. */
  #judgeRefusal(error: Error, what: string): void {
    const { code } = error as { code?: unknown }
    if (typeof code === 'string') this.#count(code)
    else
      this.#find(`${error.name}: ${error.message} (${error.stack?.split('\n')[1]?.trim()})`, what)
  }

  #count(outcome: string): void {
    this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1
  }

  #find(fault: string, input: unknown): void {
    this.#findings.push({ fault, input })
  }

  end(): FuzzResult {
    const tried = Object.values(this.#outcomes).reduce((sum, one) => sum + one, 0)
    return {
      tried: tried + this.#findings.length,
      outcomes: this.#outcomes,
      findings: this.#findings,
    }
  }
}
