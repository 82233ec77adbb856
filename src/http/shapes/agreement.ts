import type { Infer } from 'superstruct'
import type { components } from '../../contract/types.ts'
import type { profileShape } from '../../operations/shapes/profile.ts'
import type { renderAccessToken } from '../../operations/shapes/render-access-token.ts'
import type { renderPage } from '../render-page.ts'
import type { renderCooperativeDetail, renderCooperativeSummary } from './cooperatives.ts'
import type { renderHolding } from './holdings.ts'
import type { provisionShape, renderInvestor, renderProfile } from './investors.ts'
import type { renderClientInfo } from './me.ts'
import type { renderDiscovery, renderKeySet, renderOAuthError } from './oauth.ts'
import type { renderSharePurchase, sharePurchaseShape } from './share-purchases.ts'

type Schemas = components['schemas']

/** Every name in a JSON value, with the names that lead to it. */
type Paths<Json> = Json extends string | number | boolean | null | undefined
  ? never
  : Json extends readonly (infer Item)[]
    ? Paths<Item>
    : { [Name in keyof Json & string]-?: Name | `${Name}.${Paths<Json[Name]>}` }[keyof Json &
        string]

/** superstruct types what may be left out as undefined, which JSON does not have. */
type Exact<Json> = Json extends object
  ? { [Name in keyof Json]: Exact<Exclude<Json[Name], undefined>> }
  : Json

/** `true`, or what differs: the compiler then shows it. */
type SameNames<Ours, Contract> = [Paths<Ours>, Paths<Contract>] extends [
  Paths<Contract>,
  Paths<Ours>,
]
  ? true
  : {
      readonly onlyOurs: Exclude<Paths<Ours>, Paths<Contract>>
      readonly onlyInContract: Exclude<Paths<Contract>, Paths<Ours>>
    }

/** What we answer has the names of the contract, and no value that the contract does not have. */
type Answers<Ours, Contract> =
  SameNames<Ours, Contract> extends true
    ? [Ours] extends [Contract]
      ? true
      : Ours
    : SameNames<Ours, Contract>

/** What the contract lets callers send is what we read, no more and no less. */
type Reads<Ours, Contract> = [Contract] extends [Ours] ? Answers<Exact<Ours>, Contract> : Ours

type Holds<Fact extends true> = Fact
type Envelope<Item> = ReturnType<typeof renderPage<unknown, Item>>
type Sorted<Page> = Page & Pick<Schemas['CooperativePage'], 'sort'>

/** Does not compile when a name or a value of the wire is not as the contract says. */
export type Agreement = [
  Holds<Reads<Infer<typeof provisionShape>, Schemas['ProvisionRequest']>>,
  Holds<Reads<Infer<typeof profileShape>, Schemas['ProfileRequest']>>,
  Holds<Reads<Infer<typeof sharePurchaseShape>, Schemas['SharePurchaseRequest']>>,
  Holds<Answers<ReturnType<typeof renderAccessToken>, Schemas['Token']>>,
  Holds<Answers<ReturnType<typeof renderOAuthError>, Schemas['OAuthError']>>,
  Holds<Answers<ReturnType<typeof renderKeySet>, Schemas['KeySet']>>,
  Holds<Answers<ReturnType<typeof renderDiscovery>, Schemas['AuthorizationServer']>>,
  Holds<Answers<ReturnType<typeof renderClientInfo>, Schemas['ClientInfo']>>,
  Holds<Answers<ReturnType<typeof renderCooperativeSummary>, Schemas['CooperativeSummary']>>,
  Holds<Answers<ReturnType<typeof renderCooperativeDetail>, Schemas['CooperativeDetail']>>,
  Holds<Answers<ReturnType<typeof renderInvestor>, Schemas['Investor']>>,
  Holds<Answers<ReturnType<typeof renderProfile>, Schemas['Profile']>>,
  Holds<Answers<ReturnType<typeof renderSharePurchase>, Schemas['SharePurchase']>>,
  Holds<Answers<ReturnType<typeof renderHolding>, Schemas['Holding']>>,
  Holds<Answers<Sorted<Envelope<Schemas['CooperativeSummary']>>, Schemas['CooperativePage']>>,
  Holds<Answers<Envelope<Schemas['SharePurchase']>, Schemas['SharePurchasePage']>>,
  Holds<Answers<Envelope<Schemas['Holding']>, Schemas['HoldingPage']>>,
]
