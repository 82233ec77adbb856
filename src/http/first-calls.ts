/** The first calls of a partner, as commands to paste into a shell, one after the other. */
export interface FirstCalls {
  readonly token: string
  readonly catalogue: string
  readonly investor: string
}

interface Caller {
  readonly client_id: string
  readonly client_secret: string
}

export function firstCalls(
  baseUrl: string,
  { client_id, client_secret }: Caller,
  curl = 'curl -s',
): FirstCalls {
  const authorized = `${curl} -H "Authorization: Bearer $TOKEN"`
  return {
    token: `TOKEN=$(${curl} -u ${client_id}:${client_secret} -d grant_type=client_credentials ${baseUrl}/oauth2/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    catalogue: `${authorized} '${baseUrl}/v1/cooperatives?size=3'`,
    investor: `${authorized} -H 'Content-Type: application/json' -d '{"partner_customer_ref":"first-customer"}' ${baseUrl}/v1/investors`,
  }
}
