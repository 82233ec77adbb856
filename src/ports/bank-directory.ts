export interface BankDetails {
  readonly bic: string | null
  readonly institution: string | null
}

/** Answers what can be derived from an IBAN. It never throws: what cannot be derived is null (spec: Managed investor and profile). */
export interface BankDirectory {
  /** `iban` is valid and in electronic form. */
  lookUp(iban: string): Promise<BankDetails>
}
