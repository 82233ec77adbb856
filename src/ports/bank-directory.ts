export interface BankDetails {
  readonly bic: string | null
  readonly institution: string | null
  /**
   * Whether the partner still has to send the missing values: the lookup was unavailable, or the
   * German bank code does not exist. Otherwise nobody can be expected to know these values.
   */
  readonly isOutstanding: boolean
}

/**
 * Derives bank data from an IBAN. Never throws: values that cannot be derived are null (spec:
 * Managed investor and profile).
 */
export interface BankDirectory {
  /** @param iban a valid IBAN in electronic format (ISO 13616) */
  lookUp(iban: string): Promise<BankDetails>
}
