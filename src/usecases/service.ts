import type { BankDirectory } from '../ports/bank-directory.ts'
import type { Clock } from '../ports/clock.ts'
import type { Mailer } from '../ports/mailer.ts'
import type { Random } from '../ports/random.ts'
import type { Store } from '../ports/store.ts'
import type { StoreUpkeep } from '../ports/store-upkeep.ts'
import type { Vault } from '../ports/vault.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'

/** What every use case is given: the ports, and the operator's choices. */
export interface Service {
  readonly store: Store
  readonly upkeep: StoreUpkeep
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
  readonly bankDirectory: BankDirectory
  readonly webhookSender: WebhookSender
  readonly mailer: Mailer
  readonly settings: ServiceSettings
}

export type Environment = 'staging' | 'production'

export interface ServiceSettings {
  readonly environment: Environment
  /** Without a trailing slash: issuer of tokens, start of every absolute address. */
  readonly baseUrl: string
  /** Spec gap: the upper bound of share_count; see DECISIONS.md. */
  readonly maximumShareCount: number
  /** The first wait after a failed delivery; each further one is twice as long. */
  readonly webhookBackoffSeconds: number
  /** Opens http and addresses that are not public; in staging only. */
  readonly allowPrivateWebhooks: boolean
  /** false: no investor gets a mail, whatever the organisations want. */
  readonly investorMail: boolean
}
