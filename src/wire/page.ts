import { type Page, type PageRequest, totalPages } from '../domain/page.ts'

/** spec: Paged envelope. Catalogue lists add `sort` themselves. */
export function renderPage<Item, Rendered>(
  page: Page<Item>,
  request: PageRequest,
  renderItem: (item: Item) => Rendered,
) {
  const pages = totalPages(page, request)
  return {
    items: page.items.map(renderItem),
    page: request.page,
    size: request.size,
    total_items: page.totalItems,
    total_pages: pages,
    has_next: request.page < pages,
    has_previous: request.page > 1,
  }
}
