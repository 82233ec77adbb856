interface OfSubject {
  readonly subject: string
}

/** Who waits, a line for each subject: of one subject, one is under way at a time. */
export class Lines<Waiting extends OfSubject> {
  readonly #lines = new Map<string, Waiting[]>()
  readonly #underWay = new Set<string>()
  #free = 0

  /** Subjects that somebody waits for, and that nobody is at. */
  get free(): number {
    return this.#free
  }

  /** Subjects that somebody waits for or is at. */
  get present(): number {
    return this.#free + this.#underWay.size
  }

  add(waiting: Waiting): void {
    const { subject } = waiting
    const line = this.#lines.get(subject)
    if (line) line.push(waiting)
    else this.#begin(subject, [waiting])
  }

  /** Of somebody who has waited long enough. */
  remove(waiting: Waiting): void {
    const { subject } = waiting
    const others = this.#lines.get(subject)?.filter((other) => other !== waiting) ?? []
    this.#end(subject)
    if (others.length > 0) this.#begin(subject, others)
  }

  /** The first of each line, of subjects that nobody is at. */
  take(most: number): readonly Waiting[] {
    const taken: Waiting[] = []
    for (const [subject, line] of this.#lines) {
      if (taken.length >= most) break
      if (this.#underWay.has(subject)) continue
      taken.push(...line.splice(0, 1))
      this.#end(subject)
      this.#underWay.add(subject)
      if (line.length > 0) this.#begin(subject, line)
    }
    return taken
  }

  /** Nobody is at it any more. */
  release(subject: string): void {
    this.#underWay.delete(subject)
    if (this.#lines.has(subject)) this.#free += 1
  }

  /** Behind the other lines. */
  #begin(subject: string, line: Waiting[]): void {
    this.#lines.set(subject, line)
    if (!this.#underWay.has(subject)) this.#free += 1
  }

  #end(subject: string): void {
    const wasThere = this.#lines.delete(subject)
    if (wasThere && !this.#underWay.has(subject)) this.#free -= 1
  }
}
