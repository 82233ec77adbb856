import type { Timestamp } from '../../domain/timestamp.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Environment } from '../../usecases/service.ts'

/** The last day of support of each major version of Node, from Node's own schedule (github.com/nodejs/Release). */
const lastDays: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
  26: '2029-04-30',
}

/** @returns the last day of support; undefined if support has not ended or is unknown */
export function supportEndedOn(nodeVersion: string, now: Timestamp): string | undefined {
  const lastDay = lastDays[Number.parseInt(nodeVersion, 10)]
  return lastDay !== undefined && now.slice(0, lastDay.length) > lastDay ? lastDay : undefined
}

interface Start {
  readonly environment: Environment
  readonly logger: Logger
  readonly now: Timestamp
}

/** Deno has a schedule of its own. */
export function warnOfOldRuntime(
  { environment, logger, now }: Start,
  { node, deno }: NodeJS.ProcessVersions = process.versions,
): void {
  if (environment !== 'production' || deno !== undefined) return
  const supportEnded = supportEndedOn(node, now)
  if (supportEnded === undefined) return
  logger.warn({ node, supportEnded }, 'this version of Node gets no more security fixes')
}
