import { type AddressGuard, checkedAddresses } from '../outgoing/guarded-connector.ts'
import { ConnectError } from '../outgoing/outgoing-error.ts'
import { createAddressGuard, hostnameOf } from './address-guard.ts'

/** The same check as at the moment of connecting, so that a wrong address is noticed when it is registered. */
export async function findAddressFault(
  url: string,
  guard: Partial<AddressGuard>,
): Promise<string | undefined> {
  try {
    await checkedAddresses(hostnameOf(url), createAddressGuard(guard))
    return undefined
  } catch (error) {
    return addressFaultOf(error)
  }
}

export function addressFaultOf(error: unknown): string {
  if (error instanceof ConnectError) return faults[error.failure] ?? error.message
  throw error
}

const faults: Readonly<Record<string, string>> = {
  refused: 'it does not resolve to public addresses only',
  dns: 'its host name cannot be resolved',
  timeout: 'its host name was not resolved in time',
}
