const signals = ['SIGTERM', 'SIGINT'] as const

/** Resolves at the first signal; a second one ends the process at once, as it would without us. */
export function untilStopped(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      for (const each of signals) process.off(each, stop)
      resolve(signal)
    }
    for (const signal of signals) process.on(signal, stop)
  })
}
