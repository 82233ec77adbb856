import type { H3Plugin } from 'h3'
import { representationOf, sendCacheable } from './cacheable-response.ts'

/** A whole of which one share is somebody's. Its colours can be seen on light and dark. */
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32"><path fill="#17826b" d="M14 5a12.5 12.5 0 1 0 12.5 12.5H14z"/><path fill="#d98a1f" d="M18 1.5A12.5 12.5 0 0 1 30.5 14H18z"/></svg>'

/** Browsers ask for the second one when they show something that is not a page, such as a picture. */
export const logoPaths = ['/favicon.svg', '/favicon.ico'] as const
const [logoPath] = logoPaths

/** For the head of each page that the service answers. */
export const iconLink = `<link rel="icon" type="image/svg+xml" href="${logoPath}">`

/** For the head of a page that works when it is saved, and so loads nothing. */
export const containedIconLink = `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${encodeURIComponent(logo)}">`

export function logoRoutes(): H3Plugin {
  const representation = {
    ...representationOf(logo),
    contentType: 'image/svg+xml',
    cacheControl: 'public, max-age=86400',
    // An SVG that is opened directly could run scripts in our origin.
    headers: { 'content-security-policy': "default-src 'none'; sandbox" },
  }
  return (app) => {
    for (const path of logoPaths) {
      app.get(path, (event) => sendCacheable(event, representation))
    }
  }
}
