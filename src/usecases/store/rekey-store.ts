import type { Rekeyed } from '../../ports/store-admin.ts'
import type { Service } from '../service.ts'
import { createKeyRenewal } from './renew-keys.ts'

/**
 * Replaces the key of the store, the key of the search and the keys of all investors, or joins the change that is running.
 * @param newKey if absent, a store that keeps its key itself makes a new one
 */
export async function rekeyStore(service: Service, newKey?: string): Promise<Rekeyed> {
  const rekeyed = await service.storeAdmin.rekey(createKeyRenewal(service), newKey)
  service.onRekeyed?.(rekeyed)
  return rekeyed
}

/** Finishes a change that a crash has interrupted. Several instances may call it at the same time. */
export async function resumeRekey(service: Service): Promise<void> {
  const rekeyed = await service.storeAdmin.resumeRekey(createKeyRenewal(service))
  if (rekeyed) service.onRekeyed?.(rekeyed)
}
