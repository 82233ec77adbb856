import type { Config } from '../config.ts'
import type { ActingOperator } from '../domain/operators/operator.ts'
import { Problem } from '../domain/problem.ts'
import type { OpenedService } from '../open-service.ts'
import {
  auditBackup,
  type Caller,
  requireRoleForWork,
  serviceForOperator,
} from '../operations/run-audited.ts'
import type { Connection } from './connection.ts'
import { explainStoreFailure } from './explain-system-error.ts'

type LocalConfig = Pick<Config, 'dataDirectory' | 'environment' | 'allowPrivateWebhooks'>

export function createLocalConnection(
  { service, close }: OpenedService,
  config: LocalConfig,
  operator: ActingOperator,
): Connection {
  const caller = (): Caller => ({ operator, via: 'command', requestId: service.random.traceId() })
  const forOperator = () => serviceForOperator(service, caller())
  return {
    call: (name, input) =>
      forOperator()
        .call(name, input)
        .catch((error) => {
          throw explainRefusedUrl(explainStoreFailure(error, config.dataDirectory), config)
        }),
    list: (name, input) => explained(forOperator().list(name, input), config.dataDirectory),
    webhookAdvice: mayAllowPrivate(config) ? privateWebhooksAdvice : undefined,
    backup: async function* () {
      await requireRoleForWork(service, caller(), 'store.backup')
      await auditBackup(service, caller())
      yield* service.storeAdmin.backup()
    },
    close,
  }
}

async function* explained<Row>(
  rows: AsyncIterable<Row>,
  dataDirectory: string,
): AsyncGenerator<Row> {
  try {
    yield* rows
  } catch (error) {
    throw explainStoreFailure(error, dataDirectory)
  }
}

/** Adds advice, because this process cannot know the settings of a running service. */
function explainRefusedUrl(error: unknown, config: LocalConfig): unknown {
  const isRefused = error instanceof Problem && error.code === 'WEBHOOK_URL_REFUSED'
  if (!isRefused || !mayAllowPrivate(config)) return error
  return new Problem(error.code, `${error.message} ${privateWebhooksAdvice}`, error.extra)
}

function mayAllowPrivate({ environment, allowPrivateWebhooks }: LocalConfig): boolean {
  return environment === 'staging' && !allowPrivateWebhooks
}

const privateWebhooksAdvice =
  'This command opens the store itself and does not know the settings of a running service. If the service has --allow-private-webhooks, also set COOPSHARE_ALLOW_PRIVATE_WEBHOOKS=true for this command.'
