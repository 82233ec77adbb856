import { derivedId } from '../derived-id.ts'
import type { Timestamp } from '../timestamp.ts'
import type { Cooperative, Project } from './cooperative.ts'
import type { CooperativeDefinition, ProjectDefinition } from './cooperative-definition.ts'

/** The cooperative that a definition makes, or makes of the one that is there. */
export function defineCooperative(
  definition: CooperativeDefinition,
  existing: Cooperative | undefined,
  now: Timestamp,
): Cooperative {
  const { id, published, images, projects, ...described } = definition
  return {
    ...described,
    id: existing?.id ?? id ?? derivedId('cooperative', definition.key),
    published: published ?? existing?.published ?? false,
    projects: projects.map((project) => defineProject(definition.key, project)),
    hasHeroImage: images.hero !== undefined,
    hasCardImage: images.card !== undefined,
    hasLogoImage: images.logo !== undefined,
    createdAt: existing?.createdAt ?? now,
    updatedAt: existing?.updatedAt ?? now,
  }
}

function defineProject(key: string, definition: ProjectDefinition): Project {
  const { id, image, ...described } = definition
  return {
    ...described,
    id: id ?? derivedId('project', key, definition.name),
    hasImage: image !== undefined,
  }
}
