import { Problem } from '../domain/problem.ts'
import { nextTurn } from '../machine/time.ts'
import type { Service } from '../usecases/service.ts'
import {
  type AnyStruct,
  checkInSteps,
  checkShape,
  throwShapeProblem,
  validParts,
} from '../wire/check-shape.ts'
import type { JsonSchema } from '../wire/json-schema.ts'
import { toWireProblem } from '../wire/problems.ts'
import { definitionsOf } from '../wire/view.ts'
import { auditOperations } from './audit.ts'
import { collectionOperations } from './collections.ts'
import { consoleOperations } from './console.ts'
import { cooperativeOperations } from './cooperatives.ts'
import { eventOperations } from './events.ts'
import { fixtureOperations } from './fixtures.ts'
import { investorOperations } from './investors.ts'
import { oauthOperations } from './oauth.ts'
import type { Description, ListOperation, Operation } from './operation.ts'
import { operatorOperations } from './operators.ts'
import { organizationOperations } from './organizations.ts'
import { paymentOperations } from './payments.ts'
import { sharePurchaseOperations } from './share-purchases.ts'
import { statementOperations } from './statements.ts'
import { storeOperations } from './store.ts'
import { webhookOperations } from './webhooks.ts'

const operations = {
  ...operatorOperations,
  ...consoleOperations,
  ...organizationOperations,
  ...oauthOperations,
  ...cooperativeOperations,
  ...sharePurchaseOperations,
  ...paymentOperations,
  ...collectionOperations,
  ...statementOperations,
  ...investorOperations,
  ...webhookOperations,
  ...eventOperations,
  ...fixtureOperations,
  ...storeOperations,
  ...auditOperations,
}

type Operations = typeof operations
export type OperationName = keyof Operations
export type ListName = {
  [Name in OperationName]: Operations[Name] extends { batches: unknown } ? Name : never
}[OperationName]
export type Input<Name extends OperationName> = Parameters<Operations[Name]['run']>[1]
type Batches<Name extends ListName> = ReturnType<Operations[Name]['batches']>
export type Row<Name extends ListName> =
  Batches<Name> extends AsyncIterable<readonly (infer Each)[]> ? Each : never
export type Output<Name extends OperationName> = Awaited<ReturnType<Operations[Name]['run']>>

export async function runOperation(
  service: Service,
  name: string,
  input: unknown,
): Promise<unknown> {
  const operation = requireOperation(name)
  try {
    return await operation.run(service, await requireLargeInput(service, operation, input))
  } catch (error) {
    throw error instanceof Problem ? toWireProblem(error) : error
  }
}

/** undefined if the operation is not a list. */
export function listInBatches(
  service: Service,
  name: string,
  input: unknown,
): AsyncIterable<readonly unknown[]> | undefined {
  const operation = requireOperation(name)
  return isList(operation)
    ? operation.batches(service, requireInput(service, operation, input))
    : undefined
}

function isList(
  operation: Operation<unknown, unknown>,
): operation is ListOperation<unknown, unknown, unknown> {
  return 'batches' in operation
}

/** An input can have thousands of records, and others wait for the service. */
async function requireLargeInput(
  service: Service,
  operation: Operation<unknown, unknown>,
  input: unknown,
): Promise<unknown> {
  const check = checkInSteps(input, operation.input)
  for (;;) {
    const step = check.next()
    if (step.done) return requireFit(service, operation, { input, checked: step.value })
    await nextTurn()
  }
}

/** Refuses an input that the operation would refuse, for a page that reads the same in another way. */
export function checkInput<Name extends OperationName>(
  service: Service,
  name: Name,
  input: Input<Name>,
): Input<Name> {
  return requireInput(service, requireOperation(name), input) as Input<Name>
}

function requireInput(
  service: Service,
  operation: Operation<unknown, unknown>,
  input: unknown,
): unknown {
  return requireFit(service, operation, { input, checked: checkShape(input, operation.input) })
}

interface CheckedInput {
  readonly input: unknown
  readonly checked: ReturnType<typeof checkShape>
}

function requireFit(
  service: Service,
  operation: Operation<unknown, unknown>,
  { input, checked: [failures, valid] }: CheckedInput,
): unknown {
  if (!failures) return valid
  const further = operation.findErrors?.(service, validParts(input, failures))
  return throwShapeProblem(failures, ({ path }) => path.join('.') || 'input', further)
}

export const operationNames = Object.keys(operations) as readonly OperationName[]

export function inputShapeOf(name: OperationName): AnyStruct {
  return operations[name].input
}

/** Role, summary, note, problems and answer of an operation. */
export function describeOperation(name: OperationName): Description {
  return operations[name]
}

/** The objects in the answers of all operations, by name. */
export function answerObjects(): Readonly<Record<string, JsonSchema>> {
  return definitionsOf(operationNames.flatMap((name) => operations[name].answer.views))
}

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name)
}

function requireOperation(name: string): Operation<unknown, unknown> {
  if (isOperationName(name)) return operations[name] as Operation<unknown, unknown>
  throw new Problem(
    'NOT_FOUND',
    `This service has no operation ${name}. Does it have another version?`,
  )
}
