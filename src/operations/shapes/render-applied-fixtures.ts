import type { FixtureCounts, MintedFixtureClient } from '../../usecases/fixtures/application.ts'
import type { AppliedFixtures } from '../../usecases/fixtures/apply-fixtures.ts'
import { renderMintedClient } from './render-client.ts'

export function renderAppliedFixtures({ counts, minted }: AppliedFixtures) {
  return {
    created: renderCounts(counts.created),
    updated: renderCounts(counts.updated),
    unchanged: renderCounts(counts.unchanged),
    clients: minted.map(renderFixtureClient),
  }
}

function renderCounts({ sharePurchases, ...counts }: Readonly<FixtureCounts>) {
  return { ...counts, share_purchases: sharePurchases }
}

function renderFixtureClient({ organization, ...minted }: MintedFixtureClient) {
  return { ...renderMintedClient(minted), organization: organization.name }
}
