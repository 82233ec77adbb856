// Generates modules with the content of other files, because a single executable has no files
// beside it. The modules are not in git.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { transformSync } from 'esbuild'
import { readFixtureFiles } from '../../src/cli/read-fixture-files.ts'
import { documents, latestVersion } from '../../src/contract/documents.ts'
import { containedIconLink } from '../../src/http/logo.ts'
import type { generatedModules } from './build-record.ts'
import { pageFolder, readPageNotices } from './licences.ts'

const root = join(import.meta.dirname, '..', '..')

async function renderDemoData(): Promise<string> {
  const { input } = await readFixtureFiles([join(root, 'fixtures', 'demo.yaml')])
  const gzipped = gzip(JSON.stringify(input)).toString('base64')
  return [
    '// Made by `npm run build` from fixtures/demo.yaml.\n',
    '/** JSON: the input of `fixtures.apply`. */',
    `export const gzippedDemoData =\n  '${gzipped}'\n`,
  ].join('\n')
}

function renderReferencePage(): string {
  const { html, contentSecurityPolicy } = renderPage(documents[`${latestVersion}.json`])
  return [
    '// Made by `npm run build` from redoc and the latest document.\n',
    `export const contentSecurityPolicy =\n  ${JSON.stringify(contentSecurityPolicy)}\n`,
    `export const gzippedPage =\n  '${gzip(html).toString('base64')}'\n`,
  ].join('\n')
}

/** Styles and scripts of pages are files, so that editors know what they are. */
function renderLook(folder: string): string {
  const names = readdirSync(join(root, folder)).filter((name) => /\.(css|js)$/.test(name))
  const files = names.sort().map((name) => {
    const text = readFileSync(join(root, folder, name), 'utf8')
    const isStyle = name.endsWith('.css')
    return [name, isStyle ? transformSync(text, { loader: 'css', minify: true }).code : text]
  })
  const json = JSON.stringify(Object.fromEntries(files), null, 2)
  return `// Made by \`npm run embed\` from the files of this folder.\n\nexport const files = ${json}\n`
}

/** An unchanged file keeps its modification time, because otherwise it would be compiled again. */
function writeIfChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

/** Returns the same bytes on every system. Byte 9, which names the system, is replaced. */
function gzip(text: string): Buffer {
  const gzipped = gzipSync(text, { level: 9 })
  gzipped[9] = 255
  return gzipped
}

interface ReferencePage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

const start = `Redoc.init(
  JSON.parse(document.getElementById('contract').textContent),
  { sortRequiredPropsFirst: true },
  document.getElementById('reference'),
)`

/** The policy of the page allows this empty style element: scripts of Redoc fill it later. */
const filledByScript = ''

/** Returns a page that loads no other files, so it works at any path and when it is saved. */
function renderPage(contract: string): ReferencePage {
  const redoc = readRedocScript()
  const style = `body { margin: 0 }\n.home { font: 1rem/1.5 system-ui, sans-serif; margin: 0; padding: 0.5rem 1rem }\n${redoc.style}`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(contract)}</title>
${containedIconLink}
<style>${style}</style>
</head>
<body>
<p class="home"><a href="/">coopshare</a></p>
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

/** The policy allows only the scripts of the page, and the worker that its search creates. */
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

const bundle = fileURLToPath(import.meta.resolve('redoc/bundles/redoc.standalone.js'))

interface RedocScript {
  /** The script, escaped for a script element. */
  readonly script: string
  /** The style of the scroll bars. Redoc sets all other styles by script. */
  readonly style: string
}

/** Reads the published script of redoc, without the parts that would load other files. */
function readRedocScript(): RedocScript {
  const published = readFileSync(bundle, 'utf8')
  const [, style = ''] = only(published, styleModule)
  const changes = [withoutLogo, withoutStyle, withoutSourceMap, withLicences, safeInElement]
  return {
    script: changes.reduce((script, change) => change(script), published),
    style: JSON.parse(style),
  }
}

/**
 * Replaces the logo in the footer by an empty image, because a browser would load it from another
 * site. The words beside it stay.
 */
function withoutLogo(script: string): string {
  return replaceOnly(script, /https:\/\/cdn\.redoc\.ly\/[\w/-]+\.svg/g, () => 'data:,')
}

// Matches the input of style-loader, which is the text and its source map.
const styleModule = /\[e\.id,("\.ps\{(?:[^"\\]|\\.)*"),"",\{version:3,[\s\S]*?,sourceRoot:""\}\]/g

/** Empties the style element, because one with text would need an entry in the policy. */
function withoutStyle(script: string): string {
  return replaceOnly(script, styleModule, () => '[e.id,""]')
}

/**
 * Adds the texts of the licences to which the script refers, because a page has no files beside it.
 */
function withLicences(script: string): string {
  const own = readFileSync(join(pageFolder, 'LICENSE'), 'utf8')
  const all = [`/*!\n${own}*/`, ...readPageNotices()].join('\n')
  return replaceOnly(script, /^\/\*! For license information .*? \*\//g, () => all)
}

function withoutSourceMap(script: string): string {
  return replaceOnly(script, /\n\/\/# sourceMappingURL=redoc\.standalone\.js\.map\s*$/g, () => '\n')
}

/**
 * Escapes texts that would end the script element or hide its end (HTML 4.12.1.3). In strings and
 * patterns the escaped form means the same.
 */
function safeInElement(script: string): string {
  return script.replaceAll(/<(?=!--|\/?script)/gi, '\\x3c')
}

function replaceOnly(text: string, pattern: RegExp, replace: () => string): string {
  only(text, pattern)
  return text.replace(pattern, replace)
}

/**
 * Fails if a new version of redoc looks different. Otherwise nobody would notice a missing
 * replacement.
 */
function only(text: string, pattern: RegExp): RegExpExecArray {
  const [found, ...more] = text.matchAll(pattern)
  if (!found || more.length > 0) throw new Error(`${bundle} must have ${pattern} exactly once.`)
  return found
}

/** Writes all generated modules. */
export async function embed(): Promise<void> {
  const texts: Readonly<Record<(typeof generatedModules)[number], string>> = {
    'src/cli/serve/demo-data.ts': await renderDemoData(),
    'src/contract/reference-page.ts': renderReferencePage(),
    'src/http/look/files.ts': renderLook('src/http/look'),
    'src/http/console/look/files.ts': renderLook('src/http/console/look'),
  }
  for (const [file, text] of Object.entries(texts)) writeIfChanged(join(root, file), text)
}
