import { isValidBIC } from 'ibantools'

/** The form of ISO 9362, of a country that exists; case does not matter. */
export function isBic(text: string): boolean {
  return isValidBIC(text)
}
