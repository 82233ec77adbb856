const keys = ['id', 'type', 'created_at', 'data']

/** Whether a body may well be one that the service has written: compact, with the keys of the envelope in their order. */
export function isAsSent(body: Buffer): boolean {
  const text = body.toString()
  try {
    const json = JSON.parse(text)
    return JSON.stringify(json) === text && Object.keys(json ?? {}).join() === keys.join()
  } catch {
    return false
  }
}
