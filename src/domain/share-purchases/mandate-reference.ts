// SEPA direct debit implementation guidelines: at most 35 characters of this set; no slash at an end, no two in a row.
const form = /^(?!.*\/\/)(?![/ ])[A-Za-z0-9+?/\-:().,' ]{1,35}(?<![/ ])$/

export function isMandateReference(text: string): boolean {
  return form.test(text)
}

/** One per order, and as long as the id without its hyphens: 32 characters. */
export function issueMandateReference(sharePurchaseId: string): string {
  return sharePurchaseId.replaceAll('-', '').toUpperCase()
}
