import { Problem } from '../../domain/problem.ts'
import type { Settings } from '../../ports/collections.ts'
import {
  createSearchTerms,
  openSearchTerms,
  type SearchTerms,
  searchKeyPurpose,
} from '../investors/search-terms.ts'
import type { Service } from '../service.ts'

type Opened = Pick<Service, 'store' | 'clock' | 'vault' | 'settings'>

/**
 * The first start stores the environment. The store then refuses any other environment, so that
 * credentials are never used across environments.
 */
export async function claimEnvironment(service: Opened): Promise<Settings> {
  const { environment } = service.settings
  const read = await service.store.read(({ settings }) => settings.get())
  const stored = read ?? (await writeSettings(service))
  if (stored.environment !== environment) throw environmentMismatch(stored.environment, environment)
  return stored
}

/**
 * Returns the search terms for persons in this store. A store that has moved accepts no writes, so
 * its key stays derived.
 */
export async function claimSearchTerms(service: Opened, stored: Settings): Promise<SearchTerms> {
  const { vault } = service
  const { sealedSearchKey } = stored.sealedSearchKey
    ? stored
    : await writeSettings(service).catch(() => stored)
  return sealedSearchKey ? createSearchTerms(vault.open(sealedSearchKey)) : openSearchTerms(vault)
}

export function environmentMismatch(stored: string, asked: string): Problem {
  return new Problem(
    'ENVIRONMENT_MISMATCH',
    `This store belongs to ${stored}, but the command is for ${asked}${asked === 'staging' ? ', the default' : ''}. If you mean ${stored}, pass --environment ${stored} or set COOPSHARE_ENVIRONMENT.`,
  )
}

/** Returns the stored settings, which another instance may have written first. */
function writeSettings({
  store,
  clock,
  vault,
  settings: { environment },
}: Opened): Promise<Settings> {
  const sealedSearchKey = vault.seal(vault.derive(searchKeyPurpose))
  const own = { environment, createdAt: clock.now(), sealedSearchKey }
  return store.write('settings', async ({ settings }) => {
    const stored = await settings.get()
    if (stored?.sealedSearchKey) return stored
    const claimed = { ...own, ...stored }
    await settings.put(claimed)
    return claimed
  })
}
