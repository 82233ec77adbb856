import {
  foldOperatorName,
  isOperatorName,
  localAdministrator,
  type Operator,
  type OperatorRole,
} from '../../domain/operators/operator.ts'
import { Problem, validationProblem } from '../../domain/problem.ts'
import { nowAfter, type Timestamp } from '../../domain/timestamp.ts'
import { type ReadableRecords, UniquenessError } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'
import { mintToken } from './operator-tokens.ts'

/** The token is in no other answer, and nothing stored contains it. */
export interface MintedOperator {
  readonly operator: Operator
  readonly token: string
}

export async function createOperator(
  service: Service,
  { name: given, role }: { readonly name: string; readonly role: OperatorRole },
): Promise<MintedOperator> {
  const name = given.normalize('NFC')
  if (!isOperatorName(name)) throw unusableName()
  const { store, clock, random } = service
  const operatorId = random.id()
  const { token, credentials } = mintToken(service, operatorId)
  const at = clock.now()
  const dates = { tokenCreatedAt: at, createdAt: at, updatedAt: at }
  const operator: Operator = { operatorId, name, role, state: 'active', ...credentials, ...dates }
  try {
    await store.write(subjects.all('operators'), ({ operators }) => operators.put(operator))
  } catch (error) {
    throw error instanceof UniquenessError ? nameTaken(name) : error
  }
  return { operator, token }
}

export function listOperators({ store }: Service): Promise<readonly Operator[]> {
  return store.read(({ operators }) => operators.list())
}

/** The previous token is refused from now on. */
export async function rotateOperatorToken(service: Service, name: string): Promise<MintedOperator> {
  return service.store.write(subjects.all('operators'), async (records) => {
    const stored = await requireOperator(records, name)
    const { token, credentials } = mintToken(service, stored.operatorId)
    const at = service.clock.now()
    const operator = { ...stored, ...credentials, tokenCreatedAt: at, updatedAt: at }
    await records.operators.put(operator)
    return { operator, token }
  })
}

export function setOperatorState(
  service: Service,
  { name, state }: Pick<Operator, 'name' | 'state'>,
): Promise<Operator> {
  // The sessions end, too: otherwise a cookie that was copied before would be accepted again when the operator is
  // enabled.
  return changeOperator(service, name, (stored, at) =>
    stored.state === state
      ? undefined
      : { state, sessionsEndedAt: nowAfter(stored.sessionsEndedAt, at) },
  )
}

/**
 * The new role takes effect immediately, because every request reads the operator. Tokens and sessions stay valid.
 */
export function setOperatorRole(
  service: Service,
  { name, role }: Pick<Operator, 'name' | 'role'>,
): Promise<Operator> {
  return changeOperator(service, name, (stored) => (stored.role === role ? undefined : { role }))
}

/** @param change returns undefined if there is nothing to change */
function changeOperator(
  { store, clock }: Service,
  name: string,
  change: (stored: Operator, at: Timestamp) => Partial<Operator> | undefined,
): Promise<Operator> {
  return store.write(subjects.all('operators'), async (records) => {
    const stored = await requireOperator(records, name)
    const at = clock.now()
    const changes = change(stored, at)
    if (!changes) return stored
    const operator = { ...stored, ...changes, updatedAt: at }
    await records.operators.put(operator)
    return operator
  })
}

/** undefined for the local administrator, who has no record. */
export function findOperator(
  { store }: Service,
  operatorId: string,
): Promise<Operator | undefined> {
  return store.read(({ operators }) => operators.get(operatorId))
}

/** Ends all sessions of an operator. A copy of a cookie is then worthless on every instance. */
export async function endSessions({ store, clock }: Service, operatorId: string): Promise<void> {
  await store.write(subjects.all('operators'), async ({ operators }) => {
    const stored = await operators.get(operatorId)
    if (!stored) return
    const sessionsEndedAt = nowAfter(stored.sessionsEndedAt, clock.now())
    await operators.put({ ...stored, sessionsEndedAt })
  })
}

export async function requireOperator(
  { operators }: Pick<ReadableRecords, 'operators'>,
  name: string,
): Promise<Operator> {
  const operator = await operators.findByName(foldOperatorName(name))
  if (operator) return operator
  throw new Problem(
    'OPERATOR_NOT_FOUND',
    `There is no operator "${name}". \`coopshare operator list\` lists all operators.`,
  )
}

function nameTaken(name: string): Problem {
  return new Problem(
    'NAME_TAKEN',
    `An operator named "${name}" already exists, perhaps in a different case. Choose another name, or use \`coopshare operator rotate-token\`.`,
  )
}

function unusableName(): Problem {
  return validationProblem({
    name: `must have 1 to 64 letters, digits, spaces and . _ @ - and begin and end with a letter or digit; "${localAdministrator.name}" is reserved`,
  })
}
