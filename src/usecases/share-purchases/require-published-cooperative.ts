import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { Problem } from '../../domain/problem.ts'
import type { ReadableRecords } from '../../ports/store.ts'

/** For partners: what is not published is not there. */
export async function requirePublishedCooperative(
  { cooperatives }: ReadableRecords,
  cooperativeId: string,
): Promise<Cooperative> {
  const cooperative = await cooperatives.get(cooperativeId)
  if (cooperative?.published) return cooperative
  throw new Problem('COOPERATIVE_NOT_FOUND', 'No published cooperative has this cooperative_id.')
}
