import { parseConfig } from '../src/config.ts'
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
  const config = await parseConfig(
    ['--port', '0', '--log-level', 'silent', '--data-dir', dataDirectory, ...argv],
    { defaultDataDirectory: dataDirectory, variables: {} },
  )
  const opened = await openService(config)
  try {
    return await fill(opened.service)
  } finally {
    await opened.close()
  }
}
