import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { ActingOperator, Operator } from '../../domain/operators/operator.ts'
import type { Service } from '../service.ts'

/**
 * A token contains the id of its operator. So the operator is found without a search, and a token in a configuration
 * is recognized.
 */
const form = /^cso_([0-9a-f-]{36})_[\w-]{43}$/

export function isOperatorToken(text: string): boolean {
  return /^\W*cso_/.test(text)
}

/**
 * Recognizes a token whose beginning or end is missing, too: somebody with half a token must not pass for somebody
 * without one.
 */
export function isPartOfOperatorToken(text: string): boolean {
  return /cso_|^\W*(\w{0,3}_)?[0-9a-f-]{0,36}_[\w-]{43}\W*$/.test(text)
}

/** A service accepts no shorter token of its own. */
export const minimumServiceTokenLength = 32

export type Credentials = Pick<Operator, 'tokenDigest' | 'encryptedSigningKey'>

export function mintToken(
  { random, vault }: Pick<Service, 'random' | 'vault'>,
  operatorId: string,
): { readonly token: string; readonly credentials: Credentials } {
  const token = `cso_${operatorId}_${random.secret()}`
  const { key } = signerOf(token)
  return {
    token,
    credentials: {
      tokenDigest: sha256(token).toString('hex'),
      encryptedSigningKey: vault.encrypt(key),
    },
  }
}

/**
 * The operator of a token, and the key that signs requests. A token without the name of an operator
 * is itself the key.
 */
export interface Signer {
  readonly operatorId?: string | undefined
  readonly key: string
}

export function signerOf(token: string): Signer {
  const operatorId = form.exec(token)?.[1]
  if (operatorId === undefined) return { key: token }
  const key = createHmac('sha256', token).update('coopshare-operator-key-1').digest('base64url')
  return { operatorId, key }
}

/** undefined if the token is unknown, replaced, or of a disabled operator. */
export async function authenticateToken(
  { store }: Pick<Service, 'store'>,
  token: string,
): Promise<ActingOperator | undefined> {
  const operator = await findActive(store, form.exec(token)?.[1])
  if (!operator) return undefined
  const isSame = timingSafeEqual(sha256(token), Buffer.from(operator.tokenDigest, 'hex'))
  return isSame ? actingOf(operator) : undefined
}

/** The key with which an active operator signs requests. */
export async function findSigner(
  { store, vault }: Pick<Service, 'store' | 'vault'>,
  operatorId: string,
): Promise<{ readonly operator: ActingOperator; readonly key: string } | undefined> {
  const operator = await findActive(store, operatorId)
  return (
    operator && { operator: actingOf(operator), key: vault.decrypt(operator.encryptedSigningKey) }
  )
}

async function findActive(store: Service['store'], operatorId: string | undefined) {
  if (operatorId === undefined) return undefined
  const operator = await store.read(({ operators }) => operators.get(operatorId))
  return operator?.state === 'active' ? operator : undefined
}

function actingOf({ operatorId, name, role }: Operator): ActingOperator {
  return { operatorId, name, role }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
