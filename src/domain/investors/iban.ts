import { isValidIBAN } from 'ibantools'

export function electronicForm(text: string): string {
  return text.replaceAll(' ', '').toUpperCase()
}

/** The electronic form, when the country's length and format and the checksum are right. People write it in groups of four. */
export function parseIban(text: string): string | undefined {
  // Checked before upper-casing, which turns letters such as "ı" into ASCII ones.
  if (!/^[a-z0-9 ]+$/i.test(text)) return undefined
  const iban = electronicForm(text)
  return isValidIBAN(iban) ? iban : undefined
}

/** Spec gap: enough to recognise, not enough to use; see DECISIONS.md, mask. */
export function maskIban(iban: string): string {
  return `${iban.slice(0, 4)}****${iban.slice(-4)}`
}
