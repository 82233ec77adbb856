import type { Variant } from './signature-fault.ts'

const prefix = 'whsec_'

/** What a secret becomes on its way from the operator to the code that uses it. The right one comes first. */
export function secretVariants(secret: string): Variant<string | Buffer>[] {
  const trimmed = secret.trim()
  const unquoted = trimmed.replace(/^(["'])(.*)\1$/, '$2')
  const bare = unquoted.replace(prefix, '')
  return [
    { value: secret },
    variant(trimmed, 'The secret has white space around it. Take that away.'),
    variant(unquoted, 'The secret has quotation marks around it. Take them away.'),
    variant(`${prefix}${bare}`, `The secret lacks its beginning, ${prefix}, which belongs to it.`),
    variant(bare, `It was signed with the secret without ${prefix}, which belongs to it.`),
    variant(`${unquoted}\n`, 'It was signed with the secret and a line end behind it.'),
    variant(Buffer.from(bare, 'base64url'), decoded('base64')),
    variant(Buffer.from(bare, 'hex'), decoded('hexadecimal')),
  ]
}

function variant(value: string | Buffer, detail: string): Variant<string | Buffer> {
  return { value, fault: { code: 'secret_form', detail } }
}

function decoded(form: string): string {
  return `It was signed with the secret decoded from ${form}. The text of the secret is the key, as it is.`
}
