import { createHash } from 'node:crypto'
import { readRedocScript } from './redoc-script.ts'

interface ReferencePage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

const start = `Redoc.init(
  JSON.parse(document.getElementById('contract').textContent),
  { sortRequiredPropsFirst: true },
  document.getElementById('reference'),
)`

/** Redoc fills its style elements through the object model, which the policy does not mind. */
const filledByScript = ''

/** One file with all in it: it asks for nothing, so it works behind any path, and when it is saved. */
export function renderPage(contract: string): ReferencePage {
  const redoc = readRedocScript()
  const style = `body { margin: 0 }\n${redoc.style}`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(contract)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<noscript>This page needs JavaScript. GET /openapi.yaml is the same as text.</noscript>
<div id="reference"></div>
<script type="application/json" id="contract">${contract.replaceAll('<', '\\u003c')}</script>
<script>${redoc.script}</script>
<script>${start}</script>
</body>
</html>
`
  const contentSecurityPolicy = policyFor([redoc.script, start], [style, filledByScript])
  return { html, contentSecurityPolicy }
}

function titleOf(contract: string): string {
  const { title, version } = JSON.parse(contract).info
  return `${title} ${version}`
}

/** Only what is in the page may run; its search runs in a worker that it makes itself. */
function policyFor(scripts: readonly string[], styles: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map(sourceOf).join(' ')}`,
    `style-src ${styles.map(sourceOf).join(' ')}`,
    'img-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
