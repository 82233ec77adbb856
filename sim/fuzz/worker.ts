// One process of a fuzzing: takes tasks from its parent, and answers with what came of each.
import { type FuzzedRequest, type FuzzResult, fuzzRequests, replayRequests } from './requests.ts'
import { fuzzStoreBytes } from './store-bytes.ts'

export type FuzzTask =
  | { readonly kind: 'requests' | 'store'; readonly seed: number; readonly count: number }
  | { readonly kind: 'corpus'; readonly requests: readonly FuzzedRequest[] }

process.on('message', (task: FuzzTask) => {
  void work(task).then((result) => process.send?.(result))
})

function work(task: FuzzTask): Promise<FuzzResult> {
  if (task.kind === 'corpus') return replayRequests(task.requests)
  return task.kind === 'requests'
    ? fuzzRequests(task.seed, task.count)
    : fuzzStoreBytes(task.seed, task.count)
}
