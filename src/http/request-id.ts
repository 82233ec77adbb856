const writable = /^[\x21-\x7e]{1,128}$/

/** Spec gap: only what can stand in a log is echoed; see DECISIONS.md, X-Request-Id. */
export function requestIdIn(sent: string | null | undefined): string | undefined {
  return sent && writable.test(sent) ? sent : undefined
}
