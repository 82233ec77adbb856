declare module 'iban-to-bic' {
  const library: { readonly ibanToBic: (iban: string) => string | undefined }
  export default library
}
