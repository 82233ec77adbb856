import { gunzipSync } from 'node:zlib'
import { Problem } from '../../domain/problem.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import { type Output, runOperation } from '../../operations/operations.ts'
import type { Service } from '../../usecases/service.ts'

export interface Credentials {
  readonly client_id: string
  readonly client_secret: string
}

/**
 * The credentials of the first client in fixtures/demo.yaml. They are repeated here, because every greeting shows
 * them and reading the demo data takes a fifth of a start.
 */
export const demoCredentials: Credentials = {
  client_id: 'd0000000-0000-4000-8000-000000000001',
  client_secret: 'demo-bank-full-secret-for-staging-only',
}

export async function hasClient({ store }: Service, clientId: string): Promise<boolean> {
  return (await store.read(({ clients }) => clients.get(clientId))) !== undefined
}

export async function applyDemoData(service: Service): Promise<void> {
  // The module is large.
  const { gzippedDemoData } = await import('./demo-data.ts')
  const text = gunzipSync(Buffer.from(gzippedDemoData, 'base64')).toString()
  try {
    await runOperation(service, 'fixtures.apply', JSON.parse(text))
  } catch (error) {
    throw refusalByClock(service, text) ?? error
  }
}

/** Nobody sees the lines of the demo data, so a list of fields would not help. */
function refusalByClock({ clock }: Service, demoData: string): Problem | undefined {
  const given = [...demoData.matchAll(/"given_at":"([^"]+)"/g)]
  const latestMs = Math.max(...given.map(([, instant = '']) => Date.parse(instant)))
  const [now, latest] = [clock.now(), toTimestamp(new Date(latestMs))]
  if (latest <= now) return undefined
  return new Problem(
    'VALIDATION_ERROR',
    `The clock shows ${now}, but the demo data has consents given as late as ${latest}. Start the clock later (--now), or use your own fixtures.`,
  )
}

/** @returns the credentials of the first client that got a secret */
export async function applyFixtureFiles(
  service: Service,
  paths: readonly string[],
): Promise<Credentials | undefined> {
  if (paths.length === 0) return undefined
  // Most starts need no YAML parser.
  const { readFixtureFiles } = await import('../read-fixture-files.ts')
  const files = await readFixtureFiles(paths)
  try {
    const applied = await runOperation(service, 'fixtures.apply', files.input)
    const [first] = (applied as Output<'fixtures.apply'>).clients
    return first && { client_id: first.client_id, client_secret: first.client_secret }
  } catch (error) {
    throw files.explain(error)
  }
}
