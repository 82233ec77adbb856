import type { Infer } from 'superstruct'
import type { components } from '../contract/types.ts'
import type { renderCooperativeDetail, renderCooperativeSummary } from './catalogue.ts'
import type { profileShape, provisionShape, renderInvestor, renderProfile } from './investors.ts'
import type {
  renderAccessToken,
  renderClientInfo,
  renderDiscovery,
  renderKeySet,
  renderOAuthError,
} from './oauth.ts'
import type { renderPage } from './page.ts'
import type { renderHolding, renderSharePurchase, sharePurchaseShape } from './share-purchases.ts'

type Schemas = components['schemas']

/** All paths of names in a JSON value. */
type Paths<Json> = Json extends string | number | boolean | null | undefined
  ? never
  : Json extends readonly (infer Item)[]
    ? Paths<Item>
    : { [Name in keyof Json & string]-?: Name | `${Name}.${Paths<Json[Name]>}` }[keyof Json &
        string]

/** superstruct gives optional members the value undefined, which JSON does not have. */
type Exact<Json> = Json extends object
  ? { [Name in keyof Json]: Exact<Exclude<Json[Name], undefined>> }
  : Json

/** `true`, or the difference, which the compiler then shows. */
type SameNames<Ours, Contract> = [Paths<Ours>, Paths<Contract>] extends [
  Paths<Contract>,
  Paths<Ours>,
]
  ? true
  : {
      readonly onlyOurs: Exclude<Paths<Ours>, Paths<Contract>>
      readonly onlyInContract: Exclude<Paths<Contract>, Paths<Ours>>
    }

/** Responses have exactly the names of the contract, and only its values. */
type Answers<Ours, Contract> =
  SameNames<Ours, Contract> extends true
    ? [Ours] extends [Contract]
      ? true
      : Ours
    : SameNames<Ours, Contract>

/** The shape accepts exactly what the contract allows. */
type Reads<Ours, Contract> = [Contract] extends [Ours] ? Answers<Exact<Ours>, Contract> : Ours

type Holds<Fact extends true> = Fact
type Envelope<Item> = ReturnType<typeof renderPage<unknown, Item>>
type Sorted<Page> = Page & Pick<Schemas['CooperativePage'], 'sort'>

/** Does not compile if a name or a value differs from the contract. */
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
