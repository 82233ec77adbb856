import { Problem } from '../domain/problem.ts'
import type { Settings } from '../ports/collections.ts'
import type { Service } from './service.ts'

/**
 * The first start stores the environment. The store then refuses any other one, so that
 * credentials are never used across environments.
 */
export async function claimEnvironment(service: Service): Promise<void> {
  const { environment } = service.settings
  const read = await service.store.read(({ settings }) => settings.get())
  const stored = read ?? (await writeSettings(service))
  if (stored.environment !== environment) throw environmentMismatch(stored.environment, environment)
}

export function environmentMismatch(stored: string, asked: string): Problem {
  return new Problem(
    'ENVIRONMENT_MISMATCH',
    `This store belongs to ${stored}, but you asked for ${asked}. If you mean ${stored}, pass --environment ${stored} or set COOPSHARE_ENVIRONMENT.`,
  )
}

/** Returns the stored settings, which another instance may have written first. */
function writeSettings({ store, clock, settings: { environment } }: Service): Promise<Settings> {
  const own = { environment, createdAt: clock.now() }
  return store.write('settings', async ({ settings }) => {
    const stored = await settings.get()
    if (stored) return stored
    await settings.put(own)
    return own
  })
}
