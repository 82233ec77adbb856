import { lookup, Resolver } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { readText } from '../../machine/files.ts'

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

/** Each address once, in whatever spellings it is given. */
export function distinctAddresses(addresses: readonly string[]): readonly string[] {
  const spelled = addresses.map((address) =>
    ipaddr.isValid(address) ? ipaddr.process(address).toString() : address,
  )
  return [...new Set(spelled)]
}

/** Returns all addresses of a name, in the order in which to try them. Nobody waits for them after an abort. */
export type ResolveHost = (hostname: string, signal?: AbortSignal) => Promise<readonly string[]>

/** The name servers of a VPN on macOS, and the hosts file of Windows, are not in the files below. */
const hasOtherSources = ['darwin', 'win32'].includes(process.platform)

/**
 * Resolves names as the machine does, with its hosts file and search domains, but never holds a thread while the name
 * server of a partner is silent. `lookup` holds one until the system gives up, often for 10 s. Node has only two threads
 * for lookups, so two silent names would stop the deliveries to all other names.
 */
export const resolveHost: ResolveHost = async (hostname, signal) => {
  if (hasOtherSources || (await isLocalName(hostname))) return lookUp(hostname)
  try {
    return await askNameServers(hostname, signal)
  } catch (error) {
    // There is no name server to wait for. The machine may resolve names by other means.
    if (codeOf(error) === 'ECONNREFUSED') return lookUp(hostname)
    throw error
  }
}

async function lookUp(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}

/** Whether the machine or its own network has the addresses of the name, such as `localhost` and short names. */
async function isLocalName(hostname: string): Promise<boolean> {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  if (!name.includes('.') || /\.(local|localhost)$/.test(name)) return true
  const hosts = (await textOf('/etc/hosts')).toLowerCase().replace(/#.*/g, '')
  return hosts.split(/\s+/).includes(name)
}

/** A query is repeated once, because datagrams get lost. */
const patience = { timeout: 2000, tries: 2 }
const absent: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

/** IPv4 comes first: many machines cannot reach IPv6. */
async function askNameServers(
  hostname: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  // A new resolver notices changes of resolv.conf.
  const resolver = new Resolver(patience)
  signal?.addEventListener('abort', () => resolver.cancel(), { once: true })
  const faults: unknown[] = []
  for (const name of await fullNames(hostname)) {
    const asked = [resolver.resolve4(name), resolver.resolve6(name)]
    const answers = await Promise.allSettled(asked)
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    faults.push(...answers.flatMap((answer) => (answer.status === 'rejected' ? answer.reason : [])))
    if (signal?.aborted || faults.some((fault) => codeOf(fault) === 'ETIMEOUT')) break
  }
  // An alias may lead to a name without addresses, which is not a fault.
  if (faults.length === 0) return []
  throw faults.find((fault) => !absent.includes(codeOf(fault))) ?? faults[0]
}

/** The names to ask for, one after the other (resolv.conf(5), search and ndots). */
async function fullNames(hostname: string): Promise<readonly string[]> {
  if (hostname.endsWith('.')) return [hostname]
  const settings = await textOf('/etc/resolv.conf')
  const search = [...settings.matchAll(/^(?:search|domain)[ \t]+(.*)$/gm)].at(-1)?.[1] ?? ''
  const domains = search.split(/\s+/).map((domain) => domain.replace(/\.$/, ''))
  const completed = domains.filter((domain) => domain !== '').map((one) => `${hostname}.${one}`)
  const enoughDots = Number(/^options\b.*\bndots:(\d+)/m.exec(settings)?.[1] ?? 1)
  const dots = hostname.split('.').length - 1
  return dots >= enoughDots ? [hostname, ...completed] : [...completed, hostname]
}

/** A machine without such a file has no such settings. */
function textOf(path: string): Promise<string> {
  return readText(path).catch(() => '')
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
