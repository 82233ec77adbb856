import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { applyAtStart, readDemoCredentials } from './apply-at-start.ts'
import { renderGreeting } from './greeting.ts'
import { startServing } from './start-serving.ts'
import { untilStopped } from './until-stopped.ts'

export interface ServeOptions {
  /** Where the demo data is. */
  readonly packageRoot: string
  /** Called once, when requests are answered: with text for people, and with data for scripts. */
  readonly greet: (ready: { readonly text: string; readonly data: unknown }) => void
}

/** Serves until the process is told to stop. */
export async function serve(config: Config, { packageRoot, greet }: ServeOptions): Promise<void> {
  const stopped = untilStopped()
  const demoFile = join(packageRoot, 'fixtures', 'demo.yaml')
  const serving = await startServing(config, (service) => applyAtStart(service, config, demoFile))
  const credentials = config.demo ? await readDemoCredentials(demoFile) : undefined
  greet({
    text: renderGreeting({ config, serving, credentials }),
    data: {
      base_url: serving.baseUrl,
      operator_url: serving.operatorUrl,
      pid: process.pid,
      environment: config.environment,
      data_dir: config.dataDirectory,
      ...credentials,
    },
  })
  await stopped
  await serving.close()
}
