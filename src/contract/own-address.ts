/** What the contract shows as its address: that of a service on the reader's own machine. */
const shownAddress = 'http://127.0.0.1:8080'
const shownSentence = 'The default is a service on your own machine.'
const ownSentence = 'The default is the service that published this document.'

/**
 * The text of a document with the address under which a service publishes it, so that tools call that service and not
 * the reader's machine.
 * @param text YAML or JSON
 */
export function withOwnAddress(text: string, address: string): string {
  if (address === shownAddress) return text
  return text.replaceAll(shownAddress, inJson(address)).replaceAll(shownSentence, ownSentence)
}

/** The text as it was published, of one that names the address of a service. */
export function withShownAddress(text: string, address: string): string {
  return text.replaceAll(inJson(address), shownAddress).replaceAll(ownSentence, shownSentence)
}

/** Safe inside a script element, too. */
function inJson(address: string): string {
  return JSON.stringify(address).slice(1, -1).replaceAll('<', '\\u003c')
}
