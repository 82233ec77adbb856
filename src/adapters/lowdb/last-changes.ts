/** Which transaction changed what last, in one collection: nobody is told of a change before it is durable. */
export class LastChanges {
  #last = 0
  /** By the key of a record, until that is durable. */
  readonly #byKey = new Map<string, number>()

  /** The last transaction that changed something here. */
  get last(): number {
    return this.#last
  }

  /** The transaction that has to be durable before anyone is told of the record, or that there is none. */
  ofRecord(key: string): number {
    return this.#byKey.get(key) ?? 0
  }

  note(key: string, transaction: number): void {
    this.#last = transaction
    this.#byKey.set(key, transaction)
  }

  /** A later transaction may have changed the record meanwhile. */
  noteDurable(key: string, transaction: number): void {
    if (this.#byKey.get(key) === transaction) this.#byKey.delete(key)
  }

  /** What came after `durable` has been taken back. */
  takeBackTo(durable: number): void {
    this.#last = Math.min(this.#last, durable)
    this.#byKey.clear()
  }
}
