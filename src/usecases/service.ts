import type { ContractPreview } from '../domain/bench/contract-preview.ts'
import type { ActingOperator } from '../domain/operators/operator.ts'
import type { Invited } from '../domain/operators/sign-in-link.ts'
import type { SecondedAction } from '../domain/share-purchases/share-purchase.ts'
import type { RetryWaits } from '../domain/webhooks/delivery-retries.ts'
import type { BankDirectory } from '../ports/bank-directory.ts'
import type { Clock, Random } from '../ports/clock.ts'
import type { Environment } from '../ports/collections.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { Store } from '../ports/store.ts'
import type { Rekeyed, StoreAdmin } from '../ports/store-admin.ts'
import type { Vault } from '../ports/vault.ts'
import type { RenderEvent, WebhookSender } from '../ports/webhook-sender.ts'
import type { RefusedAttempts } from './audit/refused-attempts.ts'

/** The dependencies of every use case: ports and settings. */
export interface Service {
  readonly store: Store
  readonly storeAdmin: StoreAdmin
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
  readonly bankDirectory: BankDirectory
  readonly webhookSender: WebhookSender
  readonly mailer: Mailer
  readonly renderEvent: RenderEvent
  readonly settings: ServiceSettings
  /** The actor of an operation; undefined for partners and for the service itself. */
  readonly operator?: ActingOperator | undefined
  /** The refused operations of the last minute; undefined for a command that opens the store itself. */
  readonly refusedAttempts?: RefusedAttempts | undefined
  /** Links that sign in to the console; undefined for a command that opens the store itself. */
  readonly signInLinks?: { make(invited: Invited): string } | undefined
  /** Woken when the audit has a new entry. */
  readonly sealer?: { wake(): void } | undefined
  /** Called when the keys of the store have been replaced. */
  readonly onRekeyed?: ((rekeyed: Rekeyed) => void) | undefined
}

export interface ServiceSettings {
  readonly environment: Environment
  /** The issuer of tokens and the base of all absolute URLs, without a trailing slash. */
  readonly baseUrl: string
  /** Spec gap: the upper bound of share_count; see DECISIONS.md, D3. */
  readonly maximumShareCount: number
  /** The waits between the attempts of a webhook. */
  readonly webhookWaits: RetryWaits
  /** The waits between the attempts of an e-mail. Faults of ours end it after their total time. */
  readonly mailWaits: RetryWaits
  /** Allows http and addresses that are not public; in staging only. */
  readonly allowPrivateWebhooks: boolean
  /** false: no investor gets an e-mail, regardless of the settings of organizations. */
  readonly investorMail: boolean
  /** Decisions that one operator proposes and another one confirms. */
  readonly fourEyes?: readonly SecondedAction[] | undefined
  /** Sends events as a later version of the contract could; only with `serve --bench`. */
  readonly contractPreview?: ContractPreview | undefined
}
