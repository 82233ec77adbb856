import { lookup } from 'node:dns/promises'

/** Every address of a name, the ones to try first in front. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/** As the machine resolves names: its hosts file, its search domains, its order of addresses. */
export const resolveHost: ResolveHost = async (hostname) => {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}
