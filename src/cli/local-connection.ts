import type { Config } from '../config.ts'
import { Problem } from '../domain/problem.ts'
import type { OpenedService } from '../open-service.ts'
import { listInBatches, runOperation } from '../operations/run-operation.ts'
import type { Connection } from './connection.ts'
import { explainStoreFailure } from './explain-system-error.ts'

/** Runs operations in this process, on a store that it has opened itself. */
export function createLocalConnection(
  { service, close }: OpenedService,
  config?: Config,
): Connection {
  return {
    call: (name, input) =>
      runOperation(service, name, input).catch((error) => {
        throw explainRefusedUrl(explainStoreFailure(error, config?.dataDirectory), config)
      }) as never,
    list: (name, input) =>
      explained(listInBatches(service, name, input) ?? [], config?.dataDirectory) as never,
    webhookAdvice: config && mayAllowPrivate(config) ? privateWebhooksAdvice : undefined,
    backup: () => service.upkeep.backup(),
    close,
  }
}

async function* explained<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  dataDirectory: string | undefined,
): AsyncGenerator<Row> {
  try {
    yield* rows
  } catch (error) {
    throw explainStoreFailure(error, dataDirectory)
  }
}

/** Whether a running service has that setting, this process cannot know. */
function explainRefusedUrl(error: unknown, config: Config | undefined): unknown {
  const isRefused = error instanceof Problem && error.code === 'WEBHOOK_URL_REFUSED'
  if (!isRefused || !config || !mayAllowPrivate(config)) return error
  return new Problem(error.code, `${error.message} ${privateWebhooksAdvice}`, error.extra)
}

function mayAllowPrivate({ environment, allowPrivateWebhooks }: Config): boolean {
  return environment === 'staging' && !allowPrivateWebhooks
}

const privateWebhooksAdvice =
  'This command works on the store itself and knows no settings of a running service: if that has --allow-private-webhooks, set COOPSHARE_ALLOW_PRIVATE_WEBHOOKS=true for this command, too.'
