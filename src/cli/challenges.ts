import type { Challenge } from '../http/operator-signature.ts'

/** What requests are signed for at the moment. */
export interface Challenges {
  current(): Promise<Challenge>
  /** The next request asks again, because the service may have been started again. */
  forget(): void
}

/** The service takes them for a minute. */
const goodForMs = 20_000

/** Asks the service, and again when the answer has become old. */
export function startChallenges(ask: () => Promise<Challenge>): Challenges {
  let asked: { readonly challenge: Promise<Challenge>; readonly atMs: number } | undefined
  const forget = () => {
    asked = undefined
  }
  return {
    forget,
    current() {
      const now = performance.now()
      if (!asked || now - asked.atMs > goodForMs) {
        asked = { challenge: ask(), atMs: now }
        asked.challenge.catch(forget)
      }
      return asked.challenge
    },
  }
}
