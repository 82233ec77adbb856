import { type AddressGuard, checkedAddresses } from '../outgoing/guarded-connector.ts'
import { ConnectError } from '../outgoing/outgoing-error.ts'
import { createAddressGuard, hostnameOf } from './address-guard.ts'

/** The same check as at the moment of connecting, so that a wrong address is noticed when it is registered. */
export async function findAddressFault(
  url: string,
  guard: Partial<AddressGuard>,
): Promise<string | undefined> {
  const checking = createAddressGuard(guard)
  try {
    await checkedAddresses(hostnameOf(url), checking)
    return undefined
  } catch (error) {
    return addressFaultOf(error, checking)
  }
}

export function addressFaultOf(error: unknown, guard: Pick<AddressGuard, 'allowPrivate'>): string {
  if (!(error instanceof ConnectError)) throw error
  // Where private addresses are allowed, only those that no setting opens are refused.
  if (error.failure === 'refused' && guard.allowPrivate) return neverCalled
  return faults[error.failure] ?? error.message
}

const neverCalled =
  'its address is link-local, multicast, unspecified or for cloud metadata, and no setting opens those'
const faults: Readonly<Record<string, string>> = {
  refused: 'it does not resolve to public addresses only',
  dns: 'its host name cannot be resolved',
  timeout: 'its host name was not resolved in time',
}
