import { deriveId } from '../ids.ts'
import type { Creditor, CreditorTerms } from '../payments/creditor.ts'
import type { FieldErrors } from '../problem.ts'
import { isDistinctName, isSameText, notDistinct } from '../text.ts'
import type { Timestamp } from '../timestamp.ts'
import { type Cooperative, type Project, withPrice } from './cooperative.ts'
import type { CooperativeImageKind, ImageFile } from './image.ts'

type Managed = 'id' | 'published' | 'projects' | 'priceHistory' | 'createdAt' | 'updatedAt'
type HasImages = 'hasHeroImage' | 'hasCardImage' | 'hasLogoImage'

/** The description of a cooperative by an operator. A field that is left out has no value, unless `kept` contains the field. */
export interface CooperativeDefinition extends Omit<Cooperative, Managed | HasImages | 'creditor'> {
  /** If undefined, the id is derived from the key. */
  readonly id: string | undefined
  /** If undefined, a stored cooperative keeps its value, and a new one is not published. */
  readonly published: boolean | undefined
  /** If undefined, a stored cooperative keeps its creditor, and a new one has none. null removes the creditor. */
  readonly creditor: CreditorTerms | null | undefined
  readonly images: Readonly<Partial<Record<CooperativeImageKind, ImageFile>>>
  readonly projects: readonly ProjectDefinition[]
  /** The parts that a stored cooperative keeps although the definition omits them. */
  readonly kept: readonly KeptField[]
}

export type KeptField = Exclude<
  keyof Cooperative,
  'id' | 'key' | 'creditor' | 'createdAt' | 'updatedAt'
>

export interface ProjectDefinition extends Omit<Project, 'id' | 'hasImage'> {
  /** If undefined, the id is derived from the cooperative's key and the project's name. */
  readonly id: string | undefined
  readonly image: ImageFile | undefined
  /** Whether a stored project keeps its image. */
  readonly keepsImage: boolean
}

/** The creditor of a definition with the BIC that was derived from its IBAN. */
export type DerivedCreditors = ReadonlyMap<CreditorTerms, Creditor>

/**
 * Returns the cooperative that the definition creates, or the existing one with the definition
 * applied.
 */
export function defineCooperative(
  definition: CooperativeDefinition,
  existing: Cooperative | undefined,
  { now, creditors }: { readonly now: Timestamp; readonly creditors: DerivedCreditors },
): Cooperative {
  const { id, published, creditor: given, images, projects, kept, ...described } = definition
  const creditor = given === undefined ? existing?.creditor : given && creditors.get(given)
  const key = existing?.key ?? definition.key.normalize('NFC')
  const defined: Cooperative = {
    ...described,
    key,
    id: existing?.id ?? id ?? deriveId('cooperative', key),
    published: published ?? existing?.published ?? false,
    projects: projects.map((project) => defineProject(key, project, existing)),
    hasHeroImage: images.hero !== undefined,
    hasCardImage: images.card !== undefined,
    hasLogoImage: images.logo !== undefined,
    ...(creditor && { creditor }),
    priceHistory: [{ at: now, oldPrice: null, newPrice: definition.sharePrice }],
    createdAt: now,
    updatedAt: now,
  }
  return existing ? applyDefinition(defined, existing, { kept, now }) : defined
}

function applyDefinition(
  defined: Cooperative,
  existing: Cooperative,
  { kept, now }: { readonly kept: readonly KeptField[]; readonly now: Timestamp },
): Cooperative {
  const values = Object.fromEntries(kept.map((field) => [field, existing[field]]))
  const { sharePrice, ...applied }: Cooperative = { ...defined, ...values }
  const { priceHistory, createdAt, updatedAt } = existing
  const atOldPrice = { ...applied, sharePrice: existing.sharePrice, priceHistory }
  return withPrice({ ...atOldPrice, createdAt, updatedAt }, sharePrice, now)
}

function defineProject(
  key: string,
  { id: given, image, keepsImage, ...described }: ProjectDefinition,
  existing: Cooperative | undefined,
): Project {
  const id = given ?? deriveId('project', key, described.name.normalize('NFC'))
  const stored = keepsImage ? existing?.projects.find((project) => project.id === id) : undefined
  return { ...described, id, hasImage: stored?.hasImage ?? image !== undefined }
}

export interface Import {
  readonly definitions: readonly CooperativeDefinition[]
  /** The cooperatives of the definitions, in the same order. */
  readonly cooperatives: readonly Cooperative[]
  /** All stored cooperatives, including those that the import replaces. */
  readonly existing: readonly Cooperative[]
}

interface Claim {
  readonly name: string
  readonly path: string
  readonly conflict: string
}

/** Finds keys and ids that are not unique. The errors are keyed by path in the import. */
export function findImportConflicts({ definitions, cooperatives, existing }: Import): FieldErrors {
  // Two definitions with one key also share all derived ids, and those errors would hide the
  // mistake.
  const repeated = findTaken(new Set(), cooperatives.map(claimKey))
  if (Object.keys(repeated).length > 0) return repeated
  const keys = new Set(cooperatives.map(({ key }) => key))
  const kept = existing.filter(({ key }) => !keys.has(key)).flatMap(idsOf)
  const taken = findTaken(new Set(kept), cooperatives.flatMap(claimIds))
  return {
    ...taken,
    ...findIndistinctNames(definitions, existing),
    ...findChangedIds(definitions, cooperatives),
  }
}

/** An export has ids, and may have names from before this rule. */
function findIndistinctNames(
  definitions: readonly CooperativeDefinition[],
  existing: readonly Cooperative[],
): FieldErrors {
  const found = definitions.flatMap(({ id, key, projects }, index) => {
    const path = `cooperatives.${index}`
    const ofProjects = projects.map((project, position) => ({
      id: project.id,
      name: project.name,
      path: `${path}.projects.${position}.name`,
    }))
    const indistinct = [{ id, name: key, path: `${path}.key` }, ...ofProjects].filter(
      (one) => one.id === undefined && !isDistinctName(one.name),
    )
    if (indistinct.length === 0) return []
    const stored = existing.find((one) => isSameText(one.key, key))
    const known = stored ? [stored.key, ...stored.projects.map(({ name }) => name)] : []
    return indistinct.filter(({ name }) => !known.some((other) => isSameText(other, name)))
  })
  return Object.fromEntries(found.map(({ path }) => [path, notDistinct]))
}

function claimKey({ key }: Cooperative, index: number): Claim {
  return { name: key, path: `cooperatives.${index}.key`, conflict: 'appears more than once' }
}

function claimIds({ id, projects }: Cooperative, index: number): Claim[] {
  const path = `cooperatives.${index}`
  const ofProjects = projects.map((project, position) => ({
    name: project.id,
    path: `${path}.projects.${position}`,
    conflict: 'has the same name or id as another project',
  }))
  const conflict = 'belongs to another cooperative or project'
  return [{ name: id, path: `${path}.id`, conflict }, ...ofProjects]
}

function idsOf({ id, projects }: Cooperative): string[] {
  return [id, ...projects.map((project) => project.id)]
}

function findTaken(taken: Set<string>, claims: readonly Claim[]): FieldErrors {
  const errors: Record<string, string> = {}
  for (const { name, path, conflict } of claims) {
    if (taken.has(name)) errors[path] = conflict
    taken.add(name)
  }
  return errors
}

function findChangedIds(
  definitions: readonly CooperativeDefinition[],
  cooperatives: readonly Cooperative[],
): FieldErrors {
  const changed = cooperatives.flatMap(({ id }, index) => {
    const given = definitions[index]?.id
    const message = `cannot change: the cooperative with this key has the id ${id}`
    return given && given !== id ? [[`cooperatives.${index}.id`, message]] : []
  })
  return Object.fromEntries(changed)
}
