const [defaultSize, maximumSize] = [20, 100]

/** Reads `page` and `size`. Values outside their range are clamped. */
export function readPage({ page, size }) {
  const wanted = Number.parseInt(size ?? defaultSize, 10)
  return {
    page: Math.max(Number.parseInt(page ?? 1, 10) || 1, 1),
    size: Math.min(Math.max(Number.isNaN(wanted) ? defaultSize : wanted, 1), maximumSize),
  }
}

export function renderPage({ items, total }, { page, size }) {
  const pages = Math.ceil(total / size)
  return {
    ...{ items, page, size, total_items: total, total_pages: pages },
    has_next: page < pages,
    has_previous: page > 1,
  }
}
