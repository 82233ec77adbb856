const maximumLength = 2048

/** Why a URL is no place to send events to, as part of a sentence (spec: Events). Where it leads is looked up elsewhere. */
export function webhookUrlFault(text: string, allowPrivate: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return 'it is no URL'
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:']
  if (!schemes.includes(url.protocol)) return 'it has to begin with https'
  if (url.username !== '' || url.password !== '') return 'it must not hold a user or a password'
  if (url.hash !== '') return 'it must not have a fragment'
  if (url.href.length > maximumLength) return `it has more than ${maximumLength} characters`
  return webhookPortFault(url.href, allowPrivate)
}

const firstUnreservedPort = 1024

/** Below 1024 are mail servers, name servers and the like, which are no receivers of events. */
export function webhookPortFault(url: string, allowPrivate: boolean): string | undefined {
  const port = Number(new URL(url).port || 443)
  if (allowPrivate || port === 443 || port >= firstUnreservedPort) return undefined
  return `its port has to be 443, or ${firstUnreservedPort} or above`
}
