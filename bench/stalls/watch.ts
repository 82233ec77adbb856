import { Worker } from 'node:worker_threads'

export interface Waits {
  /** The longest time that `/livez` took to answer: the longest stall of the event loop. */
  readonly livezMs: number
  readonly readyzMs: number
  /** The number of answers of `/readyz` that were not 200. */
  readonly unready: number
}

/** Asks a service for its health every few milliseconds, from a thread of its own. */
export async function watchHealth(origin: string): Promise<() => Promise<Waits>> {
  const worker = new Worker(new URL('./ask-health.mjs', import.meta.url), { workerData: origin })
  await new Promise((resolve) => worker.once('message', resolve))
  return async () => {
    const waits = new Promise<Waits>((resolve) => worker.once('message', resolve))
    worker.postMessage('stop')
    return waits
  }
}
