import { isIP } from 'node:net'

/** IPv6 without brackets, which only a URL needs. */
export function hostnameOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/**
 * What a TLS handshake names, and a certificate must be valid for: the host name without a dot at its end (RFC 6066 3).
 * An address is never named.
 */
export function serverNameOf(hostname: string): string {
  return isIP(hostname) ? '' : hostname.replace(/\.$/, '')
}
