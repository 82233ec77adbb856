import { describePlace } from '../../config/store-place.ts'
import type { Config } from '../../config.ts'
import { Problem } from '../../domain/problem.ts'
import type { Service } from '../../usecases/service.ts'
import { applyDemoData, applyFixtureFiles, hasClient } from './apply-at-start.ts'
import { demoCredentials } from './demo-credentials.ts'
import { renderGreeting } from './greeting.ts'
import { prepareMails } from './prepare-mails.ts'
import { type Serving, startServing } from './start-serving.ts'
import { untilStopped } from './until-stopped.ts'

export interface ServeOptions {
  /** Called once, when requests are answered: with text for people, and with data for scripts. */
  readonly greet: (ready: { readonly text: string; readonly data: unknown }) => void
}

/** Serves until the process is told to stop. */
export async function serve(config: Config, { greet }: ServeOptions): Promise<void> {
  refuseDemoInProduction(config)
  await prepareMails(config)
  const stopped = untilStopped()
  let isStarting = true
  // It may wait for a database, and nobody is served yet: what a start does is one transaction, or is begun anew.
  void stopped.then(() => isStarting && process.exit(0))
  const credentials = config.demo ? demoCredentials : undefined
  const serving = await startServing(config, async (service: Service) => {
    // What an operator has changed in the demo data stays changed.
    const isLacking = credentials && !(await hasClient(service, credentials.client_id))
    if (isLacking) await applyDemoData(service)
    await applyFixtureFiles(service, config.fixtures)
  })
  isStarting = false
  greet({
    text: renderGreeting({ config, serving, credentials }),
    data: {
      base_url: serving.baseUrl,
      listening_url: serving.listeningUrl,
      operator_url: serving.operatorUrl,
      pid: process.pid,
      environment: config.environment,
      data_dir: config.dataDirectory,
      ...(config.database && { database: describePlace({ database: config.database }) }),
      ...credentials,
    },
  })
  await stopped
  if (config.drainMs > 0) await drain(serving)
  await serving.close()
}

/** A second signal ends the wait, and the next one the process. */
async function drain(serving: Serving): Promise<void> {
  const over = new AbortController()
  await serving.drain(untilStopped(over.signal))
  over.abort()
}

function refuseDemoInProduction({ demo, environment }: Config): void {
  if (!demo || environment !== 'production') return
  throw new Problem(
    'TESTING_AID_IN_PRODUCTION',
    'The secrets of the demo data are public. Leave out --demo, or use staging.',
  )
}
