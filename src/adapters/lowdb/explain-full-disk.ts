import { Problem } from '../../domain/problem.ts'

const full = new Set(['ENOSPC', 'EDQUOT'])

/** What to do when there was no room to compact the store; any other error as it is. */
export function explainFullDisk(cause: unknown, directory: string, isWriting: boolean): unknown {
  if (!full.has((cause as NodeJS.ErrnoException).code ?? '')) return cause
  const advice = isWriting ? 'make some first' : stopped
  const detail = `There is no room left on the disk of ${directory}: compaction writes the store anew before it takes the old files away, so ${advice}.`
  return new Problem('SERVICE_UNAVAILABLE', detail, { cause })
}

/** The journal takes nothing more after a failure. */
const stopped = 'make some first, then restart the service, which takes no writes until then'
