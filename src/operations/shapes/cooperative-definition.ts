import {
  array,
  boolean,
  define,
  enums,
  type Infer,
  integer,
  literal,
  max,
  min,
  number,
  object,
  refine,
  string,
} from 'superstruct'
import {
  affiliations,
  dividendTypes,
  energyCategories,
} from '../../domain/cooperatives/cooperative.ts'
import { imageFault } from '../../domain/cooperatives/image-file.ts'
import { currency } from '../../domain/money.ts'
import { isCalendarDate } from '../../domain/timestamp.ts'
import { amount, positiveAmount } from './amount.ts'
import { id } from './id.ts'
import { orNull } from './or-null.ts'
import { fileText, prose } from './text.ts'

const quantity = max(min(number(), 0), 1_000_000_000)
const webAddress = define<string>(
  'web address',
  (value) => isWebAddress(value) || 'must be an http or https address',
)
const calendarDate = define<string>(
  'date',
  (value) => (typeof value === 'string' && isCalendarDate(value)) || 'must be a date: yyyy-MM-dd',
)

function isWebAddress(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 2000 || !URL.canParse(value)) return false
  return /^https?:$/.test(new URL(value).protocol)
}

export const imageFileShape = refine(
  object({ content_type: string(), base64: string() }),
  'image',
  ({ content_type, base64 }) => imageFault({ contentType: content_type, base64 }) ?? true,
)

const coordinatesShape = object({
  latitude: max(min(number(), -90), 90),
  longitude: max(min(number(), -180), 180),
})

const projectDefinitionShape = object({
  id: orNull(id()),
  name: fileText(),
  type: fileText(),
  energy_category: enums(energyCategories),
  city: orNull(fileText()),
  capacity_kw: orNull(quantity),
  annual_yield_mwh: orNull(quantity),
  co2_savings_tons: orNull(quantity),
  commissioned_on: orNull(calendarDate),
  image: orNull(imageFileShape),
})

/** A cooperative as files and operations say it. Everything the catalogue shows but what is computed from it. */
export const cooperativeDefinitionShape = object({
  key: fileText(100),
  id: orNull(id()),
  published: orNull(boolean()),
  name: fileText(),
  description: orNull(prose()),
  city: orNull(fileText()),
  postal_code: orNull(fileText(20)),
  website_url: orNull(webAddress),
  energy_category: enums(energyCategories),
  energy_type: orNull(fileText()),
  share_price: positiveAmount(),
  share_price_currency: orNull(literal(currency)),
  share_value: orNull(positiveAmount()),
  share_value_currency: orNull(literal(currency)),
  entry_fee: orNull(amount()),
  entry_fee_currency: orNull(literal(currency)),
  minimum_shares: orNull(max(min(integer(), 1), 1_000_000)),
  dividend_type: orNull(enums(dividendTypes)),
  dividend_rate_percent: orNull(max(min(number(), 0), 100)),
  bafa_funded: orNull(boolean()),
  affiliation: orNull(enums(affiliations)),
  coordinates: orNull(coordinatesShape),
  hero_image: orNull(imageFileShape),
  card_image: orNull(imageFileShape),
  logo_image: orNull(imageFileShape),
  projects: orNull(array(projectDefinitionShape)),
})

export type WireCooperativeDefinition = Infer<typeof cooperativeDefinitionShape>
export type WireProjectDefinition = Infer<typeof projectDefinitionShape>
export type WireImageFile = Infer<typeof imageFileShape>
