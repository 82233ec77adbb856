// The page that shows a document of the API. It is one file that loads nothing else, so it works at
// any path and when it is saved.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin, transformSync } from 'esbuild'
import { containedIconLink } from '../../../src/http/logo.ts'
import { foldersOf, renderPackages } from '../licences.ts'

export interface ReferencePage {
  readonly html: string
  readonly contentSecurityPolicy: string
  /** The packages in the page, as paths from the root of the project. */
  readonly packages: readonly string[]
  readonly calling: Calling
}

/** What a page has in addition that calls the service from which it comes. */
interface Calling {
  readonly script: string
  readonly contentSecurityPolicy: string
}

const sources = [join('src', 'http', 'look', 'tokens.css'), join(import.meta.dirname, 'style.css')]
const style = transformSync(sources.map((file) => readFileSync(file, 'utf8')).join('\n'), {
  loader: 'css',
  minify: true,
}).code

export async function renderPage(contract: string): Promise<ReferencePage> {
  const [show, call] = await Promise.all([bundle('show.js'), bundle('try.js')])
  const title = titleOf(contract)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${containedIconLink}
<style>${style}</style>
</head>
<body>
<header><a href="/">coopshare</a> <h1>${title}</h1> <button>Search</button></header>
<noscript>This page needs JavaScript. GET /openapi.yaml is the same as text.</noscript>
<openapi-explorer hide-authentication hide-server-selection hide-components></openapi-explorer>
<script type="application/json" id="contract">${escapeInScript(contract)}</script>
<script>${show.script}</script>
<script type="text/plain" id="licences">${escapeInScript(renderPackages(show.packages))}</script>
</body>
</html>
`
  return {
    html,
    contentSecurityPolicy: policyFor([show.script]),
    packages: show.packages,
    calling: {
      script: call.script,
      contentSecurityPolicy: `${policyFor([show.script, call.script])}; connect-src 'self'`,
    },
  }
}

function titleOf(contract: string): string {
  const { title, version } = JSON.parse(contract).info
  return `${title} ${version}`
}

/** The policy allows only the scripts and the style of the page. */
function policyFor(scripts: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map(sourceOf).join(' ')}`,
    `style-src ${sourceOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

const escapeInScript = (text: string) => text.replaceAll('<', '\\u003c')

interface Script {
  readonly script: string
  readonly packages: readonly string[]
}

async function bundle(name: string): Promise<Script> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, name)],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    define: { global: 'globalThis' },
    alias: {
      'openapi-resolver/dist/openapi-resolver.browser.js': join(import.meta.dirname, 'resolve.js'),
    },
    plugins: [allowedStyles],
    legalComments: 'none',
    write: false,
    metafile: true,
    logLevel: 'warning',
  })
  const [file] = outputFiles
  return { script: safeInElement(file?.text ?? ''), packages: foldersOf(metafile) }
}

/**
 * Escapes texts that would end the script element or hide its end (HTML 4.12.1.3). In strings,
 * templates and patterns the escaped form means the same.
 */
function safeInElement(script: string): string {
  return script.replaceAll(/<(?=!--|\/?script)/gi, '\\x3c')
}

/** The library would make columns as wide as their longest text. */
const columns = '.table .key{width:16rem;max-width:50%}.table .key-type{width:9rem;max-width:25%}'

/**
 * The policy allows no style attributes and no style elements, which the templates of the library
 * have, apart from two texts about sign-in, which the page does not show. A property binding of lit sets the same style by script, which is allowed. A browser reports
 * what a new version has besides, and then a test fails.
 */
const allowedStyles: Plugin = {
  name: 'allowed-styles',
  setup(build) {
    build.onLoad({ filter: /openapi-explorer\/dist\/es\/.*\.js$/ }, async ({ path }) => {
      const published = await readFile(path, 'utf8')
      const contents = published
        .replaceAll(/(?<!'<span) style="([^"`$]*)"/g, ` .style="$1\${''}"`)
        .replaceAll(/(?<!'<span) style="(?=[^"`]*\$\{)/g, ' .style="')
        .replaceAll(/<style>[^`]*?<\/style>/g, '')
        .replace('css`.table{', `css\`${columns}.table{`)
      return { contents }
    })
  },
}
