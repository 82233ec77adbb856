import type { Image, ImageKind } from '../../domain/cooperatives/image.ts'
import { Problem } from '../../domain/problem.ts'
import type { Service } from '../service.ts'
import { readCatalogue } from './read-catalogue.ts'

/** A picture that the catalogue shows: one of an unpublished cooperative is as unknown as the cooperative. */
export async function readImage(
  service: Service,
  ownerId: string,
  kind: ImageKind,
): Promise<Image> {
  const id = ownerId.toLowerCase()
  const { byId, projectIds } = await readCatalogue(service)
  const isShown = kind === 'project' ? projectIds.has(id) : byId.has(id)
  const image = isShown && (await service.store.read(({ images }) => images.get(id, kind)))
  if (!image) throw new Problem('NOT_FOUND', 'There is no such image.')
  return image
}
