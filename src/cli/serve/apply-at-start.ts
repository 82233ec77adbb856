import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { runOperation } from '../../operations/run-operation.ts'
import type { Service } from '../../usecases/service.ts'
import { readFixtureFiles } from '../read-fixture-files.ts'

export interface Credentials {
  readonly client_id: string
  readonly client_secret: string
}

/** Of the first client in the demo data, for people to try. */
export async function readDemoCredentials(demoFile: string): Promise<Credentials> {
  const { organizations } = parse(await readFile(demoFile, 'utf8'))
  const { client_id, client_secret } = organizations[0].clients[0]
  return { client_id, client_secret }
}

export async function hasClient({ store }: Service, clientId: string): Promise<boolean> {
  return (await store.read(({ clients }) => clients.get(clientId))) !== undefined
}

/** As `fixtures apply` does. */
export async function applyFixtureFiles(service: Service, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  const files = await readFixtureFiles(paths)
  try {
    await runOperation(service, 'fixtures.apply', files.input)
  } catch (error) {
    throw files.explain(error)
  }
}
