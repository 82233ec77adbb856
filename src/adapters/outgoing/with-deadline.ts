/**
 * Work that is told to end when `outer` says so, or after `timeoutMs`, with a TimeoutError. `AbortSignal.any` would do
 * the same, but Node 20 keeps an entry for each in a signal that outlives them.
 */
export async function withDeadline<Result>(
  {
    outer,
    timeoutMs,
  }: { readonly outer: AbortSignal | null | undefined; readonly timeoutMs: number },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const follow = () => controller.abort(outer?.reason)
  if (outer?.aborted) follow()
  outer?.addEventListener('abort', follow, { once: true })
  const late = setTimeout(() => controller.abort(timeout()), timeoutMs)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(late)
    outer?.removeEventListener('abort', follow)
  }
}

function timeout(): DOMException {
  return new DOMException('It was not done in time.', 'TimeoutError')
}
