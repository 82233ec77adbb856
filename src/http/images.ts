import { getRouterParam, type H3Event, type H3Plugin, HTTPResponse, handleCacheHeaders } from 'h3'
import { cooperativeImageKinds, type Image } from '../domain/cooperatives/image.ts'
import { Problem } from '../domain/problem.ts'
import { readImage } from '../usecases/cooperatives/read-image.ts'
import type { Service } from '../usecases/service.ts'

/** Without a token, so that a page can show them. */
export function imageRoutes(service: Service): H3Plugin {
  return (app) => {
    app.get('/images/cooperatives/:id/:kind', async (event) => {
      const kind = readKind(event)
      const image = await readImage(service, getRouterParam(event, 'id') ?? '', kind)
      return answer(event, image)
    })
    app.get('/images/projects/:id', async (event) => {
      const image = await readImage(service, getRouterParam(event, 'id') ?? '', 'project')
      return answer(event, image)
    })
  }
}

function readKind(event: H3Event) {
  const kind = cooperativeImageKinds.find((known) => known === getRouterParam(event, 'kind'))
  if (!kind) throw new Problem('NOT_FOUND', 'There is no such image.')
  return kind
}

// An SVG is a document: opened by itself it could run scripts and load things in our name.
const harmless = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

function answer(event: H3Event, { contentType, base64, etag }: Image): Uint8Array | HTTPResponse {
  const isUnchanged = handleCacheHeaders(event, { etag })
  const { headers } = event.res
  // Exactly what the spec says: h3 would add public and s-maxage.
  headers.set('cache-control', 'max-age=3600')
  if (isUnchanged) return new HTTPResponse(null)
  headers.set('content-type', contentType)
  headers.set('content-security-policy', harmless)
  return Buffer.from(base64, 'base64')
}
