import { getRouterParam, type H3Event, type H3Plugin } from 'h3'
import { type Catalogue, requirePublished } from '../domain/cooperatives/catalogue.ts'
import { type CatalogueMatch, searchCatalogue } from '../domain/cooperatives/search-catalogue.ts'
import { Problem } from '../domain/problem.ts'
import { readCatalogue } from '../usecases/cooperatives/read-catalogue.ts'
import type { Service } from '../usecases/service.ts'
import { answerCacheable } from './answer-cacheable.ts'
import { requireScope } from './middleware/require-scope.ts'
import { readParameter } from './query.ts'
import { type CatalogueQuery, readCatalogueQuery } from './read-catalogue-query.ts'
import { renderPage } from './render-page.ts'
import { type Rendered, RenderedCatalogue } from './rendered-catalogue.ts'
import { renderCooperativeDetail, renderCooperativeSummary } from './shapes/cooperatives.ts'

export function cooperativeRoutes(service: Service): H3Plugin {
  const { baseUrl } = service.settings
  const rendered = new RenderedCatalogue()
  return (app) => {
    app.get(
      '/v1/cooperatives',
      async (event) => {
        const catalogue = await readCatalogue(service)
        const page = rendered.read(catalogue, event.url.search, () =>
          renderCatalogue(catalogue, readCatalogueQuery(event), baseUrl),
        )
        return answer(event, page)
      },
      { middleware: [requireScope('cooperatives:read')] },
    )
    app.get(
      '/v1/cooperatives/:id',
      async (event) => {
        const catalogue = await readCatalogue(service)
        const cooperative = requirePublished(catalogue, getRouterParam(event, 'id') ?? '')
        const expandProjects = readExpand(event)
        const detail = rendered.read(catalogue, `${cooperative.id} ${expandProjects}`, () =>
          renderCooperativeDetail(cooperative, { baseUrl, expandProjects }),
        )
        return answer(event, detail)
      },
      { middleware: [requireScope('cooperatives:read', 'projects:read')] },
    )
  }
}

function renderCatalogue(catalogue: Catalogue, query: CatalogueQuery, baseUrl: string) {
  const { search, page } = query
  const found = searchCatalogue(catalogue, search, page)
  const render = (match: CatalogueMatch) => renderCooperativeSummary(match, { ...query, baseUrl })
  return { ...renderPage(found, page, render), sort: search.sort }
}

function readExpand(event: H3Event): boolean {
  const tokens = readParameter(event, 'expand')?.split(',') ?? []
  const unknown = tokens.find((token) => token !== 'projects')
  if (unknown === undefined) return tokens.length > 0
  throw new Problem('VALIDATION_ERROR', 'The parameter expand knows one value: projects.')
}

function answer(event: H3Event, rendered: Rendered) {
  const contentType = 'application/json;charset=UTF-8'
  return answerCacheable(event, { ...rendered, contentType, cacheControl: 'private, max-age=300' })
}
