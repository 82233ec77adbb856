import { invalid } from './invalid.ts'

/** The address of a service, for paths to be put behind it. */
export function parseServiceUrl(flag: string, text: string): string {
  return requireHttpUrl(flag, text, ['user', 'password', 'query', 'fragment']).href.replace(
    /\/+$/,
    '',
  )
}

/** The address of a receiver, to be asked as it stands: it may tell itself apart by a query. */
export function parseReceiverUrl(flag: string, text: string): string {
  return requireHttpUrl(flag, text, ['user', 'password', 'fragment']).href
}

const parts = {
  user: ({ username }: URL) => username !== '',
  password: ({ password }: URL) => password !== '',
  // The URL itself tells no query from an empty one.
  query: ({ href }: URL) => href.replace(/#.*/s, '').includes('?'),
  fragment: ({ href }: URL) => href.includes('#'),
}

function requireHttpUrl(flag: string, text: string, refused: readonly (keyof typeof parts)[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && !refused.some((part) => parts[part](url))) return url
  // Not repeated: it may hold a password.
  const list = new Intl.ListFormat('en-GB').format(refused)
  throw invalid(`--${flag} has to be an http or https address without ${list}.`)
}
