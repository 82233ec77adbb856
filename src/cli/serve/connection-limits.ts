import { descriptorLimit } from '../../machine/processes.ts'

/** Each connection takes memory, and operators need only a few. */
const mostOperators = 500
/** Files, the sockets of 256 deliveries with their name servers, and connections to a database. */
const mostOwn = 640
/** What the program opens even if nobody asks for anything. */
const leastOwn = 64

export interface ConnectionLimits {
  /** undefined if the system has no limit, or does not tell it. */
  readonly partners: number | undefined
  readonly operators: number
}

/**
 * Further connections are closed immediately. Without these limits, anybody who reaches a listener could take all file
 * descriptors: the store could open no files, and operators could not look into it.
 * @param descriptors how many the process may have
 */
export function connectionLimits(descriptors = descriptorLimit()): ConnectionLimits {
  if (descriptors === undefined) return { partners: undefined, operators: mostOperators }
  const own = Math.min(mostOwn, Math.max(leastOwn, descriptors / 2))
  const left = Math.max(2, Math.floor(descriptors - own))
  const operators = Math.min(mostOperators, Math.ceil(left / 10))
  return { partners: left - operators, operators }
}
