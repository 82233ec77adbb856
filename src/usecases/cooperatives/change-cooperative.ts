import { isDeepStrictEqual } from 'node:util'
import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { Service } from '../service.ts'
import { requireCooperative } from './require-cooperative.ts'

type Changes = Partial<Pick<Cooperative, 'published' | 'sharePrice'>>

/** What changes nothing is not written, so it moves neither `updatedAt` nor the catalogue's tags. */
export function changeCooperative(
  { store, clock }: Service,
  idOrKey: string,
  changes: Changes,
): Promise<Cooperative> {
  return store.write('catalogue', async (records) => {
    const cooperative = await requireCooperative(records, idOrKey)
    const changed = { ...cooperative, ...changes }
    if (isDeepStrictEqual(changed, cooperative)) return cooperative
    const stamped = { ...changed, updatedAt: clock.now() }
    await records.cooperatives.put(stamped)
    return stamped
  })
}
