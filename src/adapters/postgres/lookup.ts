import type { Collection } from '../store/collection.ts'
import type { Lookup } from '../store/lookup.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { Reads } from './reads.ts'
import { type Question, tableOf } from './table.ts'

/** A read may use cached answers for a second. A write may use older ones, because its commit compares versions. */
export function lookupOf(reads: Reads, kept: AnswerCache, { isProven = false } = {}): Lookup {
  const asker = {}
  const ask = async <Stored extends object, Answer>(
    collection: Collection<Stored>,
    question: Question<Answer>,
  ): Promise<Answer> => {
    if (!collection.isCached) return reads.ask(question, asker)
    if (!isProven) await kept.refresh()
    return kept.read(collection, question, asker)
  }
  return {
    get: (collection, key) => ask(collection, tableOf(collection).one(collection.key.columns, key)),
    find: (collection, index, values) =>
      ask(collection, tableOf(collection).one(index.columns, values)),
    list: (collection, index, range) => ask(collection, tableOf(collection).list(index, range)),
    count: (collection, index, values) => ask(collection, tableOf(collection).count(index, values)),
    listed: (collection, index) => ask(collection, tableOf(collection).listed(index)),
    async version(collection) {
      if (!isProven) await kept.refresh()
      return kept.version(collection)
    },
  }
}
