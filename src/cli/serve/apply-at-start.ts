import type { Config } from '../../config.ts'
import type { Service } from '../../usecases/service.ts'
import type { Credentials } from './greeting.ts'

export async function applyAtStart(_s: Service, _c: Config, _f: string): Promise<void> {}
export async function readDemoCredentials(_f: string): Promise<Credentials | undefined> {
  return undefined
}
