import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { CooperativeDefinition } from '../../domain/cooperatives/cooperative-definition.ts'
import { cooperativeImageKinds, type ImageKind } from '../../domain/cooperatives/image.ts'
import type { ImageFile } from '../../domain/cooperatives/image-file.ts'
import type { Records } from '../../ports/store.ts'
import { strongEtag } from '../strong-etag.ts'

interface Place {
  readonly ownerId: string
  readonly kind: ImageKind
  /** undefined: there is to be none. */
  readonly file: ImageFile | undefined
  /** As a file of definitions names it. */
  readonly path: string
}

/** The pictures as the definition says, those of the projects included; the paths of those that had to be changed. */
export async function storeImages(
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
    path: `${kind}_image`,
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
