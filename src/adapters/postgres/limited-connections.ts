/** After which one more connection than there are is asked for again. */
const fullForMs = 1000

/** Which of several connections may be used: while the database gives no more than there are, only these. */
export class LimitedConnections<Connection extends { readonly isConnected: boolean }> {
  readonly #all: readonly Connection[]
  #fullAtMs = Number.NEGATIVE_INFINITY

  constructor(all: readonly Connection[]) {
    this.#all = all
  }

  noteFull(): void {
    this.#fullAtMs = performance.now()
  }

  get areConnected(): boolean {
    return this.#all.some(({ isConnected }) => isConnected)
  }

  /** The database has just refused one, and there is no other. */
  get areRefused(): boolean {
    return this.#isFull() && !this.areConnected
  }

  mayUse({ isConnected }: Connection): boolean {
    return isConnected || !this.#isFull() || !this.areConnected
  }

  #isFull(): boolean {
    return performance.now() - this.#fullAtMs < fullForMs
  }
}
