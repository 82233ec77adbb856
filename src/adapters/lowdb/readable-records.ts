import type {
  ClientReader,
  CooperativeReader,
  ImageReader,
  InvestorReader,
  OrganizationReader,
  ReadableRecords,
} from '../../ports/store.ts'
import {
  type Collections,
  cooperativeByKey,
  imageKey,
  investorByRef,
  investorsByOrganization,
  organizationByName,
  settingsKey,
} from './collections.ts'
import { joinKey } from './join-key.ts'
import { ownedBy } from './owned-by.ts'
import {
  readHoldings,
  readIdempotencyRecords,
  readSharePurchases,
} from './readable-order-records.ts'
import { readDeliveries, readEvents, readWebhookEndpoints } from './readable-webhook-records.ts'
import { take } from './take.ts'
import type { View } from './view.ts'

/** Each is made when asked for: most work needs two kinds of thirteen. Thirteen getters of an object would take longer. */
export class StoredRecords implements ReadableRecords {
  readonly #data: Collections
  readonly #view: View

  constructor(data: Collections, view: View) {
    this.#data = data
    this.#view = view
  }

  get settings() {
    return { get: async () => this.#view.get(this.#data.settings, settingsKey) }
  }

  get organizations() {
    return readOrganizations(this.#data, this.#view)
  }

  get clients() {
    return readClients(this.#data, this.#view)
  }

  get signingKeys() {
    return { list: async () => [...this.#view.all(this.#data.signingKeys)] }
  }

  get cooperatives() {
    return readCooperatives(this.#data, this.#view)
  }

  get images() {
    return readImages(this.#data, this.#view)
  }

  get investors() {
    return readInvestors(this.#data, this.#view)
  }

  get sharePurchases() {
    return readSharePurchases(this.#data, this.#view)
  }

  get holdings() {
    return readHoldings(this.#data, this.#view)
  }

  get idempotencyRecords() {
    return readIdempotencyRecords(this.#data, this.#view)
  }

  get webhookEndpoints() {
    return readWebhookEndpoints(this.#data, this.#view)
  }

  get events() {
    return readEvents(this.#data, this.#view)
  }

  get deliveries() {
    return readDeliveries(this.#data, this.#view)
  }
}

function readClients({ clients }: Collections, view: View): ClientReader {
  return {
    get: async (clientId) => view.get(clients, clientId),
    list: async () => [...view.all(clients)],
  }
}

function readOrganizations({ organizations }: Collections, view: View): OrganizationReader {
  return {
    get: async (organizationId) => view.get(organizations, organizationId),
    findByName: async (foldedName) => view.find(organizations, organizationByName, foldedName),
    list: async () => [...view.all(organizations)],
  }
}

function readCooperatives({ cooperatives }: Collections, view: View): CooperativeReader {
  return {
    get: async (id) => view.get(cooperatives, id),
    findByKey: async (key) => view.find(cooperatives, cooperativeByKey, key),
    list: async () => [...view.all(cooperatives)],
    version: async () => view.revision(cooperatives),
  }
}

function readImages({ images }: Collections, view: View): ImageReader {
  return { get: async (ownerId, kind) => view.get(images, imageKey(ownerId, kind)) }
}

function readInvestors({ investors }: Collections, view: View): InvestorReader {
  return {
    get: async (organizationId, id) => ownedBy(organizationId, view.get(investors, id)),
    findByPartnerCustomerRef: async (organizationId, ref) =>
      view.find(investors, investorByRef, joinKey(organizationId, ref)),
    listByOrganization: async (
      organizationId,
      { after: key, limit = Number.POSITIVE_INFINITY } = {},
    ) => {
      const [index, value] = [investorsByOrganization, organizationId]
      if (key === undefined) return take(view.group(investors, index, value), limit)
      return take(view.after(investors, index, { value, key }), limit)
    },
  }
}
