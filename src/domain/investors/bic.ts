import { isValidBIC } from 'ibantools'
import { electronicForm } from './iban.ts'

/** The form of ISO 9362, of a country that exists; spaces and case do not matter. */
export function isBic(text: string): boolean {
  // Checked before upper-casing, which turns letters such as "ı" into ASCII ones.
  return /^[a-z0-9 ]+$/i.test(text) && isValidBIC(electronicForm(text))
}
