import { countrySpecs, isValidIBAN, ValidationErrorsIBAN, validateIBAN } from 'ibantools'

/** Of an IBAN or a BIC. */
export function electronicForm(text: string): string {
  return text.replaceAll(' ', '').toUpperCase()
}

/** What is wrong with an IBAN that people may write in groups of four; undefined when nothing is. */
export function ibanFault(text: string): string | undefined {
  // Checked before upper-casing, which turns letters such as "ı" into ASCII ones.
  if (!/^[a-z0-9 ]+$/i.test(text)) return 'must be an IBAN, of letters, digits and spaces'
  const iban = electronicForm(text)
  if (isValidIBAN(iban)) return undefined
  const country = iban.slice(0, 2)
  const length = countrySpecs[country]?.chars
  if (!length) return 'must be an IBAN that begins with the code of a country that has IBANs'
  if (iban.length !== length) {
    return `must be an IBAN of ${length} characters, as all of ${country} are, and has ${iban.length}`
  }
  const { errorCodes } = validateIBAN(iban)
  const isOfForm = !errorCodes.some((code) => formErrors.includes(code))
  return isOfForm
    ? 'must be an IBAN with a correct checksum'
    : `must be an IBAN in the form that ${country} gives it`
}

const formErrors: readonly ValidationErrorsIBAN[] = [
  ValidationErrorsIBAN.WrongBBANFormat,
  ValidationErrorsIBAN.ChecksumNotNumber,
]

/** Spec gap: enough to recognise, not enough to use; see DECISIONS.md, mask. */
export function maskIban(iban: string): string {
  return `${iban.slice(0, 4)}****${iban.slice(-4)}`
}
