import type {
  FixtureCounts,
  MintedFixtureClient,
  MintedFixtureWebhook,
} from '../../usecases/fixtures/application.ts'
import type { AppliedFixtures } from '../../usecases/fixtures/apply-fixtures.ts'
import { renderMintedClient } from './render-client.ts'
import { renderMintedWebhookEndpoint } from './render-webhook-endpoint.ts'

export function renderAppliedFixtures({ counts, minted, mintedWebhooks }: AppliedFixtures) {
  return {
    created: renderByKind(counts.created),
    updated: renderByKind(counts.updated),
    unchanged: renderByKind(counts.unchanged),
    clients: minted.map(renderFixtureClient),
    webhooks: mintedWebhooks.map(renderFixtureWebhook),
  }
}

function renderByKind({ sharePurchases, ...counts }: Readonly<FixtureCounts>) {
  return { ...counts, share_purchases: sharePurchases }
}

function renderFixtureClient({ organization, ...minted }: MintedFixtureClient) {
  return { ...renderMintedClient(minted), organization: organization.name }
}

function renderFixtureWebhook({ organization, ...minted }: MintedFixtureWebhook) {
  return { ...renderMintedWebhookEndpoint(minted), organization: organization.name }
}
