/** The address in the published documents: a service on the reader's machine. */
const shownAddress = 'http://127.0.0.1:8080'
const shownSentence = 'The default is a service on your own machine.'
const ownSentence = 'The default is the service that published this document.'

/**
 * Replaces that address by the one of the publishing service, so that tools call that service.
 * @param text YAML or JSON
 */
export function withOwnAddress(text: string, address: string): string {
  if (address === shownAddress) return text
  return text.replaceAll(shownAddress, inJson(address)).replaceAll(shownSentence, ownSentence)
}

/** Restores the published text from one that names the address of a service. */
export function withShownAddress(text: string, address: string): string {
  return text.replaceAll(inJson(address), shownAddress).replaceAll(ownSentence, shownSentence)
}

/** Escapes for script elements, too. */
function inJson(address: string): string {
  return JSON.stringify(address).slice(1, -1).replaceAll('<', '\\u003c')
}
