const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A malformed id is answered like an unknown one. */
export function isUuid(text) {
  return form.test(text)
}
