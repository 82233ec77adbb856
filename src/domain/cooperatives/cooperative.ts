import { type Money, multiplyMoney, parseMoney } from '../money.ts'
import type { Creditor } from '../payments/creditor.ts'
import type { Timestamp } from '../timestamp.ts'

export const energyCategories = [
  'solar',
  'wind',
  'heat',
  'chp',
  'hydro',
  'biomass',
  'other',
] as const
export type EnergyCategory = (typeof energyCategories)[number]

// Spec gap: the values of these two filters are not shown; see DECISIONS.md, D23.
export const dividendTypes = ['fixed', 'variable', 'none'] as const
export type DividendType = (typeof dividendTypes)[number]
export const affiliations = ['affiliated', 'independent'] as const
export type Affiliation = (typeof affiliations)[number]

export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

export interface Project {
  readonly id: string
  readonly name: string
  /** Free text, such as `rooftop solar`; projects_by_type groups by it. */
  readonly type: string
  readonly energyCategory: EnergyCategory
  readonly city: string | null
  readonly capacityKw: number | null
  readonly annualYieldMwh: number | null
  readonly co2SavingsTons: number | null
  /** yyyy-MM-dd */
  readonly commissionedOn: string | null
  readonly hasImage: boolean
}

/** All amounts are in the platform's currency. */
export interface Cooperative {
  readonly id: string
  /** The operator's own name for it in import files; unique. */
  readonly key: string
  readonly published: boolean
  readonly name: string
  readonly description: string | null
  readonly city: string | null
  readonly postalCode: string | null
  readonly websiteUrl: string | null
  readonly energyCategory: EnergyCategory
  readonly energyType: string | null
  readonly sharePrice: Money
  readonly shareValue: Money
  readonly entryFee: Money
  readonly minimumShares: number
  readonly dividendType: DividendType
  readonly dividendRatePercent: number | null
  readonly bafaFunded: boolean
  readonly affiliation: Affiliation
  readonly coordinates: Coordinates | null
  readonly projects: readonly Project[]
  readonly hasHeroImage: boolean
  readonly hasCardImage: boolean
  readonly hasLogoImage: boolean
  /** For whom payments are collected. Absent if the platform does not collect them. Partners do not see it. */
  readonly creditor?: Creditor
  /** Oldest first. The history is part of the record, so that one write changes price and history together. */
  readonly priceHistory: readonly PriceChange[]
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

export interface PriceChange {
  readonly at: Timestamp
  /** null if the cooperative was created with the new price. */
  readonly oldPrice: Money | null
  readonly newPrice: Money
}

/** Every request needs the catalogue in memory, so a script that keeps setting prices must not fill it. */
const maximumPriceChanges = 1000

/** The only function that changes the price of a stored cooperative, so that each change is in its history. */
export function withPrice(cooperative: Cooperative, newPrice: Money, at: Timestamp): Cooperative {
  const { sharePrice: oldPrice, priceHistory } = cooperative
  if (newPrice === oldPrice) return cooperative
  const history = [...priceHistory, { at, oldPrice, newPrice }].slice(-maximumPriceChanges)
  return { ...cooperative, sharePrice: newPrice, priceHistory: history }
}

/**
 * A price that is ten times too high is a slip of the decimal point.
 * @returns the change if it is more than half, such as `900 %`; undefined if the text is not a price
 */
export function unlikelyChange(price: string, newPrice: string): string | undefined {
  const [before, after] = [Number(price), Number(parseMoney(newPrice))]
  if (!(after > 0 && Math.abs(after - before) > before / 2)) return undefined
  const percent = Number(((100 * (after - before)) / before).toFixed(1))
  // With -100 % nothing would be left.
  return `${Math.max(percent, -99.9)} %`
}

export function minimumInvestmentAmount(cooperative: Cooperative): Money {
  return multiplyMoney(cooperative.sharePrice, cooperative.minimumShares)
}

export interface ProjectsOfType {
  readonly type: string
  readonly count: number
  /** The sum of the known capacities in kW; null if none is known. */
  readonly capacityKw: number | null
}

/** Sorted by type. */
export function groupProjectsByType(projects: readonly Project[]): ProjectsOfType[] {
  const types = new Set(projects.map(({ type }) => type))
  return [...types].sort().map((type) => {
    const ofType = projects.filter((project) => project.type === type)
    return { type, count: ofType.length, capacityKw: totalCapacityKw(ofType) }
  })
}

function totalCapacityKw(projects: readonly Project[]): number | null {
  const known = projects.flatMap(({ capacityKw }) => capacityKw ?? [])
  if (known.length === 0) return null
  // Rounded to the watt, because sums of binary fractions end in digits that nobody entered.
  return Math.round(known.reduce((sum, capacityKw) => sum + capacityKw) * 1000) / 1000
}
