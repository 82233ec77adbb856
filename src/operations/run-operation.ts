import { Problem } from '../domain/problem.ts'
import type { Service } from '../usecases/service.ts'
import type { ListOperation, Operation } from './operation.ts'
import { type OperationName, operations } from './operations.ts'
import { checkShape } from './shapes/check-shape.ts'
import { refuseShape } from './shapes/refuse-shape.ts'
import { soundParts } from './shapes/sound-parts.ts'

/** Checks what came from outside, then does it. */
export async function runOperation(
  service: Service,
  name: string,
  input: unknown,
): Promise<unknown> {
  const operation = requireOperation(name)
  return operation.run(service, requireInput(service, operation, input))
}

/** The same of an operation that answers a list, in batches; undefined of any other. */
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

function requireInput(
  service: Service,
  operation: Operation<unknown, unknown>,
  input: unknown,
): unknown {
  const [failures, valid] = checkShape(input, operation.input)
  if (!failures) return valid
  const further = operation.findFaults?.(service, soundParts(input, failures))
  return refuseShape(failures, ({ path }) => path.join('.') || 'input', further)
}

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name)
}

function requireOperation(name: string): Operation<unknown, unknown> {
  if (isOperationName(name)) return operations[name] as Operation<unknown, unknown>
  throw new Problem('NOT_FOUND', `This service has no operation ${name}. Is it another version?`)
}
