import { enums, object } from 'superstruct'
import { type Operator, operatorRoles } from '../domain/operators/operator.ts'
import {
  createOperator,
  listOperators,
  type MintedOperator,
  rotateOperatorToken,
  setOperatorRole,
  setOperatorState,
} from '../usecases/operators/operators.ts'
import type { Service } from '../usecases/service.ts'
import { text } from '../wire/fields.ts'
import { operation } from './operation.ts'

const one = object({ name: text() })

export const operatorOperations = {
  'operator.create': operation({
    input: object({ name: text(64), role: enums(operatorRoles) }),
    run: async (service, input) => renderMinted(await createOperator(service, input)),
  }),
  'operator.list': operation({
    input: object({}),
    run: async (service) => (await listOperators(service)).map(renderOperator),
  }),
  'operator.rotate_token': operation({
    input: one,
    run: async (service, { name }) => renderMinted(await rotateOperatorToken(service, name)),
  }),
  'operator.set_role': operation({
    input: object({ name: text(), role: enums(operatorRoles) }),
    run: async (service, input) => renderOperator(await setOperatorRole(service, input)),
  }),
  'operator.disable': operation({ input: one, run: become('disabled') }),
  'operator.enable': operation({ input: one, run: become('active') }),
}

function become(state: Operator['state']) {
  return async (service: Service, { name }: { readonly name: string }) =>
    renderOperator(await setOperatorState(service, { name, state }))
}

function renderOperator(operator: Operator) {
  return {
    operator_id: operator.operatorId,
    name: operator.name,
    role: operator.role,
    state: operator.state,
    token_created_at: operator.tokenCreatedAt,
    created_at: operator.createdAt,
    updated_at: operator.updatedAt,
  }
}

/** The only output that contains a token. */
function renderMinted({ operator, token }: MintedOperator) {
  return { ...renderOperator(operator), token }
}
