import { createHash } from 'node:crypto'
import { Html, html } from '../console/html.ts'
import { containedIconLink, logo } from '../logo.ts'
import { files } from './files.ts'

// The styles are files, which `npm run embed` turns into a module: an executable has no files beside it.

/** What all pages have in common. */
export const commonStyles = files['tokens.css'] + files['elements.css']

const publicStyles = new Html(commonStyles + files['public.css'])

/** The logo beside text, which says its name. */
export const logoMark = new Html(logo.replace(/ xmlns="[^"]+"/, ' aria-hidden="true"'))

/** The way back to the first page, and what else is above a public page. */
export function renderPublicHeader(beside?: Html): Html {
  return html`<header><a class="brand" href="/">${logoMark}coopshare</a>
${beside}</header>`
}

const digest = createHash('sha256').update(publicStyles.text).digest('base64')

/** The content security policy of a public page. */
export const publicPagePolicy = `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export interface PublicPage {
  readonly language?: 'en' | 'de'
  readonly title: string
  /** What the head of the document has, besides its title, icon and styles. */
  readonly head?: Html
  readonly body: Html
}

/** A page for everybody, without a script. Everything is in the page, so it can be saved and printed. */
export function renderPublicPage({ language = 'en', title, head, body }: PublicPage): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${title}</title>
${new Html(containedIconLink)}
<style>${publicStyles}</style>
</head>
<body>
${body}
</body>
</html>
`.text
}
