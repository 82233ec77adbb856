import { createHash } from 'node:crypto'
import { getRouterParam, type H3Event, type H3Plugin } from 'h3'
import { Problem } from '../domain/problem.ts'
import { representationOf, sendCacheable } from './cacheable-response.ts'
import { escapeHtml } from './console/html.ts'
import { describeProblem, slugOf } from './problem-details.ts'
import { type ExplainedProblem, explanations } from './problem-explanations.ts'

/**
 * The pages to which the `type` of problems leads. They are public and for people, so not below
 * /v1.
 */
export const problemPagesPath = '/errors/'

export function problemPageRoutes(): H3Plugin {
  const names = Object.keys(explanations) as ExplainedProblem[]
  return (app) => {
    app.get(`${problemPagesPath}:slug`, (event: H3Event) => {
      const slug = getRouterParam(event, 'slug')
      const name = names.find((each) => slugOf(each) === slug)
      if (name === undefined) throw new Problem('NOT_FOUND', 'No problem has this name.')
      return sendCacheable(event, renderProblemPage(name))
    })
  }
}

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color:#222;background:#fff}h2{font-size:1.1rem;margin-bottom:0}'
const styleDigest = createHash('sha256').update(style).digest('base64')
const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${styleDigest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

function renderProblemPage(name: ExplainedProblem) {
  return {
    ...representationOf(renderHtml(name)),
    contentType: 'text/html; charset=utf-8',
    cacheControl: 'public, max-age=300',
    headers: { 'content-security-policy': contentSecurityPolicy },
  }
}

function renderHtml(name: ExplainedProblem): string {
  const { why, whatToDo } = explanations[name]
  const { title, statuses } = describeProblem(name)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>${style}</style>
</head>
<body>
<h1>${name}</h1>
<p>Status ${statuses.join(' or ')}</p>
<h2>What happened</h2>
<p>${escapeHtml(title)}</p>
<h2>Why</h2>
<p>${escapeHtml(why)}</p>
<h2>What to do</h2>
<p>${escapeHtml(whatToDo)}</p>
</body>
</html>
`
}
