import { describePlace } from '../../config/store-place.ts'
import type { Config } from '../../config.ts'
import type { Credentials } from './demo-credentials.ts'
import type { Serving } from './start-serving.ts'

interface Greeting {
  readonly config: Config
  readonly serving: Serving
  /** Of the demo client; undefined without demo data. */
  readonly credentials: Credentials | undefined
}

/** What people read when the service is ready. */
export function renderGreeting({ config, serving, credentials }: Greeting): string {
  const lines = [
    `Partner API        ${serving.baseUrl}`,
    ...(serving.listeningUrl === serving.baseUrl
      ? []
      : [`Listening on       ${serving.listeningUrl}`]),
    `Operator endpoint  ${serving.operatorUrl}`,
    `${placeOf(config)} (${config.environment})`,
    ...(credentials ? renderDemo(config, serving, credentials) : []),
  ]
  return lines.join('\n')
}

function placeOf({ database, dataDirectory }: Config): string {
  return database
    ? `Database           ${describePlace({ database })}`
    : `Data directory     ${dataDirectory}`
}

function renderDemo(config: Config, { baseUrl }: Serving, credentials: Credentials): string[] {
  const { client_id, client_secret } = credentials
  // Nobody trusts the certificate that is made at each start.
  const curl = config.https && !config.httpsFiles ? 'curl -sk' : 'curl -s'
  const authorized = `${curl} -H "Authorization: Bearer $TOKEN"`
  return [
    '',
    `client_id          ${client_id}`,
    `client_secret      ${client_secret}`,
    '',
    'Get a token, read the catalogue, register an investor:',
    '',
    `TOKEN=$(${curl} -u ${client_id}:${client_secret} -d grant_type=client_credentials ${baseUrl}/oauth2/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `${authorized} '${baseUrl}/v1/cooperatives?size=3'`,
    `${authorized} -H 'Content-Type: application/json' -d '{"partner_customer_ref":"first-customer"}' ${baseUrl}/v1/investors`,
  ]
}
