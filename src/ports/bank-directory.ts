export interface BankDetails {
  readonly bic: string | null
  readonly institution: string | null
  /**
   * Whether the partner still has to send what is null here: the look-up was unavailable, or the bank code is German and
   * does not exist. Otherwise nobody can be expected to know it.
   */
  readonly isOutstanding: boolean
}

/** Answers what can be derived from an IBAN. It never throws: what cannot be derived is null (spec: Managed investor and profile). */
export interface BankDirectory {
  /** `iban` is valid and in electronic form. */
  lookUp(iban: string): Promise<BankDetails>
}
