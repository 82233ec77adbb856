import type { AddressInspection } from '../../ports/webhook-sender.ts'
import { type AddressGuard, checkedAddresses } from '../outgoing/guarded-connector.ts'
import { isPublicAddress } from '../outgoing/is-public-address.ts'
import { createAddressGuard, hostnameOf } from './address-guard.ts'
import { addressFaultOf } from './find-address-fault.ts'

export async function inspectAddresses(
  url: string,
  guard: Partial<AddressGuard>,
): Promise<AddressInspection> {
  const all = createAddressGuard({ ...guard, allowPrivate: true })
  try {
    const addresses = await checkedAddresses(hostnameOf(url), all)
    const notPublic = addresses.filter((address) => !isPublicAddress(address))
    return { addresses, notPublic, fault: null }
  } catch (error) {
    return { addresses: [], notPublic: [], fault: addressFaultOf(error, all) }
  }
}
