/** What this machine has run out of says nothing about a receiver. */
const exhausted = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']

export function isOwnFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return exhausted.includes(code ?? '') || isOwnFault(error.cause)
}
