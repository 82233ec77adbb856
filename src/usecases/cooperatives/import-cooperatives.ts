import { isDeepStrictEqual } from 'node:util'
import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import {
  type CooperativeDefinition,
  defineCooperative,
  findImportConflicts,
  type Import,
} from '../../domain/cooperatives/cooperative-definition.ts'
import {
  cooperativeImageKinds,
  type ImageFile,
  type ImageKind,
} from '../../domain/cooperatives/image.ts'
import { Problem } from '../../domain/problem.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { Records } from '../../ports/store.ts'
import { strongEtag } from '../digests.ts'
import type { Service } from '../service.ts'

/**
 * Imports all definitions or none. Cooperatives that already match their definition are not
 * changed.
 */
export function importCooperatives(
  { store, clock }: Service,
  definitions: readonly CooperativeDefinition[],
): Promise<UpsertedCooperative[]> {
  return store.write('catalogue', (records) =>
    upsertCooperatives(records, definitions, clock.now()),
  )
}

export interface UpsertedCooperative {
  readonly cooperative: Cooperative
  readonly outcome: 'created' | 'updated' | 'unchanged'
  /** The cooperative before the import; undefined if it is new. */
  readonly before: Cooperative | undefined
  /** Paths of changed images in the definition. */
  readonly images: readonly string[]
}

interface Upsert {
  readonly definition: CooperativeDefinition
  readonly before: Cooperative | undefined
  readonly cooperative: Cooperative
}

/** Takes the records of a write, so that all definitions are stored or none. */
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
  // Images are removed first, because a project may have moved from one cooperative to another.
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
    throw new Problem('VALIDATION_ERROR', `These fields are not valid: ${sentences.join('; ')}.`, {
      errors,
    })
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

interface Place {
  readonly ownerId: string
  readonly kind: ImageKind
  /** undefined if the image is to be removed. */
  readonly file: ImageFile | undefined
  /** The path in the definition. */
  readonly path: string
}

/**
 * Stores the images of a definition, including those of its projects. Returns the paths of those
 * that changed.
 */
async function storeImages(
  records: Records,
  cooperative: Cooperative,
  definition: CooperativeDefinition,
): Promise<readonly string[]> {
  const changed: string[] = []
  for (const place of placesOf(cooperative, definition)) {
    if (await storeImage(records, place)) changed.push(place.path)
  }
  return changed
}

function placesOf({ id, projects }: Cooperative, definition: CooperativeDefinition): Place[] {
  const own = cooperativeImageKinds.map((kind) => ({
    ownerId: id,
    kind,
    file: definition.images[kind],
    path: `${kind}Image`,
  }))
  const ofProjects = projects.map((project, index) => ({
    ownerId: project.id,
    kind: 'project' as const,
    file: definition.projects[index]?.image,
    path: `projects.${index}.image`,
  }))
  return [...own, ...ofProjects]
}

async function storeImage({ images }: Records, { ownerId, kind, file }: Place): Promise<boolean> {
  const current = await images.get(ownerId, kind)
  if (!file) {
    if (current) await images.remove(ownerId, kind)
    return current !== undefined
  }
  const etag = strongEtag(Buffer.from(file.base64, 'base64'))
  if (current?.etag === etag && current.contentType === file.contentType) return false
  await images.put({ ownerId, kind, ...file, etag })
  return true
}

/** Removes the images of projects that the cooperative no longer has. */
async function removeProjectImages(
  { images }: Records,
  before: Cooperative | undefined,
  after: Cooperative,
): Promise<void> {
  const kept = new Set(after.projects.map(({ id }) => id))
  const dropped = before?.projects.filter(({ id, hasImage }) => hasImage && !kept.has(id)) ?? []
  for (const { id } of dropped) await images.remove(id, 'project')
}
