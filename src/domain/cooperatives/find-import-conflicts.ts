import type { FieldErrors } from '../problem.ts'
import type { Cooperative } from './cooperative.ts'
import type { CooperativeDefinition } from './cooperative-definition.ts'

export interface Import {
  readonly definitions: readonly CooperativeDefinition[]
  /** What the definitions make, in their order. */
  readonly cooperatives: readonly Cooperative[]
  /** All that are there, those that the import replaces included. */
  readonly existing: readonly Cooperative[]
}

interface Claim {
  readonly name: string
  readonly path: string
  readonly conflict: string
}

/** What would make two cooperatives or projects one, keyed by the path in the import. */
export function findImportConflicts({ definitions, cooperatives, existing }: Import): FieldErrors {
  // Two of one key have all their derived ids in common too, which would only hide the mistake.
  const repeated = findTaken(new Set(), cooperatives.map(claimKey))
  if (Object.keys(repeated).length > 0) return repeated
  const keys = new Set(cooperatives.map(({ key }) => key))
  const kept = existing.filter(({ key }) => !keys.has(key)).flatMap(idsOf)
  const taken = findTaken(new Set(kept), cooperatives.flatMap(claimIds))
  return { ...taken, ...findChangedIds(definitions, cooperatives) }
}

function claimKey({ key }: Cooperative, index: number): Claim {
  return { name: key, path: `cooperatives.${index}.key`, conflict: 'is there more than once' }
}

function claimIds({ id, projects }: Cooperative, index: number): Claim[] {
  const path = `cooperatives.${index}`
  const ofProjects = projects.map((project, position) => ({
    name: project.id,
    path: `${path}.projects.${position}`,
    conflict: 'has the name or the id of another project',
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
    const message = `cannot change: the cooperative of this key has the id ${id}`
    return given && given !== id ? [[`cooperatives.${index}.id`, message]] : []
  })
  return Object.fromEntries(changed)
}
