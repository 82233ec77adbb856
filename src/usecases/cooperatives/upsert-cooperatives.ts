import { isDeepStrictEqual } from 'node:util'
import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { CooperativeDefinition } from '../../domain/cooperatives/cooperative-definition.ts'
import { defineCooperative } from '../../domain/cooperatives/define-cooperative.ts'
import {
  findImportConflicts,
  type Import,
} from '../../domain/cooperatives/find-import-conflicts.ts'
import { Problem } from '../../domain/problem.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { Records } from '../../ports/store.ts'
import { removeProjectImages } from './remove-project-images.ts'
import { storeImages } from './store-images.ts'

export interface UpsertedCooperative {
  readonly cooperative: Cooperative
  readonly outcome: 'created' | 'updated' | 'unchanged'
  /** As it was, when it was there. */
  readonly before: Cooperative | undefined
  /** Those that were replaced, as a file of definitions names them. */
  readonly images: readonly string[]
}

interface Upsert {
  readonly definition: CooperativeDefinition
  readonly before: Cooperative | undefined
  readonly cooperative: Cooperative
}

/** Inside one write, so that all of the definitions are taken or none. */
export async function upsertCooperatives(
  records: Records,
  definitions: readonly CooperativeDefinition[],
  now: Timestamp,
): Promise<UpsertedCooperative[]> {
  const existing = await records.cooperatives.list()
  const byKey = new Map(existing.map((cooperative) => [cooperative.key, cooperative]))
  const upserts = definitions.map((definition): Upsert => {
    const before = byKey.get(definition.key)
    return { definition, before, cooperative: defineCooperative(definition, before, now) }
  })
  const cooperatives = upserts.map(({ cooperative }) => cooperative)
  requireNoConflicts({ definitions, cooperatives, existing })
  // Before any image is stored: a project may have moved from one cooperative to another.
  for (const { before, cooperative } of upserts) {
    await removeProjectImages(records, before, cooperative)
  }
  const upserted: UpsertedCooperative[] = []
  for (const upsert of upserts) upserted.push(await upsertOne(records, upsert, now))
  return upserted
}

function requireNoConflicts(all: Import): void {
  const errors = findImportConflicts(all)
  const sentences = Object.entries(errors).map(([path, conflict]) => `${path} ${conflict}`)
  if (sentences.length > 0) {
    throw new Problem('VALIDATION_ERROR', `Not valid: ${sentences.join('; ')}.`, { errors })
  }
}

async function upsertOne(
  records: Records,
  { definition, before, cooperative }: Upsert,
  now: Timestamp,
): Promise<UpsertedCooperative> {
  const images = await storeImages(records, cooperative, definition)
  if (before && images.length === 0 && isDeepStrictEqual(cooperative, before)) {
    return { cooperative: before, outcome: 'unchanged', before, images }
  }
  const stamped = { ...cooperative, updatedAt: now }
  await records.cooperatives.put(stamped)
  return { cooperative: stamped, outcome: before ? 'updated' : 'created', before, images }
}
