// The customers of the partners, and the values that partners send about them.
import type { Dice } from './dice.ts'
import type { Investor } from './ledger.ts'

/** Partners do not know each other's keys, so two partners may use the same key. */
export function headersFor(key: string): Readonly<Record<string, string>> {
  return { 'idempotency-key': key.replace(/^\w+-/, '') }
}

export function referenceOf(key: string): string {
  return key.replaceAll('customer', 'C').replaceAll('order', 'O').slice(0, 35)
}

export function mailOf({ reference }: Investor): string {
  return `${reference.toLowerCase()}@mail.example`
}

const given = { given: true, given_at: '2026-11-01T12:00:00Z' }

export function profileOf({ iban, surname }: Investor) {
  return {
    first_name: 'Frieda',
    last_name: surname,
    birth_date: '1984-02-29',
    address: { street: 'Sonnenallee', house_number: '12', postal_code: '87435', city: 'Kempten' },
    bank_account: { iban, bic: 'INGDDEFFXXX', institution: 'ING-DiBa' },
    consents: { terms: given, privacy: given, data_sharing: given },
  }
}

export function ibanOf(dice: Dice): string {
  const account = String(dice.below(9_000_000_000) + 1_000_000_000)
  const plain = `50010517${account}`
  const check = 98n - (BigInt(`${plain}131400`) % 97n)
  return `DE${String(check).padStart(2, '0')}${plain}`
}
