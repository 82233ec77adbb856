import type { CollectionName } from './collections.ts'

declare const subject: unique symbol

/** What a write is about. An instance runs the writes about one subject one after the other. */
export type Subject = string & { readonly [subject]: true }

/**
 * Writes that would often conflict have the same subject. The result of a write does not depend on its subject, because
 * each commit proves what the write has read.
 */
export const subjects = {
  /**
   * An investor with their orders and holdings. A change of an order also changes the holding, and a new order reads the
   * profile.
   */
  investor: (investorId: string) => about('investor', investorId.toLowerCase()),
  /** The reference of a partner for an investor who may not be registered yet. */
  partnerCustomerRef: (organizationId: string, reference: string) =>
    about('partnerCustomerRef', organizationId, reference),
  /** The events of one ordering key, with their deliveries. */
  events: (orderingKey: string) => about('events', orderingKey),
  /**
   * The records of a collection that engines cache, because one version proves all of them. Also the records of a
   * collection that a write removes or changes in large numbers.
   */
  all: (collection: CollectionName) => about('all', collection),
  /** A file of many records. */
  fixtures: about('fixtures'),
  /** A write that will be undone. No other write waits for it. */
  dryRun: (id: string) => about('dryRun', id),
}

function about(...kindAndId: readonly string[]): Subject {
  return kindAndId.join(' ') as Subject
}
