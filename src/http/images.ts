import { getRouterParam, type H3Event, type H3Plugin } from 'h3'
import { cooperativeImageKinds, type ImageKind, imageNameOf } from '../domain/cooperatives/image.ts'
import { readCatalogue } from '../usecases/cooperatives/read-catalogue.ts'
import { noSuchImage, readImage } from '../usecases/cooperatives/read-image.ts'
import type { Service } from '../usecases/service.ts'
import { answerCacheable } from './answer-cacheable.ts'
import { type KeptImage, KeptImages } from './kept-images.ts'

/** Without a token, so that a page can show them. */
export function imageRoutes(service: Service): H3Plugin {
  const kept = new KeptImages()
  const read = async (event: H3Event, kind: ImageKind): Promise<KeptImage> => {
    const place = { ownerId: (getRouterParam(event, 'id') ?? '').toLowerCase(), kind }
    const name = imageNameOf(place)
    const catalogue = await readCatalogue(service)
    // One of an unpublished cooperative is as unknown as the cooperative.
    if (!catalogue.imageNames.has(name)) throw noSuchImage()
    return kept.read(catalogue, name, () => readImage(service, place))
  }
  return (app) => {
    app.get('/images/cooperatives/:id/:kind', async (event) =>
      answer(event, await read(event, readKind(event))),
    )
    app.get('/images/projects/:id', async (event) => answer(event, await read(event, 'project')))
  }
}

function readKind(event: H3Event) {
  const kind = cooperativeImageKinds.find((known) => known === getRouterParam(event, 'kind'))
  if (!kind) throw noSuchImage()
  return kind
}

// An SVG is a document: opened by itself it could run scripts and load things in our name.
const harmless = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

function answer(event: H3Event, image: KeptImage) {
  const headers = { 'content-security-policy': harmless }
  return answerCacheable(event, { ...image, cacheControl: 'max-age=3600', headers })
}
