type Answers<Reads> = { readonly [Name in keyof Reads]: Awaited<Reads[Name]> }

/**
 * Waits for all reads that a work needs. A database answers them in one round trip, because they are asked in one turn
 * of the event loop. Reads that are asked one after the other need a round trip each.
 */
export async function readTogether<Reads extends Readonly<Record<string, unknown>>>(
  reads: Reads,
): Promise<Answers<Reads>> {
  const answers = await Promise.all(Object.values(reads))
  const named = Object.keys(reads).map((name, index) => [name, answers[index]])
  return Object.fromEntries(named) as Answers<Reads>
}
