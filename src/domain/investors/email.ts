// The form that HTML gives an e-mail field, with letters of every script and at least one dot in the domain.
const local = "[\\p{L}\\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}"
const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}-]{0,61}[\\p{L}\\p{N}\\p{M}])?'
const form = new RegExp(`^${local}@${label}(?:\\.${label})+$`, 'u')

export function isEmail(text: string): boolean {
  return form.test(text)
}
