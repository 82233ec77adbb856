import { networkInterfaces } from 'node:os'

/** What this machine has run out of, or is cut off from, says nothing about a receiver. */
const ownCodes = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETDOWN']

export function isOwnFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, address = '' } = error as NodeJS.ErrnoException & { readonly address?: string }
  return (
    ownCodes.includes(code ?? '') ||
    // A receiver with nothing but IPv6 is out of reach of many machines for good.
    (code === 'ENETUNREACH' && !address.includes(':')) ||
    // Otherwise it is the name server of the receiver that does not answer.
    (code === 'EAI_AGAIN' && !isOnNetwork()) ||
    isOwnFault(error.cause)
  )
}

function isOnNetwork(): boolean {
  const addresses = Object.values(networkInterfaces()).flat()
  return addresses.some((address) => address !== undefined && !address.internal)
}
