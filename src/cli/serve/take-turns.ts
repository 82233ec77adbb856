export interface Turns<Arguments extends readonly unknown[]> {
  /** For whom there is no room to wait. */
  readonly refuse: (...each: Arguments) => void
  readonly perTurn?: number
  readonly mostWaiting?: number
}

/**
 * Begins at most so many in one turn of the event loop; the others wait, first come, first served. A turn of Node takes
 * one new connection and then all that is ready: under load, who asks for a connection would wait for seconds. Of those
 * who wait there are only so many, because one connection may send any number of requests ahead.
 */
export function takeTurns<Arguments extends readonly unknown[]>(
  work: (...each: Arguments) => void,
  { refuse, perTurn = 16, mostWaiting = 1024 }: Turns<Arguments>,
): (...each: Arguments) => void {
  const waiting: Arguments[] = []
  let begun = 0
  const begin = (each: Arguments) => {
    if (begun === 0) setImmediate(nextTurn)
    begun += 1
    work(...each)
  }
  const nextTurn = () => {
    begun = 0
    for (const each of waiting.splice(0, perTurn)) begin(each)
  }
  return (...each) => {
    if (begun < perTurn) begin(each)
    else if (waiting.length < mostWaiting) waiting.push(each)
    else refuse(...each)
  }
}
