import { gunzipSync } from 'node:zlib'
import { runOperation } from '../../operations/run-operation.ts'
import type { Service } from '../../usecases/service.ts'

export async function hasClient({ store }: Service, clientId: string): Promise<boolean> {
  return (await store.read(({ clients }) => clients.get(clientId))) !== undefined
}

export async function applyDemoData(service: Service): Promise<void> {
  // Large, and only read here.
  const { gzippedDemoData } = await import('./demo-data.ts')
  const text = gunzipSync(Buffer.from(gzippedDemoData, 'base64')).toString()
  await runOperation(service, 'fixtures.apply', JSON.parse(text))
}

/** As `fixtures apply` does. */
export async function applyFixtureFiles(service: Service, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  // Most starts read no file, and need no YAML.
  const { readFixtureFiles } = await import('../read-fixture-files.ts')
  const files = await readFixtureFiles(paths)
  try {
    await runOperation(service, 'fixtures.apply', files.input)
  } catch (error) {
    throw files.explain(error)
  }
}
