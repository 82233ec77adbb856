import type { AddressGuard } from '../outgoing/guarded-connector.ts'
import { resolveHost } from '../outgoing/resolve-host.ts'

export function createAddressGuard({
  allowPrivate = false,
  resolve = resolveHost,
  connectTimeoutMs = 5000,
}: Partial<AddressGuard>): AddressGuard {
  return { allowPrivate, resolve, connectTimeoutMs }
}

/** IPv6 without its brackets, which only a URL needs. */
export function hostnameOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}
