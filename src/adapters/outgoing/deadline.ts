/**
 * Aborts the work when `outer` is aborted, or after `timeoutMs`, with a TimeoutError; the work may also start the deadline
 * itself. `AbortSignal.any` would do the same, but Node 20 keeps an entry for each in a signal that outlives them.
 */
export async function withDeadline<Result>(
  {
    outer,
    timeoutMs,
  }: { readonly outer: AbortSignal | null | undefined; readonly timeoutMs?: number },
  work: (signal: AbortSignal, startDeadline: (timeoutMs: number) => void) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const follow = () => controller.abort(outer?.reason)
  if (outer?.aborted) follow()
  outer?.addEventListener('abort', follow, { once: true })
  let late: NodeJS.Timeout | undefined
  const startDeadline = (ms: number) => {
    clearTimeout(late)
    late = setTimeout(() => controller.abort(timeout()), ms)
  }
  if (timeoutMs !== undefined) startDeadline(timeoutMs)
  try {
    return await work(controller.signal, startDeadline)
  } finally {
    clearTimeout(late)
    outer?.removeEventListener('abort', follow)
  }
}

function timeout(): DOMException {
  return new DOMException('It was not done in time.', 'TimeoutError')
}

/** For what cannot be aborted itself: it may go on, but its caller waits no longer. */
export function abortable<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
