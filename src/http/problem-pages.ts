import { createHash } from 'node:crypto'
import { getRouterParam, type H3Event, type H3Plugin } from 'h3'
import { Problem } from '../domain/problem.ts'
import { type ProblemRow, problems, problemsWithoutCode } from '../domain/problem-code.ts'
import { representationOf, sendCacheable } from './cacheable-response.ts'
import { escapeHtml } from './console/html.ts'
import { containedIconLink } from './logo.ts'
import { slugOf } from './problem-details.ts'

/**
 * The pages to which the `type` of problems leads. They are public and for people, so not below
 * /v1.
 */
export const problemPagesPath = '/errors/'

interface ProblemPage extends ProblemRow {
  readonly name: string
  readonly statuses: readonly number[]
}

const rows = Object.entries<ProblemRow>({ ...problems, ...problemsWithoutCode })
const pages = new Map(rows.filter(([, row]) => row.publicCode === undefined).map(toPage))

function toPage([name, row]: readonly [string, ProblemRow]): readonly [string, ProblemPage] {
  const statuses = rows
    .filter(([code, { publicCode = code }]) => publicCode === name)
    .map(([, { status }]) => status)
    .sort()
  return [slugOf(name), { ...row, name, statuses }]
}

export function problemPageRoutes(): H3Plugin {
  return (app) => {
    app.get(`${problemPagesPath}:slug`, (event: H3Event) => {
      const page = pages.get(getRouterParam(event, 'slug') ?? '')
      if (!page) throw new Problem('NOT_FOUND', 'No problem has this name.')
      return sendCacheable(event, representPage(page))
    })
  }
}

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color:#222;background:#fff}h2{font-size:1.1rem;margin-bottom:0}'
const styleDigest = createHash('sha256').update(style).digest('base64')
const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${styleDigest}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

function representPage(page: ProblemPage) {
  return {
    ...representationOf(renderHtml(page)),
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'public, max-age=300',
    headers: { 'content-security-policy': contentSecurityPolicy },
  }
}

function renderHtml({ name, statuses, title, meaning, advice }: ProblemPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
${containedIconLink}
<style>${style}</style>
</head>
<body>
<p><a href="/">coopshare</a></p>
<h1>${name}</h1>
<p>Status ${statuses.join(' or ')}</p>
<h2>What happened</h2>
<p>${escapeHtml(title)}</p>
<h2>Why</h2>
<p>${renderText(meaning)}</p>
<h2>What to do</h2>
<p>${renderText(advice)}</p>
</body>
</html>
`
}

/** Text between backticks becomes code. */
function renderText(text: string): string {
  return escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>')
}
