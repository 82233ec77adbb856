import { isDeepStrictEqual } from 'node:util'
import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import {
  type CooperativeDefinition,
  type DerivedCreditors,
  defineCooperative,
  findImportConflicts,
  type Import,
  type KeptField,
} from '../../domain/cooperatives/cooperative-definition.ts'
import {
  type CooperativeImageKind,
  cooperativeImageKinds,
  type ImageFile,
  type ImageKind,
} from '../../domain/cooperatives/image.ts'
import { Problem } from '../../domain/problem.ts'
import { nextInstant, type Timestamp } from '../../domain/timestamp.ts'
import { mapInTurns, nextTurn } from '../../machine/time.ts'
import type { Records, Store } from '../../ports/store.ts'
import { type Subject, subjects } from '../../ports/subjects.ts'
import { strongEtag } from '../etag.ts'
import { deriveCreditor } from '../payments/creditors.ts'
import { openMissingPayments } from '../payments/open-payments.ts'
import type { Service } from '../service.ts'
import { findCooperative } from './cooperatives.ts'

export interface ImportOptions {
  /** Imports everything, reports the changes, and undoes them. */
  readonly dryRun?: boolean | undefined
}

/**
 * Imports all definitions or none. Cooperatives that already match their definition are not
 * changed.
 */
export async function importCooperatives(
  service: Service,
  definitions: readonly CooperativeDefinition[],
  { dryRun = false }: ImportOptions = {},
): Promise<readonly UpsertedCooperative[]> {
  const { store, clock } = service
  const creditors = await deriveCreditors(service, definitions)
  const write = (records: Records) =>
    upsertCooperatives(records, definitions, { now: clock.now(), creditors })
  const subject = subjects.all('cooperatives')
  const upserted = await writeUnlessDry(store, { subject, dryRun }, write)
  if (!dryRun) await openPaymentsOf(service, upserted)
  return upserted
}

/** Asks for the banks before the write, because the answer may come from another server. */
export async function deriveCreditors(
  service: Service,
  definitions: readonly CooperativeDefinition[],
): Promise<DerivedCreditors> {
  const terms = definitions.flatMap(({ creditor }) => creditor ?? [])
  const derived = terms.map(async (one) => [one, await deriveCreditor(service, one)] as const)
  return new Map(await Promise.all(derived))
}

/** Approved orders of a cooperative that gets a creditor get their payments. */
export async function openPaymentsOf(
  service: Service,
  upserted: readonly UpsertedCooperative[],
): Promise<void> {
  for (const { cooperative, before } of upserted) {
    if (cooperative.creditor && !before?.creditor) await openMissingPayments(service, cooperative)
  }
}

interface PossibleWrite {
  readonly subject: Subject
  readonly dryRun: boolean
}

/** A dry run does the whole work, so that it finds every error, and returns what would be stored. */
export async function writeUnlessDry<Result>(
  store: Store,
  { subject, dryRun }: PossibleWrite,
  work: (records: Records) => Promise<Result>,
): Promise<Result> {
  if (!dryRun) return store.write(subject, work)
  const undone = new Error('This was a dry run.')
  let result: { readonly value: Result } | undefined
  const run = async (records: Records) => {
    result = { value: await work(records) }
    throw undone
  }
  await store.write(subject, run).catch((error) => {
    if (error !== undone) throw error
  })
  if (!result) throw undone
  return result.value
}

/** All fields of a new cooperative. The key must be new. */
export async function createCooperative(
  service: Service,
  definition: CooperativeDefinition,
): Promise<Cooperative> {
  const { store, clock } = service
  const creditors = await deriveCreditors(service, [definition])
  return store.write(subjects.all('cooperatives'), async (records) => {
    if (await findCooperative(records, definition.key)) throw keyTaken(definition.key)
    const [created] = await upsertCooperatives(records, [definition], {
      now: clock.now(),
      creditors,
    })
    if (!created) throw new Error('A cooperative was not created.')
    return created.cooperative
  })
}

function keyTaken(key: string): Problem {
  return new Problem(
    'NAME_TAKEN',
    `A cooperative with the key ${key} already exists. "coopshare cooperative update" changes it.`,
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

/** With large images, these take a few milliseconds. */
const perTurn = 10
/** Without images. */
const definedPerTurn = 50

/** Uses the records of a write, so that all definitions are stored or none. */
export async function upsertCooperatives(
  records: Records,
  definitions: readonly CooperativeDefinition[],
  { now, creditors }: { readonly now: Timestamp; readonly creditors: DerivedCreditors },
): Promise<UpsertedCooperative[]> {
  const existing = await records.cooperatives.list()
  const inUsualForm = existing.map((one) => [one.key.normalize('NFC'), one] as const)
  const byKey = new Map([...inUsualForm, ...existing.map((one) => [one.key, one] as const)])
  const define = (definition: CooperativeDefinition): Upsert => {
    const { key } = definition
    const before = byKey.get(key) ?? byKey.get(key.normalize('NFC'))
    return {
      definition,
      before,
      cooperative: defineCooperative(definition, before, { now, creditors }),
    }
  }
  const upserts = await mapInTurns(definitions, define, definedPerTurn)
  await nextTurn()
  const cooperatives = upserts.map(({ cooperative }) => cooperative)
  requireNoConflicts({ definitions, cooperatives, existing })
  // Images are removed first, because a project may have moved from one cooperative to another.
  for (const [index, { before, cooperative }] of upserts.entries()) {
    if (index % definedPerTurn === 0) await nextTurn()
    await removeProjectImages(records, before, cooperative)
  }
  const upserted: UpsertedCooperative[] = []
  for (const upsert of upserts) {
    upserted.push(await upsertOne(records, upsert, now))
    if (upserted.length % perTurn === 0) await nextTurn()
  }
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
  // If only an image changes while a virtual clock stands still, the record must differ all the same:
  // caches of images follow the version of the catalogue.
  const updatedAt = before?.updatedAt === now ? nextInstant(now) : now
  const stamped = { ...cooperative, updatedAt }
  await records.cooperatives.put(stamped)
  return { cooperative: stamped, outcome: before ? 'updated' : 'created', before, images }
}

interface Place {
  readonly ownerId: string
  readonly kind: ImageKind
  /** The image stays, even if the definition names another. */
  readonly isKept: boolean
  /** undefined if the image should be removed. */
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
    isKept: definition.kept.includes(hasImageFields[kind]),
    file: definition.images[kind],
    path: `${kind}Image`,
  }))
  const ofProjects = projects.map((project, index) => ({
    ownerId: project.id,
    kind: 'project' as const,
    isKept: definition.projects[index]?.keepsImage ?? true,
    file: definition.projects[index]?.image,
    path: `projects.${index}.image`,
  }))
  return [...own, ...ofProjects]
}

const hasImageFields = {
  hero: 'hasHeroImage',
  card: 'hasCardImage',
  logo: 'hasLogoImage',
} as const satisfies Record<CooperativeImageKind, KeptField>

async function storeImage(
  { images }: Records,
  { ownerId, kind, isKept, file }: Place,
): Promise<boolean> {
  if (isKept) return false
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
