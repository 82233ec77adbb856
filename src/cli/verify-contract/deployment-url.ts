import { invalid } from '../../config/invalid.ts'

export function parseDeploymentUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Not repeated: it may hold a password.
  if (!url || !/^https?:$/.test(url.protocol) || /[@?#]/.test(url.href)) {
    throw invalid('--url has to be an http or https address without user, query and fragment.')
  }
  return url.href.replace(/\/+$/, '')
}
