import { validate } from 'uuid'

/** Ids are kept and compared in lower case, so what is not is no id of ours. */
export function isUuid(text: string): boolean {
  return validate(text) && text === text.toLowerCase()
}
