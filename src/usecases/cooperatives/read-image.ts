import type { Image, ImagePlace } from '../../domain/cooperatives/image.ts'
import { Problem } from '../../domain/problem.ts'
import type { Service } from '../service.ts'

export async function readImage({ store }: Service, { ownerId, kind }: ImagePlace): Promise<Image> {
  const image = await store.read(({ images }) => images.get(ownerId, kind))
  // Since the catalogue was read, it may have gone.
  if (!image) throw noSuchImage()
  return image
}

export function noSuchImage(): Problem {
  return new Problem('NOT_FOUND', 'There is no such image.')
}
