import { type Body, findFirst, isBody } from './expectations.ts'
import { wholeIbans } from './invented-investor.ts'
import type { Answer } from './pinned-contract.ts'

/** More fields may come, but not those that were taken away for good, nor a whole IBAN. */
export function expectNothingWithdrawn({ address, body }: Answer): string | undefined {
  // The contract itself may show an IBAN.
  return address.pathname.includes('/v1/') ? findWithdrawn(body, '') : undefined
}

function findWithdrawn(value: unknown, place: string): string | undefined {
  if (typeof value === 'string')
    return isWholeIban(value) ? `${place} is the whole IBAN` : undefined
  if (typeof value !== 'object' || value === null) return undefined
  return findFirst([
    () => (isBody(value) ? findRetired(value, place) : undefined),
    ...Object.entries(value).map(
      ([name, inner]) =>
        () =>
          findWithdrawn(inner, `${place}/${name}`),
    ),
  ])
}

function isWholeIban(text: string): boolean {
  const compact = text.replace(/\s/g, '').toUpperCase()
  return wholeIbans.some((iban) => compact.includes(iban))
}

const retiredOfAll = ['id', 'investor_account_id', 'kyc_attested']
const retiredOfOrders = [
  ...retiredOfAll,
  'acknowledged_at',
  'payment_requested_at',
  'payment_due_at',
  'certificate_sent_at',
]
const retiredOfInvestors = [...retiredOfAll, 'birth_day', 'birth_month', 'birth_year']

function findRetired(body: Body, place: string): string | undefined {
  const name = retiredFrom(body).find((retired) => retired in body)
  return name && `${place}/${name} is there, though it was retired`
}

function retiredFrom(body: Body): readonly string[] {
  if ('share_purchase_id' in body) return retiredOfOrders
  return 'missing_profile_fields' in body ? retiredOfInvestors : []
}
