import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { Problem } from '../../domain/problem.ts'
import type { ReadableRecords } from '../../ports/store.ts'

/** For operators, who see unpublished ones too and know a cooperative by its key. */
export async function requireCooperative(
  { cooperatives }: ReadableRecords,
  idOrKey: string,
): Promise<Cooperative> {
  const cooperative =
    (await cooperatives.get(idOrKey.toLowerCase())) ?? (await cooperatives.findByKey(idOrKey))
  if (!cooperative) {
    throw new Problem(
      'COOPERATIVE_NOT_FOUND',
      `No cooperative has the id or key ${idOrKey}. "coopshare cooperative list" shows all of them.`,
    )
  }
  return cooperative
}
