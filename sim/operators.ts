import { restoreStore } from '../src/adapters/lowdb/backup.ts'
import { checkStore } from '../src/adapters/lowdb/check-store.ts'
import type { Bank } from './bank.ts'
import type { Dice } from './dice.ts'
import type { Cooperative, Investor, Ledger, Order, Organization } from './ledger.ts'
import type { Partners } from './partner.ts'
import type { Mood, Receiver } from './receivers.ts'
import { type Answer, operatorToken } from './service.ts'
import { reachedBy } from './sessions.ts'
import type { World } from './world.ts'

const moods: readonly Mood[] = [
  'answers',
  'fails',
  'hangs',
  'drips',
  'loses answers',
  'is gone',
  'mixed',
]

/** For this time after a change of an endpoint, deliveries from before the change may still arrive. */
const transitMs = 180_000

interface Others {
  readonly partners: Partners
  readonly bank: Bank
}

type OperatorDecision = 'approve' | 'settle' | 'reject'

/** The people who run the service. They use the operations of the operator endpoint. */
export class Operators {
  readonly #world: World
  readonly #ledger: Ledger
  readonly #partners: Partners
  readonly #bank: Bank
  readonly #endpoints = new Map<Receiver, string>()
  #restored = 0

  constructor(world: World, ledger: Ledger, { partners, bank }: Others) {
    this.#world = world
    this.#ledger = ledger
    this.#partners = partners
    this.#bank = bank
  }

  /** Creates the records that a day needs, before anything fails. */
  async setUp(dice: Dice): Promise<void> {
    const count = dice.between(2, 3)
    for (let number = 1; number <= count; number += 1)
      await this.#addOrganization(`Bank${number}`, dice)
    for (const isSimple of [true, true, false]) await this.#addCooperative(isSimple)
  }

  async #addOrganization(name: string, dice: Dice): Promise<void> {
    const made = await this.#require('organization.create', { name })
    const client = await this.#require('client.create', { organization: name })
    const { client_id: clientId, client_secret: secret, secret_id: id } = client
    this.#ledger.confidential.add(secret)
    const organization: Organization = {
      name,
      clientId,
      organizationId: made.organization_id,
      secrets: [{ id, secret }],
      address: `203.0.113.${this.#ledger.organizations.length + 1}`,
      token: undefined,
      tokenMs: 0,
      firstToken: undefined,
      investors: [],
    }
    this.#ledger.organizations.push(organization)
    for (let number = 0; number < dice.between(0, 2); number += 1)
      await this.#addEndpoint(organization)
  }

  async #addEndpoint({ name, organizationId }: Organization): Promise<void> {
    const url = `https://receiver-${this.#endpoints.size + 1}.example/hooks`
    const made = await this.#require('webhook.register', { organization: name, url })
    this.#ledger.confidential.add(made.signing_secret)
    const receiver = this.#world.receivers.add(url, organizationId, made.signing_secret)
    this.#endpoints.set(receiver, made.webhook_endpoint_id)
  }

  async #addCooperative(isSimple: boolean): Promise<void> {
    const key = `coop-${this.#ledger.cooperatives.length + 1}`
    const made = await this.#require('cooperative.create', {
      key,
      name: key,
      energy_category: 'solar',
      share_price: '100.00',
      published: true,
      ...(!isSimple && { entry_fee: '25.00', minimum_shares: 3 }),
    })
    const cooperative = { cooperativeId: made.id, key, isSimple, creditorFrom: undefined }
    this.#ledger.cooperatives.push(cooperative)
  }

  async #require(operation: string, input: object) {
    const answer = await this.#world.operate(operation, input)
    if (answer?.status === 200) return answer.body
    throw new Error(`${operation} is answered with ${answer?.status}: ${answer?.text}`)
  }

  async act(dice: Dice): Promise<void> {
    const what = dice.weigh({
      approve: 22,
      settle: 16,
      reject: 5,
      cancel: 2,
      replay: 3,
      rotateSecret: 2,
      ...{
        rotateSigning: 1,
        rotateKey: 1,
        pause: 2,
        price: 1,
        publish: 1,
        compact: 3,
        rekey: 1,
        backUp: 2,
        removeEndpoint: 1,
      },
      check: 2,
      audit: 1,
      show: 2,
    })
    switch (what) {
      case 'approve':
      case 'settle':
      case 'reject':
        return this.#decide(dice, what)
      case 'cancel':
        return this.#cancel(dice)
      case 'replay':
        return this.#replay(dice)
      case 'rotateSecret':
        return this.#rotateSecret(dice)
      case 'rotateSigning':
        return this.#rotateSigning(dice)
      case 'rotateKey':
        return this.#note('key.rotate', { now: dice.chance(0.5) })
      case 'pause':
        return this.#pause(dice)
      case 'price':
        return this.#onCooperative(dice, 'cooperative.set_price', {
          share_price: `${dice.between(50, 150)}.00`,
        })
      case 'publish':
        return this.#publish(dice)
      case 'compact':
        return this.compact()
      case 'rekey':
        return this.#note('store.rekey', {})
      case 'check':
        return this.check()
      case 'audit':
        return this.verifyAudit()
      case 'removeEndpoint':
        return this.#removeEndpoint(dice)
      case 'show':
        return this.#note('event.list', { limit: 20 })
      default:
        return this.#backUp()
    }
  }

  async #decide(dice: Dice, decision: OperatorDecision): Promise<void> {
    await this.decideOn(this.#someOrder(dice), decision)
  }

  /** Decides on some order of the investor. */
  decideFor({ orders }: Investor, dice: Dice): Promise<void> {
    const decision = dice.weigh({ approve: 5, settle: 3, reject: 2 })
    return this.decideOn(dice.pick(orders), decision)
  }

  async decideOn(
    order: Order | undefined,
    decision: OperatorDecision,
    money: { readonly unpaid?: true; readonly refunded?: true } = {},
  ): Promise<void> {
    if (!order?.sharePurchaseId) return
    const call = this.#partners.decide(order, decision)
    const reason = decision === 'reject' ? { reason: 'Simulated.' } : {}
    const input = { share_purchase_id: order.sharePurchaseId, ...reason, ...money }
    const reached = reachedBy(call)
    const answer = await this.#world.operate(`purchase.${decision}`, input, { reached })
    this.#partners.decided(call, answer)
    const { creditorFrom = call.from } = order.cooperative
    const isPaid = creditorFrom >= call.from || this.#bank.hasSeenMoney(order.sharePurchaseId)
    if (decision === 'settle' && answer?.status === 200 && !money.unpaid && !isPaid)
      this.#world.violate(`${order.key} is settled, and nobody has paid`)
  }

  /** Settles although nothing was paid. */
  settleUnpaid(dice: Dice): Promise<void> {
    return this.decideOn(this.#someOrder(dice), 'settle', { unpaid: true })
  }

  async #cancel(dice: Dice): Promise<void> {
    const order = this.#someOrder(dice)
    if (order) await this.#partners.cancel(order)
  }

  /** Returns an order, in most cases one that still needs a decision. */
  #someOrder(dice: Dice): Order | undefined {
    const placed = this.#ledger.orders.filter(({ sharePurchaseId }) => sharePurchaseId)
    const open = placed.filter(
      ({ acknowledged: done }) =>
        !(done.has('settled') || done.has('rejected') || done.has('cancelled')),
    )
    return dice.pick(dice.chance(0.8) ? open : placed)
  }

  async #replay(dice: Dice): Promise<void> {
    const answer = await this.#world.operate('event.list', { limit: 50 })
    const event = answer?.status === 200 ? dice.pick<Answer['body']>(answer.body) : undefined
    if (event) await this.#note('event.replay', { event_id: event.event_id }, [409])
  }

  async #rotateSecret(dice: Dice): Promise<void> {
    const organization = dice.pick(this.#ledger.organizations)
    if (!organization) return
    const { clientId: client_id } = organization
    const answer = await this.#world.operate('client.rotate_secret', { client_id })
    if (answer?.status !== 200) return
    const { client_secret: secret, secret_id: id } = answer.body
    this.#ledger.confidential.add(secret)
    const [first] = organization.secrets
    organization.secrets = [{ id, secret }]
    organization.token = undefined
    if (first)
      await this.#note('client.revoke_secret', { client_id, secret_id: first.id }, [404, 409])
  }

  async #rotateSigning(dice: Dice): Promise<void> {
    const [receiver, id] = dice.pick([...this.#endpoints]) ?? []
    if (!receiver || receiver.isSecretUnknown || receiver.isRemoved) return
    const overlap = dice.between(0, 1) === 1 ? '10m' : undefined
    // Without an answer nobody knows the secret. The operator rotates again.
    receiver.isSecretUnknown = true
    while (!(await this.#rotateOnce(receiver, String(id), overlap))) {
      await this.#world.loop.pause(10_000)
    }
    await this.#world.loop.pause(transitMs)
    receiver.isSecretUnknown = false
  }

  async #rotateOnce(receiver: Receiver, id: string, overlap: string | undefined): Promise<boolean> {
    const input = { webhook_endpoint_id: id, overlap }
    const answer = await this.#world.operate('webhook.rotate_secret', input)
    if (answer?.status !== 200) return false
    receiver.secret = answer.body.signing_secret
    this.#ledger.confidential.add(receiver.secret)
    return true
  }

  async #pause(dice: Dice): Promise<void> {
    const [receiver, id] = dice.pick([...this.#endpoints]) ?? []
    if (!receiver) return
    // Another operator may remove it meanwhile.
    await this.#note('webhook.pause', { webhook_endpoint_id: id }, [404])
    await this.#world.loop.pause(dice.between(10, 3600) * 1000)
    if (!receiver.isRemoved) await this.#untilDone('webhook.resume', { webhook_endpoint_id: id })
  }

  async #removeEndpoint(dice: Dice): Promise<void> {
    const [receiver, id] = dice.pick([...this.#endpoints].slice(1)) ?? []
    if (!receiver || receiver.isRemoved || receiver.isSecretUnknown) return
    receiver.isRemoved = true
    await this.#untilDone('webhook.remove', { webhook_endpoint_id: id })
    this.#world.tell(`${receiver.url} is removed`)
    this.#endpoints.delete(receiver)
    receiver.untilMs = this.#world.loop.nowMs + transitMs
  }

  /** What was removed stays removed. */
  async checkEndpoints(): Promise<void> {
    const answer = await this.#world.operate('webhook.list', {})
    if (answer?.status !== 200) return
    const known = [...this.#endpoints.values()].toSorted()
    const listed = answer.body.map((row: Answer['body']) => row.webhook_endpoint_id).toSorted()
    if (listed.join() !== known.join())
      this.#world.violate(`the endpoints are ${listed.join()}, and ${known.join()} are known`)
  }

  async #publish(dice: Dice): Promise<void> {
    const cooperative = dice.pick(this.#ledger.cooperatives)
    if (!cooperative) return
    await this.#note('cooperative.unpublish', { cooperative: cooperative.key })
    await this.#world.loop.pause(dice.between(1, 600) * 1000)
    await this.#untilDone('cooperative.publish', { cooperative: cooperative.key })
  }

  #onCooperative(dice: Dice, operation: string, input: object): Promise<void> {
    const { key }: Partial<Cooperative> = dice.pick(this.#ledger.cooperatives) ?? {}
    return this.#note(operation, { cooperative: key, ...input })
  }

  compact(): Promise<void> {
    return this.#note('store.compact', {})
  }

  async check(): Promise<void> {
    const answer = await this.#world.operate('store.check', {})
    if (answer?.status === 200 && !answer.body.sound) {
      this.#world.violate(`the store is not sound: ${answer.body.problems.join(' ')}`)
    }
  }

  async verifyAudit(): Promise<void> {
    const answer = await this.#world.operate('audit.verify', {})
    if (answer?.status === 200 && !answer.body.sound) {
      this.#world.violate(`the audit is not intact: ${answer.text.slice(0, 300)}`)
    }
  }

  /**
   * A backup must hold every order that was acknowledged before it, and the program must be able to
   * restore it.
   */
  async #backUp(): Promise<void> {
    const world = this.#world
    const before = this.#ledger.orders.filter(({ acknowledged }) => acknowledged.size > 0).length
    const answer = await world.call('operators', {
      method: 'GET',
      path: '/store/backup',
      headers: { authorization: `Bearer ${operatorToken}` },
    })
    if (answer?.status !== 200 || !Buffer.isBuffer(answer.body)) return
    const bytes = answer.body
    // If a fault has cut off the backup, a restore must refuse it.
    const isWhole = bytes.includes('\n{"sha256":"')
    if (!isWhole || world.computer.faults.isFull) return
    this.#restored += 1
    const directory = `/restored-${this.#restored}`
    const content = async function* () {
      yield bytes
    }
    const process = world.service?.process
    const died = () => process === undefined || process.isDead || process !== world.service?.process
    const { failures } = world.computer
    try {
      const restored = await world.unlessDead(restoreStore(content(), { directory }))
      const check = restored && (await world.unlessDead(checkStore({ directory })))
      if (died() || world.computer.failures > failures || !restored || !check) return
      if (check.problems.length > 0) {
        world.violate(`a restored backup is not sound: ${check.problems.join(' ')}`)
      }
      const { sharePurchases = 0 } = restored.records
      if (sharePurchases < before) {
        world.violate(
          `a backup has ${sharePurchases} orders, but ${before} were acknowledged before`,
        )
      }
      world.tell(`a backup of ${sharePurchases} orders is restored`)
    } catch (error) {
      if (died() || world.computer.failures > failures) return
      world.violate(`a backup cannot be restored: ${(error as Error).message}`)
    } finally {
      if (world.computer.disk.exists(directory)) world.computer.disk.remove(directory)
    }
  }

  changeMood(dice: Dice): void {
    const receiver = dice.pick([...this.#endpoints.keys()])
    if (!receiver) return
    receiver.mood = dice.pick(moods) ?? 'answers'
    this.#world.tell(`${receiver.url} ${receiver.mood}`)
  }

  async #note(operation: string, input: object, expected: readonly number[] = []): Promise<void> {
    const answer = await this.#world.operate(operation, input)
    if (answer === undefined || answer.status === 503 || expected.includes(answer.status)) return
    this.#world.tell(`${operation}: ${answer.status}`)
    if (answer.status === 200) this.#world.counts.acknowledged += 1
    else
      this.#world.violate(
        `${operation} is answered with ${answer.status}: ${answer.text.slice(0, 300)}`,
      )
  }

  async #untilDone(operation: string, input: object): Promise<void> {
    const over = [200, 404]
    for (let status = 0; !over.includes(status); ) {
      status = (await this.#world.operate(operation, input))?.status ?? 0
      await this.#world.loop.pause(20_000)
    }
  }
}
