import { Problem } from '../domain/problem.ts'
import type { Service } from '../usecases/service.ts'
import type { Operation } from './operation.ts'
import { type OperationName, operations } from './operations.ts'
import { checkShape } from './shapes/check-shape.ts'
import { listFailures } from './shapes/list-failures.ts'
import { refuseShape } from './shapes/refuse-shape.ts'

/** Checks what came from outside, then does it. */
export async function runOperation(
  service: Service,
  name: string,
  input: unknown,
): Promise<unknown> {
  const operation = requireOperation(name)
  const [error, valid] = checkShape(input, operation.input)
  if (!error) return operation.run(service, valid)
  return refuseShape(listFailures(error), ({ path }) => path.join('.') || 'input')
}

function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name)
}

function requireOperation(name: string): Operation<unknown, unknown> {
  if (isOperationName(name)) return operations[name] as Operation<unknown, unknown>
  throw new Problem('NOT_FOUND', `This service has no operation ${name}. Is it another version?`)
}
