/**
 * Begins at most so many in one turn of the event loop; the others wait, first come, first served. A turn of Node takes
 * one new connection and then all that is ready: under load, who asks for a connection would wait for seconds.
 */
export function takeTurns<Arguments extends readonly unknown[]>(
  work: (...each: Arguments) => void,
  perTurn = 16,
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
    else waiting.push(each)
  }
}
