import { getRequestIP, type H3Event } from 'h3'
import ipaddr from 'ipaddr.js'

/**
 * Who calls, as rate limits count it. `trustedHops` proxies of ours stand in front: each has put the address that
 * called it at the right end of X-Forwarded-For. What stands further left is the caller's own claim.
 */
export function callingAddress(event: H3Event, trustedHops: number): string {
  return network(forwardedAddress(event, trustedHops) ?? getRequestIP(event) ?? 'unknown')
}

function forwardedAddress(event: H3Event, trustedHops: number): string | undefined {
  if (trustedHops === 0) return undefined
  const header = event.req.headers.get('x-forwarded-for')
  const hops = header?.split(',') ?? []
  const hop = hops.at(Math.max(-trustedHops, -hops.length))?.trim() ?? ''
  const address = withoutPort(hop)
  return ipaddr.isValid(address) ? address : undefined
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const [, inBrackets, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/.exec(hop) ?? []
  return inBrackets ?? plain ?? hop
}

/** A caller on IPv6 has a whole /64 to choose addresses from. */
function network(address: string): string {
  if (!address.includes(':')) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
}
