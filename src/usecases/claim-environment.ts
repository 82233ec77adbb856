import { Problem } from '../domain/problem.ts'
import type { Settings } from '../ports/store.ts'
import type { Service } from './service.ts'

/** Written at the first start. From then on, the store serves no other environment: credentials do not cross over. */
export async function claimEnvironment(service: Service): Promise<void> {
  const { environment } = service.settings
  const read = await service.store.read(({ settings }) => settings.get())
  const stored = read ?? (await writeSettings(service))
  if (stored.environment !== environment) throw environmentMismatch(stored.environment, environment)
}

export function environmentMismatch(stored: string, asked: string): Problem {
  return new Problem(
    'ENVIRONMENT_MISMATCH',
    `This store belongs to ${stored}, and ${asked} was asked for. Give --environment ${stored} or set COOPSHARE_ENVIRONMENT, if that is what you mean.`,
  )
}

/** Returns what is stored then: another instance may have been the first. */
function writeSettings({ store, clock, settings: { environment } }: Service): Promise<Settings> {
  const own = { environment, createdAt: clock.now() }
  return store.write('settings', async ({ settings }) => {
    const stored = await settings.get()
    if (stored) return stored
    await settings.put(own)
    return own
  })
}
