const keys = ['id', 'type', 'created_at', 'data']

/** Whether a body may well be one that the service has written: compact, with the keys of the envelope in their order, and of the type that its status asks for. */
export function isAsSent(body: Buffer): boolean {
  const text = body.toString()
  try {
    const json = JSON.parse(text)
    const isCompact =
      JSON.stringify(json) === text && Object.keys(json ?? {}).join() === keys.join()
    return isCompact && json.type === `share_purchase.${json.data?.status}`
  } catch {
    return false
  }
}
