// Renders the guide for partners: their documents as the insides of pages.
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Marked, Renderer, type Tokens } from 'marked'
import { escapeMarkup } from '../../../src/domain/text.ts'
import { type GuidePage, guidePath } from '../../../src/http/guide/page.ts'
import { inScrollable, renderDiagram } from './diagrams.ts'
import {
  anchorOf,
  isAddress,
  listGuideFiles,
  listOfDocuments,
  sections,
  targetOf,
} from './files.ts'
import { highlight } from './highlight.ts'

export function renderGuide(root: string): readonly GuidePage[] {
  const files = listGuideFiles(root).filter((file) => pathOf(file) !== undefined)
  const list = readFileSync(join(root, listOfDocuments), 'utf8')
  const placeOf = (file: string) => {
    const place = list.indexOf(`(${file.replace(/^docs\//, '')})`)
    return place === -1 ? list.length : place
  }
  const inSequence = [...files].sort((one, other) => placeOf(one) - placeOf(other))
  return sections.flatMap(({ title, folder }) =>
    inSequence
      .filter((file) => file.startsWith(`${folder}/`))
      .map((file) => {
        const text = readFileSync(join(root, file), 'utf8')
        const rendered = file.endsWith('.md')
          ? renderDocument(text, { root, file, files })
          : renderExample(file, text)
        return { path: pathOf(file) ?? '', section: title, ...rendered }
      }),
  )
}

/** The path of a page below `guidePath`; undefined for other files. */
function pathOf(file: string): string | undefined {
  if (file === listOfDocuments) return undefined
  if (file.startsWith('examples/')) return file
  return /^docs\/(.*)\.md$/.exec(file)?.[1]
}

type Rendered = Omit<GuidePage, 'path' | 'section'>

function renderExample(file: string, text: string): Rendered {
  const body = renderCode(text, extname(file).slice(1))
  const title = file.replace('examples/', '')
  return { title, heading: `<code>${escapeMarkup(title)}</code>`, parts: [], body }
}

interface Place {
  readonly root: string
  readonly file: string
  /** The files that have pages. */
  readonly files: readonly string[]
}

export function renderDocument(text: string, { root, file, files }: Place): Rendered {
  const headings: { depth: number; text: string; heading: string; anchor: string }[] = []
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens }) {
        const heading = this.parser.parseInline(tokens)
        const text = this.parser.parseInline(tokens, this.parser.textRenderer)
        const anchor = anchorOf(text)
        headings.push({ depth, text, heading, anchor })
        if (depth === 1) return ''
        return `<h${depth} id="${anchor}">${heading} <a class="anchor" href="#${anchor}" aria-label="Link to this part">#</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const shown = this.parser.parseInline(tokens)
        const address = addressOf(href, { root, file, files })
        return address === undefined ? shown : `<a href="${escapeMarkup(address)}">${shown}</a>`
      },
      image({ href, text }) {
        return `<img src="${readPicture(join(root, targetOf(file, href).file))}" alt="${escapeMarkup(text)}">`
      },
      code({ text, lang = '' }) {
        const language = lang.split(' ')[0] ?? ''
        return language === 'mermaid' ? renderDiagram(text) : renderCode(text, language)
      },
      table(token: Tokens.Table) {
        return inScrollable('wide', Renderer.prototype.table.call(this, token))
      },
    },
  })
  const body = marked.parse(text, { async: false })
  const [first] = headings
  if (first?.depth !== 1) throw new Error(`${file} does not begin with a title.`)
  const parts = headings.filter(({ depth }) => depth === 2)
  return {
    title: first.text,
    heading: first.heading,
    parts: parts.map(({ anchor, heading }) => ({ anchor, heading })),
    body,
  }
}

/** Where a link leads on the pages; undefined if that place has no page. */
function addressOf(link: string, { root, file, files }: Place): string | undefined {
  if (isAddress(link) || link.startsWith('#')) return link
  const target = targetOf(file, link)
  const path = pathOf(target.file)
  if (path === undefined || !files.includes(target.file)) {
    if (existsSync(join(root, target.file))) return undefined
    throw new Error(`${file}: ${link} leads nowhere.`)
  }
  return `${guidePath}${path}${target.anchor === undefined ? '' : `#${target.anchor}`}`
}

function renderCode(code: string, language: string): string {
  return `<pre><code>${highlight(code, language)}</code></pre>\n`
}

const pictureTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** The picture is in the page, so that the page loads nothing. */
function readPicture(file: string): string {
  const type = pictureTypes[extname(file)]
  if (type === undefined) throw new Error(`${file}: pictures of the guide are .svg or .png.`)
  return `data:${type};base64,${readFileSync(file).toString('base64')}`
}
