// SEPA direct debit implementation guidelines: at most 35 characters of this set; no slash at an end, no two in a row.
const form = /^(?!.*\/\/)(?![/ ])[A-Za-z0-9+?/\-:().,' ]{1,35}(?<![/ ])$/

export function isMandateReference(text: string): boolean {
  return form.test(text)
}

/** One per order, and as long as the id without its hyphens: 32 characters. */
export function issueMandateReference(sharePurchaseId: string): string {
  return sharePurchaseId.replaceAll('-', '').toUpperCase()
}

/** Banks do not tell upper from lower case. */
export function foldMandateReference(reference: string): string {
  return reference.toLowerCase()
}

/** The id of the order that a reference would have been issued for. */
export function orderOfIssuedReference(reference: string): string | undefined {
  const [, ...parts] =
    /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(foldMandateReference(reference)) ?? []
  return parts.length > 0 ? parts.join('-') : undefined
}
