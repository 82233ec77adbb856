import type { Records } from '../../../ports/store.ts'
import type { Session } from '../session.ts'
import { cooperativesOf, imagesOf } from './cooperatives.ts'
import { deliveriesOf } from './deliveries.ts'
import { eventsOf } from './events.ts'
import { holdingsOf, investorsOf } from './investors.ts'
import { clientsOf, signingKeysOf } from './oauth.ts'
import { organizationsOf, settingsOf } from './organizations.ts'
import { idempotencyRecordsOf, sharePurchasesOf } from './share-purchases.ts'
import { webhookEndpointsOf } from './webhook-endpoints.ts'

export function createRecords(session: Session): Records {
  return new SessionRecords(session)
}

/** Made when asked for: most work needs two kinds of thirteen. */
class SessionRecords implements Records {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  get settings() {
    return settingsOf(this.#session)
  }

  get organizations() {
    return organizationsOf(this.#session)
  }

  get clients() {
    return clientsOf(this.#session)
  }

  get signingKeys() {
    return signingKeysOf(this.#session)
  }

  get cooperatives() {
    return cooperativesOf(this.#session)
  }

  get images() {
    return imagesOf(this.#session)
  }

  get investors() {
    return investorsOf(this.#session)
  }

  get sharePurchases() {
    return sharePurchasesOf(this.#session)
  }

  get holdings() {
    return holdingsOf(this.#session)
  }

  get idempotencyRecords() {
    return idempotencyRecordsOf(this.#session)
  }

  get webhookEndpoints() {
    return webhookEndpointsOf(this.#session)
  }

  get events() {
    return eventsOf(this.#session)
  }

  get deliveries() {
    return deliveriesOf(this.#session)
  }
}
