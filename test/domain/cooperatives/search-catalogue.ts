import t from 'tap'
import { buildCooperative, euro } from '../../../fixtures/builders/cooperatives.ts'
import { type CatalogueSort, createCatalogue } from '../../../src/domain/cooperatives/catalogue.ts'
import {
  type CatalogueFilters,
  type CatalogueSearch,
  searchCatalogue,
} from '../../../src/domain/cooperatives/search-catalogue.ts'
import type { Timestamp } from '../../../src/domain/timestamp.ts'

const none: CatalogueFilters = {
  words: undefined,
  city: undefined,
  bafaFunded: undefined,
  dividendType: undefined,
  affiliation: undefined,
  minimumSharePrice: undefined,
  maximumSharePrice: undefined,
}

const berlin = { latitude: 52.52, longitude: 13.405 }
const potsdam = { latitude: 52.3906, longitude: 13.0645 }
const hamburg = { latitude: 53.5511, longitude: 9.9937 }

const catalogue = createCatalogue([
  buildCooperative({
    key: 'wind',
    name: 'Ökowind Prenzlau eG',
    city: 'Prenzlau',
    description: 'Windräder für die Uckermark.',
    sharePrice: euro('1000'),
    bafaFunded: true,
    dividendType: 'fixed',
    coordinates: hamburg,
    createdAt: '2026-01-02T00:00:00.000Z' as Timestamp,
  }),
  buildCooperative({
    key: 'heat',
    name: 'Nahwärme Straße 7',
    city: 'POTSDAM',
    description: null,
    sharePrice: euro('99.99'),
    dividendType: 'none',
    affiliation: 'affiliated',
    coordinates: potsdam,
    createdAt: '2026-01-03T00:00:00.000Z' as Timestamp,
  }),
  buildCooperative({
    key: 'sun',
    name: 'Solar Allgäu eG',
    city: null,
    description: 'Dächer voller Sonne,\nauch in Potsdam.',
    sharePrice: euro('250'),
    coordinates: null,
    createdAt: '2026-01-01T00:00:00.000Z' as Timestamp,
  }),
  buildCooperative({ key: 'hidden', published: false }),
])

function keysOf(search: CatalogueSearch): string[] {
  const page = searchCatalogue(catalogue, search, { page: 1, size: 100 })
  return page.items.map(({ cooperative }) => cooperative.key)
}

t.test(
  'each sort token orders the whole catalogue of published cooperatives [S-catalogue-2]',
  async (t) => {
    const rows: readonly [CatalogueSort, readonly string[]][] = [
      ['created_at_desc', ['heat', 'wind', 'sun']],
      ['created_at_asc', ['sun', 'wind', 'heat']],
      ['name_asc', ['heat', 'wind', 'sun']],
      ['name_desc', ['sun', 'wind', 'heat']],
      ['share_price_asc', ['heat', 'sun', 'wind']],
      ['share_price_desc', ['wind', 'sun', 'heat']],
    ]
    for (const [sort, expected] of rows)
      t.strictSame(keysOf({ sort, filters: none }), expected, sort)
  },
)

t.test('equal cooperatives are sorted by id, in both directions [S-catalogue-12]', async (t) => {
  const ids = ['b', 'c', 'a'].map((letter) => `${letter.repeat(8)}-0000-5000-8000-000000000000`)
  const equal = createCatalogue(ids.map((id) => buildCooperative({ key: id, id })))
  for (const entries of Object.values(equal.sorted)) {
    t.strictSame(
      entries.map(({ cooperative }) => cooperative.id),
      ids.toSorted(),
    )
  }
})

t.test('filters narrow the catalogue [D23]', async (t) => {
  const rows: readonly [string, Partial<CatalogueFilters>, readonly string[]][] = [
    ['empty filters do not constrain [S-catalogue-5]', {}, ['sun', 'wind', 'heat']],
    ['q searches the name without regard to case and accents', { words: 'okowind' }, ['wind']],
    ['q searches the city', { words: 'potsdam' }, ['sun', 'heat']],
    ['q searches the description, whatever its line breaks', { words: 'sonne, auch' }, ['sun']],
    ['q finds a sharp s by its two letters', { words: 'strasse' }, ['heat']],
    ['q finds its words wherever they stand', { words: 'prenzlau okowind' }, ['wind']],
    ['every word of q must occur', { words: 'okowind potsdam' }, []],
    ['city is equal without regard to case', { city: 'potsdam' }, ['heat']],
    ['city is equal, not contained', { city: 'pots' }, []],
    ['bafa_funded true', { bafaFunded: true }, ['wind']],
    ['bafa_funded false', { bafaFunded: false }, ['sun', 'heat']],
    ['dividend_type', { dividendType: 'fixed' }, ['wind']],
    ['affiliation', { affiliation: 'affiliated' }, ['heat']],
    ['min_share_price is inclusive', { minimumSharePrice: 25000n }, ['sun', 'wind']],
    ['max_share_price is inclusive', { maximumSharePrice: 25000n }, ['sun', 'heat']],
    ['price range', { minimumSharePrice: 10000n, maximumSharePrice: 25000n }, ['sun']],
    [
      'filters are combined with AND [S-catalogue-4]',
      { bafaFunded: false, dividendType: 'fixed' },
      [],
    ],
  ]
  for (const [title, filters, expected] of rows) {
    t.strictSame(
      keysOf({ sort: 'created_at_asc', filters: { ...none, ...filters } }),
      expected,
      title,
    )
  }
})

t.test(
  'a geo search sorts by distance and omits cooperatives without coordinates [S-catalogue-7]',
  async (t) => {
    const search = { sort: 'distance_asc', centre: berlin, radiusKm: 500 } as const
    const { items } = searchCatalogue(catalogue, search, { page: 1, size: 100 })
    t.strictSame(
      items.map(({ cooperative, distanceKm }) => [cooperative.key, Math.round(distanceKm ?? -1)]),
      [
        ['heat', 27],
        ['wind', 255],
      ],
    )
  },
)

t.test('a geo search ends at its radius', async (t) => {
  t.strictSame(keysOf({ sort: 'distance_asc', centre: berlin, radiusKm: 28 }), ['heat'])
  t.strictSame(keysOf({ sort: 'distance_asc', centre: berlin, radiusKm: 27 }), [])
  t.strictSame(keysOf({ sort: 'distance_asc', centre: potsdam, radiusKm: 0.001 }), ['heat'])
})

t.test(
  'a page is a part of the matches, and total_items counts all of them [S-paging-2]',
  async (t) => {
    const search = { sort: 'created_at_asc', filters: none } as const
    const rows: readonly [number, number, readonly string[]][] = [
      [1, 2, ['sun', 'wind']],
      [2, 2, ['heat']],
      [3, 2, []],
      [Number.MAX_SAFE_INTEGER, 100, []],
    ]
    for (const [page, size, expected] of rows) {
      const { items, totalItems } = searchCatalogue(catalogue, search, { page, size })
      t.strictSame(
        items.map(({ cooperative }) => cooperative.key),
        expected,
        `page ${page}`,
      )
      t.equal(totalItems, 3)
    }
  },
)
