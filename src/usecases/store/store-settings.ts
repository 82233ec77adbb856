import { Problem } from '../../domain/problem.ts'
import type { Settings } from '../../ports/collections.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'
import { firstChange } from './renew-keys.ts'

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
  // A store that has moved accepts no writes. Its records are searched without their terms.
  return stored.sealedSearchKey ? stored : writeSettings(service).catch(() => stored)
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
  const sealedSearchKey = vault.createKey()
  return store.write(subjects.all('settings'), async ({ settings, organizations }) => {
    const stored = await settings.get()
    if (stored?.sealedSearchKey) return stored
    // Without `keyChange`, the terms of the records are still to be made, as after a salvage without settings.
    const isNew = !stored && (await organizations.list()).length === 0
    const first = { environment, createdAt: clock.now(), ...(isNew && { keyChange: firstChange }) }
    const claimed = { ...(stored ?? first), sealedSearchKey }
    await settings.put(claimed)
    return claimed
  })
}
