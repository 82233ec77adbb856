interface Stoppable {
  stop(): Promise<void>
}

type StopAtEnd = <Started extends Stoppable>(started: Started) => Started

/** Runs the work, and then stops everything that the work has registered, in reverse order. */
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
