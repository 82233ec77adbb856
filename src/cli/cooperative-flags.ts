import { Flags, type Interfaces } from '@oclif/core'
import { invalid } from '../config/common-flags.ts'
import {
  affiliations,
  dividendTypes,
  energyCategories,
} from '../domain/cooperatives/cooperative.ts'

const amount = { helpValue: 'AMOUNT' } as const
const number = { helpValue: 'NUMBER' } as const
const text = { helpValue: 'TEXT' } as const

/** The fields of a cooperative, as flags. */
export const cooperativeFlags = {
  name: Flags.string({ ...text, description: 'Cooperative name.' }),
  'energy-category': Flags.option({
    options: energyCategories,
    description: 'Energy category.',
  })(),
  'share-price': Flags.string({
    ...amount,
    description: 'Share price, for example 275.00.',
  }),
  description: Flags.string({ ...text, description: 'Description for investors.' }),
  city: Flags.string({ ...text, description: 'City where the cooperative is.' }),
  'postal-code': Flags.string({ helpValue: 'CODE', description: 'Postal code.' }),
  'website-url': Flags.string({ helpValue: 'URL', description: 'Website.' }),
  'energy-type': Flags.string({ ...text, description: 'Energy type, in free text.' }),
  'share-value': Flags.string({ ...amount, description: 'Nominal value of a share.' }),
  'entry-fee': Flags.string({
    ...amount,
    description: 'Entry fee for the first order of an investor.',
  }),
  'minimum-shares': Flags.integer({
    min: 1,
    helpValue: 'N',
    description: 'Minimum number of shares for an investor.',
  }),
  'dividend-type': Flags.option({ options: dividendTypes, description: 'Dividend type.' })(),
  'dividend-rate-percent': Flags.string({ ...number, description: 'Dividend in percent.' }),
  'bafa-funded': Flags.boolean({
    allowNo: true,
    description: 'Whether BAFA funds the cooperative.',
  }),
  affiliation: Flags.option({
    options: affiliations,
    description: 'Affiliation with the platform.',
  })(),
  latitude: Flags.string({
    ...number,
    dependsOn: ['longitude'],
    description: 'Latitude in degrees.',
  }),
  longitude: Flags.string({
    ...number,
    dependsOn: ['latitude'],
    description: 'Longitude in degrees.',
  }),
}

type CooperativeFlags = Partial<Interfaces.InferredFlags<typeof cooperativeFlags>>

/** The fields that were given. An empty text removes the value of an optional field. */
export function readCooperativeFlags(flags: CooperativeFlags) {
  const { latitude, longitude } = flags
  return {
    description: unset(flags.description),
    city: unset(flags.city),
    postal_code: unset(flags['postal-code']),
    website_url: unset(flags['website-url']),
    energy_type: unset(flags['energy-type']),
    share_value: flags['share-value'],
    entry_fee: flags['entry-fee'],
    minimum_shares: flags['minimum-shares'],
    dividend_type: flags['dividend-type'],
    dividend_rate_percent: readNumber('dividend-rate-percent', flags['dividend-rate-percent']),
    bafa_funded: flags['bafa-funded'],
    affiliation: flags.affiliation,
    coordinates: readCoordinates(
      readNumber('latitude', latitude),
      readNumber('longitude', longitude),
    ),
  }
}

function unset(value: string | undefined): string | null | undefined {
  return value === '' ? null : value
}

function readNumber(flag: string, value: string | undefined): number | null | undefined {
  if (value === undefined || value === '') return unset(value) as null | undefined
  if (/^[+-]?\d+(\.\d+)?$/.test(value)) return Number(value)
  throw invalid(`--${flag} must be a number such as 3.5, or empty.`)
}

function readCoordinates(
  latitude: number | null | undefined,
  longitude: number | null | undefined,
) {
  if (latitude === undefined || longitude === undefined) return undefined
  if (latitude === null && longitude === null) return null
  if (latitude !== null && longitude !== null) return { latitude, longitude }
  throw invalid('--latitude and --longitude must both be numbers, or both be empty.')
}

export function requireField(fields: object): void {
  if (Object.values(fields).some((value) => value !== undefined)) return
  throw invalid('Give at least one field, for example --city.')
}
