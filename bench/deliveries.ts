// The results of an order: webhooks at the receivers, an e-mail, and the record of each.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { request } from 'undici'
import { readSeries } from './operator.ts'
import { startPeer } from './peer.ts'
import type { RunningService } from './service.ts'
import { organization } from './set-up.ts'
import type { Bench } from './work.ts'
import { WrongAnswers } from './wrong-answers.ts'

/** The pause between two checks. A round takes seconds. */
const pauseMs = 20
const maximumSilentSeconds = 30

/** Each receiver answers on its own origin and runs in its own process. */
export async function startReceivers(bench: Bench, count: number): Promise<readonly string[]> {
  const started = Array.from({ length: count }, () => startPeer('receiver'))
  return (await Promise.all(started)).map((child) => bench.stopAtEnd(child).said)
}

/**
 * Registers the receivers as an operator does, because the fixture files of the commit that
 * `end-to-end` compares with cannot set a signing secret.
 */
export async function registerReceivers(
  service: RunningService,
  urls: readonly string[],
): Promise<void> {
  for (const url of urls) {
    const argv = ['webhook', 'register', '--organization', organization, url, '--json']
    const place = ['--data-dir', service.directory]
    const { stdout } = await promisify(execFile)(process.execPath, [
      service.program,
      ...argv,
      ...place,
    ])
    await request(url, { method: 'PUT', body: JSON.parse(stdout).signing_secret })
  }
}

interface Followed {
  readonly name: string
  /** The directories of all instances that write e-mails. */
  readonly directories: readonly string[]
  readonly receivers: readonly string[]
  /** Returns the numbers of deliveries. The keys are the labels of our metric. */
  readRecorded(): Promise<ReadonlyMap<string, number>>
}

/** Reads the metric of the service on this directory. */
export function recordedOf(directory: string): Followed['readRecorded'] {
  return () => readSeries(directory, 'coopshare_deliveries')
}

/**
 * Waits until the webhooks and e-mails of all orders have arrived, and the service has recorded
 * them. More deliveries than expected are an error.
 */
export async function settleDeliveries(followed: Followed, orders: number): Promise<void> {
  const { name, directories, receivers } = followed
  const mails = orders * kindsOfMail(followed)
  const until = (what: string, count: () => Promise<number>, wanted: number) =>
    untilReached(`${name}, ${what}`, count, wanted)
  for (const url of receivers) await until(`orders at ${url}`, () => countReceived(url), orders)
  await until('e-mails', async () => countMails(directories), mails)
  const recorded = (kind: string) => countRecorded(followed, kind)
  await until('webhooks recorded', () => recorded('webhook'), orders * receivers.length)
  await until('e-mails recorded', () => recorded('mail'), mails)
  await requireNothingElse(followed, orders)
}

const kindsOfMail = ({ directories }: Followed) => (directories.length > 0 ? 1 : 0)

async function countRecorded({ readRecorded }: Followed, kind: string): Promise<number> {
  const series = await readRecorded()
  // An earlier release used `delivered` for e-mails that were written to files.
  const done = ['delivered', 'written'].map((state) => `kind="${kind}",state="${state}"`)
  return done.map((labels) => series.get(labels) ?? 0).reduce((left, right) => left + right)
}

async function untilReached(
  what: string,
  count: () => Promise<number>,
  wanted: number,
): Promise<void> {
  let [before, changedAt] = [-1, performance.now()]
  for (;;) {
    const reached = await count()
    if (reached === wanted) return
    if (reached > wanted) throw new WrongAnswers(`${what}: ${reached} instead of ${wanted}.`)
    if (reached !== before) [before, changedAt] = [reached, performance.now()]
    if (performance.now() - changedAt > maximumSilentSeconds * 1000) {
      throw new WrongAnswers(
        `${what}: ${reached} of ${wanted} came, and no more for ${maximumSilentSeconds} s.`,
      )
    }
    await pause(pauseMs)
  }
}

async function requireNothingElse(followed: Followed, orders: number) {
  const { name, receivers } = followed
  const recorded = await followed.readRecorded()
  const all = [...recorded.values()].reduce((left, right) => left + right, 0)
  const wanted = orders * (receivers.length + kindsOfMail(followed))
  if (all !== wanted) {
    throw new WrongAnswers(`${name}: ${all} deliveries are recorded instead of ${wanted}.`)
  }
  for (const url of receivers) {
    const received = await readReceived(url)
    if (received.orders === orders && received.wrong === 0) continue
    throw new WrongAnswers(`${name}, ${url}: ${JSON.stringify(received)} of ${orders} orders.`)
  }
}

interface Received {
  /** The orders whose event came with a valid signature. */
  readonly orders: number
  readonly wrong: number
  readonly firstWrong: string | null
}

async function readReceived(url: string): Promise<Received> {
  const { body } = await request(url)
  return (await body.json()) as Received
}

async function countReceived(url: string): Promise<number> {
  const { orders, wrong, firstWrong } = await readReceived(url)
  if (wrong > 0)
    throw new WrongAnswers(`${url}: ${wrong} events are wrong. The first: ${firstWrong}.`)
  return orders
}

function countMails(directories: readonly string[]): number {
  const folders = directories.map((directory) => join(directory, 'mail')).filter(existsSync)
  return folders.flatMap((folder) => readdirSync(folder)).filter(isMail).length
}

const isMail = (name: string) => name.endsWith('.eml') && !name.startsWith('.')
