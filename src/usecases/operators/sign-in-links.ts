import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type ActingOperator, localAdministrator } from '../../domain/operators/operator.ts'
import { type Invited, signInPath } from '../../domain/operators/sign-in-link.ts'
import { Problem } from '../../domain/problem.ts'
import { type Timestamp, toTimestamp } from '../../domain/timestamp.ts'
import { randomBytes } from '../../machine/random.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Service } from '../service.ts'

const validSeconds = 60
/** No operator needs as many links in a minute. The oldest ones are dropped. */
const maximumLinks = 10_000

interface Link extends Invited {
  readonly madeAtMs: number
}

/**
 * The links of this instance that sign in to the console and were not used yet. They are in memory only: commands reach
 * one instance, whose address is in the link, and after a restart nobody needs them.
 */
export class SignInLinks {
  readonly #clock: Clock
  readonly #links = new LRUCache<string, Link>({ max: maximumLinks })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @returns the code of the link, which this instance does not keep */
  make(invited: Invited): string {
    // Codes do not come from the seed of a bench, because anyone who knows the seed could compute them.
    const code = randomBytes(32).toString('base64url')
    this.#links.set(digestOf(code), { ...invited, madeAtMs: this.#clock.stopwatchMs() })
    return code
  }

  /** undefined if the code is unknown, used or too old. Nobody can use it again. */
  use(code: string): Invited | undefined {
    const digest = digestOf(code)
    const link = this.#links.get(digest)
    this.#links.delete(digest)
    if (!link || this.#clock.stopwatchMs() - link.madeAtMs > validSeconds * 1000) return undefined
    return link
  }
}

export interface CreatedLink {
  readonly path: string
  readonly expiresAt: Timestamp
}

/** Creates a link for the operator who asks for it. */
export async function createSignInLink(service: Service): Promise<CreatedLink> {
  const { signInLinks, operator, clock } = service
  if (!signInLinks || !operator) throw noConsole()
  const code = signInLinks.make(await invite(service, operator))
  // People compare it with their own clocks, and not with that of a bench.
  const expiresAtMs = Date.parse(clock.webhookTime()) + validSeconds * 1000
  return { path: `${signInPath}?code=${code}`, expiresAt: toTimestamp(new Date(expiresAtMs)) }
}

async function invite({ store }: Service, { operatorId }: ActingOperator): Promise<Invited> {
  const isLocal = operatorId === localAdministrator.operatorId
  const stored = isLocal
    ? undefined
    : await store.read(({ operators }) => operators.get(operatorId))
  const { tokenDigest = '', sessionsEndedAt = '' } = stored ?? {}
  return { operatorId, tokenDigest, sessionsEndedAt }
}

/** A command that opens the store itself has no console. */
function noConsole(): Problem {
  return new Problem(
    'SERVICE_UNAVAILABLE',
    'No service is running here, so there is no console. Start it with `coopshare serve`.',
  )
}

function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url')
}
