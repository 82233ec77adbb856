import { Problem } from '../domain/problem.ts'
import type { Service } from './service.ts'

/** Written at the first start. From then on, the store serves no other environment: credentials do not cross over. */
export async function claimEnvironment(service: Service): Promise<void> {
  const { environment } = service.settings
  const stored = await service.store.read(({ settings }) => settings.get())
  if (!stored) return writeSettings(service)
  if (stored.environment !== environment) throw environmentMismatch(stored.environment, environment)
}

export function environmentMismatch(stored: string, asked: string): Problem {
  return new Problem(
    'ENVIRONMENT_MISMATCH',
    `This store belongs to ${stored}, and ${asked} was asked for. Give --environment ${stored} or set COOPSHARE_ENVIRONMENT, if that is what you mean.`,
  )
}

async function writeSettings({ store, clock, settings }: Service): Promise<void> {
  const createdAt = clock.now()
  await store.write(async (records) => {
    await records.settings.put({ environment: settings.environment, createdAt })
  })
}
