import { Parser } from '@oclif/core'
import { serveFlags } from '../src/config/serve-flags.ts'
import { createConfig } from '../src/config.ts'
import { openService } from '../src/open-service.ts'
import type { Service } from '../src/usecases/service.ts'

/**
 * Opens the store that a service would open with these flags, calls `fill` with it, and closes it
 * again.
 */
export async function fillStore<Result>(
  dataDirectory: string,
  fill: (service: Service) => Promise<Result>,
  ...argv: readonly string[]
): Promise<Result> {
  const { flags } = await Parser.parse(
    ['--port', '0', '--log-level', 'silent', '--data-dir', dataDirectory, ...argv],
    { flags: serveFlags },
  )
  const surroundings = { defaultDataDirectory: dataDirectory, variables: {} }
  const config = createConfig(flags as Parameters<typeof createConfig>[0], surroundings)
  const opened = await openService(config)
  try {
    return await fill(opened.service)
  } finally {
    await opened.close()
  }
}
