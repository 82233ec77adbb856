import type { Parts } from '../../domain/parts.ts'
import type { Fixtures, InvestorFixture } from '../../usecases/fixtures/fixtures.ts'
import type { WireFixtureFile, WireInvestorFixture } from './fixture-file.ts'
import { readProfileParts } from './profile.ts'
import { readSharePurchaseFixtureParts } from './share-purchase-fixture.ts'

/** As much as the rules of a set-up ask about, of one that does not fit its shape everywhere. */
export function readFixtureParts({ organizations }: Parts<WireFixtureFile>): Parts<Fixtures> {
  return {
    organizations: organizations?.map(
      (organization) =>
        organization && {
          investors: organization.investors?.map((investor) => investor && readInvestor(investor)),
        },
    ),
  }
}

function readInvestor({
  email,
  profile,
  share_purchases,
}: Parts<WireInvestorFixture>): Parts<InvestorFixture> {
  return {
    email,
    profile: profile && readProfileParts(profile),
    sharePurchases: share_purchases?.map((order) => order && readSharePurchaseFixtureParts(order)),
  }
}
