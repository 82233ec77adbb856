/**
 * Aborts the work if `outer` is aborted, or after `timeoutMs` with a TimeoutError. The work may restart the deadline.
 * `AbortSignal.any` would do, but Node 20 keeps an entry for each call in a signal that lives longer.
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

export function timeout(): DOMException {
  return new DOMException('It was not done in time.', 'TimeoutError')
}

/** For work that cannot be aborted: the caller stops waiting, and the work may continue. */
export function abortable<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
