import type { NoAnswer } from './ask-deployment.ts'

/** What is wrong where nothing answered, and what to do. */
export function whyNoAnswer({ cause }: NoAnswer, url: string): string {
  const { code = '', message = '' } = findCoded(cause) ?? {}
  if (/^(CERT_|ERR_TLS_|UNABLE_TO_)|SELF_SIGNED/.test(code)) {
    return `The certificate of ${url} is not trusted: ${message} (${code}). Name its authority in NODE_EXTRA_CA_CERTS, or the right address.`
  }
  if (/^(ERR_SSL_|EPROTO$)/.test(code)) {
    return `What answers at ${url} does not speak TLS (${code}). Is it an http address?`
  }
  if (code.startsWith('HPE_')) {
    return `What answers at ${url} does not speak HTTP (${code}). Is it an https address?`
  }
  return `No service answers at ${url}. Is it running?`
}

/** The first of the causes that has a code. */
function findCoded(cause: unknown): NodeJS.ErrnoException | undefined {
  if (!(cause instanceof Error)) return undefined
  const { code } = cause as NodeJS.ErrnoException
  return typeof code === 'string' ? cause : findCoded(cause.cause)
}
