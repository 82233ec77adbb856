/** What one check of an endpoint has found. */
export interface Finding {
  /** `warning`: events arrive, but someone should look at it. */
  readonly result: 'ok' | 'warning' | 'failed' | 'skipped'
  /** A sentence for people. */
  readonly detail: string
}

export function ok(detail: string): Finding {
  return { result: 'ok', detail }
}

export function warning(detail: string): Finding {
  return { result: 'warning', detail }
}

export function failed(detail: string): Finding {
  return { result: 'failed', detail }
}
