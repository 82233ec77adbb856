import ipaddr from 'ipaddr.js'

// Public by its range, but inside Azure it is the host that hands out machine secrets.
const cloudHosts = ['168.63.129.16']

const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** `ip` in any spelling, IPv4 in IPv6 included. What is no address is not public. */
export function isPublicAddress(ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  if (address.range() !== 'unicast') return false
  // IPv6 outside of what is given out today, such as ::808:808, which a gateway may turn into something else.
  if (address instanceof ipaddr.IPv6) return address.match(globalUnicast)
  return !cloudHosts.includes(address.toString())
}
