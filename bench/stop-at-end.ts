interface Stoppable {
  stop(): Promise<void>
}

type StopAtEnd = <Started extends Stoppable>(started: Started) => Started

/** Runs it, and then stops what it has registered, the last one first. */
export async function stoppingAtEnd<Answer>(
  run: (stopAtEnd: StopAtEnd) => Promise<Answer>,
): Promise<Answer> {
  const started: Stoppable[] = []
  try {
    return await run((one) => {
      started.unshift(one)
      return one
    })
  } finally {
    for (const one of started) await one.stop()
  }
}
