import { clearInterval, setInterval } from '../../machine/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Timer } from '../../ports/machine.ts'
import type { Service } from '../service.ts'
import { type Acting, auditAttempt } from './acting.ts'

const windowMs = 60_000
/** Further addresses share an entry. */
const mostAddresses = 50
const others = 'others'

interface Window {
  readonly beganMs: number
  /** Refused attempts after the first one, which is recorded at once. */
  more: number
}

/** Records wrong tokens: at most two entries for each address and minute, so that a flood cannot fill the store. */
export class RefusedSignIns {
  readonly #service: Service
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()
  #timer: Timer | undefined

  constructor(service: Service) {
    this.#service = service
    this.#clock = service.clock
  }

  note(caller: string, requestId: string | null): void {
    this.#endWindows()
    const isKnown = this.#windows.has(caller) || this.#windows.size < mostAddresses
    const address = isKnown ? caller : others
    const window = this.#windows.get(address)
    if (window) window.more += 1
    else {
      this.#windows.set(address, { beganMs: this.#clock.monotonicMs(), more: 0 })
      this.#put(address, 1, requestId)
    }
    this.#timer ??= setInterval(() => this.#endWindows(), windowMs).unref()
  }

  #endWindows(): void {
    const now = this.#clock.monotonicMs()
    for (const [address, { beganMs, more }] of this.#windows) {
      if (now - beganMs < windowMs) continue
      this.#windows.delete(address)
      if (more > 0) this.#put(address, more, null)
    }
    if (this.#windows.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** The refusal does not depend on whether the store can write. */
  #put(address: string, count: number, requestId: string | null): void {
    const actor = { kind: 'operator', id: 'unknown', name: 'unknown', role: null } as const
    const acting: Acting = { actor, via: 'api', operation: 'sign_in', requestId }
    const subjects = { address, attempts: String(count) }
    const attempt = { subjects, outcome: 'refused', code: 'UNAUTHENTICATED' } as const
    auditAttempt(this.#service, acting, attempt).catch(() => undefined)
  }
}
