const signals = ['SIGTERM', 'SIGINT'] as const

let stopWaiting: ((signal: NodeJS.Signals) => void) | undefined

/** Resolves at the first signal; a second one ends the process at once, as it would without us. */
export function untilStopped(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      for (const each of signals) process.off(each, stop)
      resolve(signal)
    }
    for (const signal of signals) process.on(signal, stop)
    stopWaiting = stop
  })
}

/** Whoever waits until stopped need not wait any longer; what else the process is at goes on. */
export function stop(): void {
  stopWaiting?.('SIGTERM')
}
