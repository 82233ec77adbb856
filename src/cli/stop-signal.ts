/** A terminal sends SIGHUP when it is closed. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

let resolveWaiting: ((signal: NodeJS.Signals) => void) | undefined

/**
 * Resolves at the first signal. The second signal ends the process immediately, and so does any signal after `over`
 * is aborted.
 */
export function waitForStopSignal(over?: AbortSignal): Promise<NodeJS.Signals> {
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
    resolveWaiting = stop
  })
}

/** Acts like a signal, but does not end other work of the process. */
export function requestStop(): void {
  resolveWaiting?.('SIGTERM')
}
