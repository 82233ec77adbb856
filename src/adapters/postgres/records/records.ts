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

/** Made when asked for: most work needs two kinds of thirteen. */
export function createRecords(session: Session): Records {
  return {
    get settings() {
      return settingsOf(session)
    },
    get organizations() {
      return organizationsOf(session)
    },
    get clients() {
      return clientsOf(session)
    },
    get signingKeys() {
      return signingKeysOf(session)
    },
    get cooperatives() {
      return cooperativesOf(session)
    },
    get images() {
      return imagesOf(session)
    },
    get investors() {
      return investorsOf(session)
    },
    get sharePurchases() {
      return sharePurchasesOf(session)
    },
    get holdings() {
      return holdingsOf(session)
    },
    get idempotencyRecords() {
      return idempotencyRecordsOf(session)
    },
    get webhookEndpoints() {
      return webhookEndpointsOf(session)
    },
    get events() {
      return eventsOf(session)
    },
    get deliveries() {
      return deliveriesOf(session)
    },
  }
}
