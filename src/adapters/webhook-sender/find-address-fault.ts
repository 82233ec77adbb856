import { type AddressGuard, checkedAddresses } from '../outgoing/guarded-connector.ts'
import { ConnectError } from '../outgoing/outgoing-error.ts'
import { resolveHost } from '../outgoing/resolve-host.ts'

/** The same check as at the moment of connecting, so that a wrong address is noticed when it is registered. */
export async function findAddressFault(
  url: string,
  { allowPrivate = false, resolve = resolveHost, connectTimeoutMs = 5000 }: Partial<AddressGuard>,
): Promise<string | undefined> {
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '')
  try {
    await checkedAddresses(hostname, { allowPrivate, resolve, connectTimeoutMs })
    return undefined
  } catch (error) {
    if (error instanceof ConnectError) return faults[error.failure] ?? error.message
    throw error
  }
}

const faults: Readonly<Record<string, string>> = {
  refused: 'it does not resolve to public addresses only',
  dns: 'its host name cannot be resolved',
  timeout: 'its host name was not resolved in time',
}
