/** What the port calls a value that the database keeps unique by a constraint. */
const names: Readonly<Record<string, string>> = {
  organizations_name: 'name',
  cooperatives_key: 'key',
  investors_ref: 'partnerCustomerRef',
  holdings_pkey: 'cooperativeId',
  webhook_endpoints_url: 'url',
}

/** Everything else that is unique is an id. */
export function uniqueIndexOf(constraint: string): string {
  return names[constraint] ?? 'id'
}
