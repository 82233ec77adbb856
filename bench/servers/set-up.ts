// The records that are stored before a measurement, as fixtures that users would write.
import { completeProfile } from '../../fixtures/builders/investors.ts'

export const credentials = {
  client_id: 'b0000000-0000-4000-8000-000000000001',
  client_secret: 'bench-secret-for-staging-only-0123456789',
}
export const organization = 'Bench'

const cities = ['Kempten', 'Husum', 'Göttingen', 'Magdeburg', 'Bruck']

function cooperative(number: number, entryFee: string) {
  return {
    key: keyOf(number),
    name: `Energiegenossenschaft ${number}`,
    description: `Sonnenstrom von Dächern der Region ${number}: gebaut, betrieben und verwaltet von denen, die hier wohnen.`,
    city: cities[number % cities.length],
    postal_code: String(87000 + number),
    website_url: `https://eg-${number}.example`,
    energy_category: 'solar',
    energy_type: 'photovoltaics',
    share_price: '250.00',
    share_value: '250.00',
    entry_fee: entryFee,
    minimum_shares: 1,
    dividend_type: 'fixed',
    dividend_rate_percent: 3.5,
    affiliation: 'affiliated',
    coordinates: { latitude: 47.5 + number / 100, longitude: 10.3 },
  }
}

export const keyOf = (number: number) => `eg-${number}`

export interface SetUp {
  readonly investors?: number
  /** The number of orders of each investor. */
  readonly orders?: number
  readonly cooperatives?: number
  /** With a fee, at most 1,000 orders of an investor can be placed before one is settled. */
  readonly entryFee?: string
}

/** Makes the fixture of one partner. Its investors get no e-mails. */
export function setUp({
  investors = 0,
  orders = 0,
  cooperatives = 200,
  entryFee = '15.00',
}: SetUp) {
  const share_purchases = Array.from({ length: orders }, () => ({
    cooperative: keyOf(0),
    share_count: 5,
  }))
  return {
    organizations: [
      {
        name: organization,
        investor_mail: false,
        clients: [{ name: 'bench', ...credentials }],
        investors: Array.from({ length: investors }, (_, number) => ({
          partner_customer_ref: refOf(number),
          email: `investor-${number}@example.org`,
          profile: completeProfile(),
          share_purchases,
        })),
      },
    ],
    cooperatives: Array.from({ length: cooperatives }, (_, number) =>
      cooperative(number, entryFee),
    ),
  }
}

export const refOf = (number: number) => `customer-${number}`
