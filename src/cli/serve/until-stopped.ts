const signals = ['SIGTERM', 'SIGINT'] as const

let stopWaiting: ((signal: NodeJS.Signals) => void) | undefined

/**
 * Resolves at the first signal; a second one ends the process at once, as it would without us. Once `over` is aborted, the
 * next signal does that, too.
 */
export function untilStopped(over?: AbortSignal): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const leave = () => {
      for (const each of signals) process.off(each, stop)
    }
    const stop = (signal: NodeJS.Signals) => {
      leave()
      resolve(signal)
    }
    for (const signal of signals) process.on(signal, stop)
    over?.addEventListener('abort', leave, { once: true })
    stopWaiting = stop
  })
}

/** Whoever waits until stopped need not wait any longer; what else the process is at goes on. */
export function stop(): void {
  stopWaiting?.('SIGTERM')
}
