// The files that the measured commands read.

import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { completeProfile } from '../../fixtures/builders/investors.ts'

/** The cooperatives of a store that `fillHistory` has filled. */
const cooperativeCount = 50

/** 2,500 investors with 12,500 orders make 2 MB. */
export function writeFixtures(path: string, { investors = 2500, orders = 5 } = {}): void {
  const share_purchases = (number: number) =>
    Array.from({ length: orders }, (_, index) => ({
      cooperative: `eg-${(number + index) % cooperativeCount}`,
      share_count: 5,
      status: index % 2 === 0 ? 'submitted' : 'settled',
    }))
  const all = Array.from({ length: investors }, (_, number) => ({
    ...investor(number),
    share_purchases: share_purchases(number),
  }))
  writeFileSync(path, JSON.stringify({ organizations: [{ name: 'Import Bank', investors: all }] }))
}

/** 250,000 investors without orders make 120 MB. It is written in parts, because it is so long. */
export async function writeLargeFixtures(path: string, investors = 250_000): Promise<void> {
  const file = createWriteStream(path)
  file.write('{"organizations":[{"name":"Large Bank","investors":[')
  for (let number = 0; number < investors; number += 1) {
    const { tax_id: _, phone: __, ...profile } = completeProfile()
    const text = `${number === 0 ? '' : ','}\n${JSON.stringify({ ...investor(number), profile })}`
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end(']}]}')
  await once(file, 'finish')
}

export function writeCatalogue(path: string, cooperatives = 1000): void {
  const all = Array.from({ length: cooperatives }, (_, number) => ({
    key: `imported-${number}`,
    name: `Energiegenossenschaft Import ${number}`,
    description: `Sonnenstrom von Dächern der Region ${number}. `.repeat(10),
    city: 'Kempten',
    postal_code: '87435',
    energy_category: 'solar',
    energy_type: 'photovoltaics',
    share_price: '250.00',
    dividend_type: 'fixed',
    dividend_rate_percent: 3.5,
    projects: Array.from({ length: 3 }, (_, index) => ({
      name: `Energiegenossenschaft ${number}-${index}`,
      type: 'photovoltaics',
      energy_category: 'solar',
    })),
  }))
  writeFileSync(path, JSON.stringify(all))
}

/** One order that pays the entry fee, and a thousand that depend on it. */
export function writeDependents(path: string, dependents = 1000): void {
  const share_purchases = Array.from({ length: dependents + 1 }, () => ({
    cooperative: 'dependents',
    share_count: 5,
  }))
  const cooperatives = [
    {
      key: 'dependents',
      name: 'Energiegenossenschaft Kempten',
      energy_category: 'solar',
      share_price: '100.00',
      entry_fee: '50.00',
    },
  ]
  const investors = [{ ...investor(0), share_purchases }]
  const organizations = [
    {
      name: 'Dependent Bank',
      investors,
      webhooks: [{ url: 'https://127.0.0.1/hooks', paused: true }],
    },
  ]
  writeFileSync(path, JSON.stringify({ organizations, cooperatives }))
}

function investor(number: number) {
  const email = `import-${number}@mail.example`
  return { partner_customer_ref: `I-${number}`, email, profile: completeProfile() }
}
