import { errorsOf } from '../field-faults.ts'
import type { GivenConsent } from '../investors/profile.ts'
import type { Parts } from '../parts.ts'
import type { FieldErrors } from '../problem.ts'
import type { Timestamp } from '../timestamp.ts'
import type { SharePurchase } from './share-purchase.ts'
import { instantFault, lastingFaults } from './share-purchase-faults.ts'
import { computeTotal } from './terms.ts'

type Consents = Readonly<Record<keyof SharePurchase['consents'], GivenConsent>>
type Frozen = 'shareCount' | 'applicantType' | 'pricePerShare' | 'entryFee' | 'total' | 'restsOn'

/** What was frozen when an order was placed. Whoever has all of it needs nothing of what holds today. */
export interface FrozenOrder extends Pick<SharePurchase, Frozen> {
  readonly sepaMandate: {
    readonly signedAt: Timestamp
    /** Electronic form, once it is stored. */
    readonly debtorIban: string
    readonly reference: string
    readonly isFirstOfReference?: true
  }
  readonly consents: Consents
}

/** What no order can ever have been, under the paths of fixture files. */
export function frozenOrderFaults(order: Parts<FrozenOrder>, now: Timestamp): FieldErrors {
  const { sepaMandate, consents } = order
  const statuteConsentGivenAt = consents?.statute?.givenAt
  return errorsOf({
    total: totalFault(order),
    ...lastingFaults({ sepaMandate, statuteConsentGivenAt }, { now }),
    'consents.terms.given_at': instantFault(consents?.terms?.givenAt, { now }),
    'consents.privacy.given_at': instantFault(consents?.privacy?.givenAt, { now }),
  })
}

function totalFault({ shareCount, pricePerShare, entryFee, total }: Parts<FrozenOrder>) {
  if (!(shareCount && pricePerShare && entryFee && total)) return undefined
  const right = computeTotal({ shareCount, pricePerShare, entryFee })
  return total !== right && `must be ${right}: share_count times price_per_share, and entry_fee`
}
