import { Problem } from '../../domain/problem.ts'
import type { Settings } from '../../ports/collections.ts'
import { subjects } from '../../ports/subjects.ts'
import { searchVersion } from '../investors/search-terms.ts'
import type { Service } from '../service.ts'

type Opened = Pick<Service, 'store' | 'clock' | 'vault' | 'settings'>

/**
 * The first start stores the environment. The store then refuses any other environment, so that
 * credentials are never used across environments.
 */
export async function claimSettings(service: Opened): Promise<Settings> {
  const { environment } = service.settings
  const read = await service.store.read(({ settings }) => settings.get())
  const stored = read ?? (await writeSettings(service))
  if (stored.environment !== environment) throw environmentMismatch(stored.environment, environment)
  return stored
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
  const first: Settings = {
    environment,
    createdAt: clock.now(),
    encryptedSearchKey: vault.createKey(),
    searchVersion,
    keyChange: 'first',
  }
  return store.write(subjects.all('settings'), async ({ settings, organizations }) => {
    const stored = await settings.get()
    if (stored) return stored
    // After a salvage without settings, the search terms of the records are those of a lost key.
    const isSalvaged = (await organizations.list()).length > 0
    const claimed: Settings = isSalvaged ? { ...first, keyRenewal: 'investors' } : first
    await settings.put(claimed)
    return claimed
  })
}
