declare const sealed: unique symbol

/** Text encrypted at rest; only the vault port makes one and opens it. */
export type Sealed = string & { readonly [sealed]: true }

/** What is sealed, and the key of the record that has it. */
export type SealedPlace = readonly [what: string, ...key: readonly string[]]

/**
 * Where each text belongs. It can be opened nowhere else: whoever writes to the database and has no key could otherwise
 * give what one partner's investor has to another partner's, and read it there.
 */
export const sealedPlaces = {
  privateJwk: placeOf('privateJwk', 'kid'),
  personalData: placeOf('personalData', 'organizationId', 'investorId'),
  debtorIban: placeOf('debtorIban', 'organizationId', 'sharePurchaseId'),
  requestDigest: placeOf('requestDigest', 'organizationId', 'clientId', 'key'),
  signingSecret: placeOf('signingSecret', 'organizationId', 'webhookEndpointId'),
}

function placeOf<Field extends string>(what: string, ...fields: readonly Field[]) {
  return (record: Readonly<Record<Field, string>>): SealedPlace => [
    what,
    ...fields.map((field) => record[field]),
  ]
}
