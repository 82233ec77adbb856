import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

// This address is in a public range, but inside Azure it is a host that serves machine secrets.
const cloudHosts = ['168.63.129.16']

const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** `ip` may have any spelling, including IPv4 in IPv6. Anything that is not an address is not public. */
export function isPublicAddress(ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  if (address.range() !== 'unicast') return false
  // Excludes unassigned IPv6 addresses such as ::808:808, which a gateway may translate.
  if (address instanceof ipaddr.IPv6) return address.match(globalUnicast)
  return !cloudHosts.includes(address.toString())
}

const neverCalledRanges: readonly string[] = ['unspecified', 'linkLocal', 'multicast']
/**
 * Metadata services of Alibaba, Oracle and Azure, and those of AWS and Google over IPv6. Most others are link-local.
 */
const metadataHosts = ['100.100.100.200', '192.0.0.192', ...cloudHosts]
const metadataNetworks = ['fd00:ec2::/32', 'fd20:ce::254/128'].map((text) => ipaddr.parseCIDR(text))
/** IPv6 prefixes whose last four bytes are an IPv4 address. */
const translated = ['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48'].map((text) =>
  ipaddr.parseCIDR(text),
)

/** Whether the address is refused under all settings: link-local, multicast, or a metadata service of a cloud. */
export function isNeverCalled(ip: string): boolean {
  if (!ipaddr.isValid(ip)) return true
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return isNeverCalledV4(address)
  if (address.range() === 'loopback') return false
  if (neverCalledRanges.includes(address.range())) return true
  if (metadataNetworks.some((network) => address.match(network))) return true
  return embeddedIn(address).some(isNeverCalledV4)
}

function isNeverCalledV4(address: ipaddr.IPv4): boolean {
  return neverCalledRanges.includes(address.range()) || metadataHosts.includes(address.toString())
}

/** The IPv4 addresses to which a gateway may forward. */
function embeddedIn(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray()
  const last = bytes.slice(12)
  if (translated.some((prefix) => address.match(prefix))) return [new ipaddr.IPv4(last)]
  if (address.range() === '6to4') return [new ipaddr.IPv4(bytes.slice(2, 6))]
  if (address.range() !== 'teredo') return []
  // RFC 4380 4: all bits of the client's address are inverted.
  return [new ipaddr.IPv4(bytes.slice(4, 8)), new ipaddr.IPv4(last.map((byte) => byte ^ 0xff))]
}

/** Returns all addresses of a name, in the order in which to try them. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/** Resolves names as the machine does: with its hosts file, search domains and order of addresses. */
export const resolveHost: ResolveHost = async (hostname) => {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}
