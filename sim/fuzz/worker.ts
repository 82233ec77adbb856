// A process that fuzzes simulated worlds. It gets tasks from its parent and returns the result of
// each.
import { type CorpusRequest, replayRequests } from './corpus.ts'
import { fuzzRequests } from './requests.ts'
import type { FuzzResult } from './result.ts'
import { fuzzStoreBytes } from './store-bytes.ts'

export type FuzzTask =
  | { readonly kind: 'requests' | 'store'; readonly seed: number; readonly count: number }
  | { readonly kind: 'corpus'; readonly requests: readonly CorpusRequest[] }

const uncaught: string[] = []
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: Error) => uncaught.push(`${event}: ${error.stack ?? String(error)}`))
}

process.on('message', (task: FuzzTask) => {
  void work(task).then((result) => {
    const thrown = uncaught.splice(0).map((fault) => ({ fault, input: null }))
    process.send?.({ ...result, findings: [...result.findings, ...thrown] })
  })
})

async function work(task: FuzzTask): Promise<FuzzResult> {
  try {
    if (task.kind === 'corpus') return await replayRequests(task.requests)
    const { seed, count } = task
    return await (task.kind === 'requests'
      ? fuzzRequests(seed, count)
      : fuzzStoreBytes(seed, count))
  } catch (error) {
    const fault = `the fuzzing fails: ${(error as Error).stack}`
    return { tried: 0, outcomes: {}, findings: [{ fault, input: null }] }
  }
}
