import { enums, object } from 'superstruct'
import { type Operator, operatorRoles, operatorStates } from '../domain/operators/operator.ts'
import {
  createOperator,
  listOperators,
  type MintedOperator,
  rotateOperatorToken,
  setOperatorRole,
  setOperatorState,
} from '../usecases/operators/operators.ts'
import * as given from '../wire/fields.ts'
import { fieldsOf, id, instant, many, oneOf, text, view } from '../wire/view.ts'
import { operation } from './operation.ts'

const operator = view<Operator>()('Operator', {
  operator_id: id('Id of the operator.', (it) => it.operatorId),
  name: text('Operator name.', (it) => it.name),
  role: oneOf(operatorRoles, 'Operator role.', (it) => it.role),
  state: oneOf(
    operatorStates,
    'The service refuses the token of a disabled operator.',
    (it) => it.state,
  ),
  token_created_at: instant('Time when the token was created.', (it) => it.tokenCreatedAt),
  created_at: instant('Time of creation.', (it) => it.createdAt),
  updated_at: instant('Time of the last change.', (it) => it.updatedAt),
})

/** The only answer that contains a token. */
const minted = view<MintedOperator>()('New operator token', {
  ...fieldsOf(operator, (it: MintedOperator) => it.operator),
  token: text('Operator token, shown only here.', (it) => it.token),
})
const tokenShownOnce = 'The token is shown only in this answer.'

const one = object({ name: given.text() })
const needsOperator = { role: 'administrator', problems: ['OPERATOR_NOT_FOUND'] } as const

export const operatorOperations = {
  'operator.create': operation({
    role: 'administrator',
    summary: 'Create an operator with a token.',
    note: tokenShownOnce,
    problems: ['NAME_TAKEN'],
    input: object({ name: given.text(64), role: enums(operatorRoles) }),
    answer: minted,
    run: createOperator,
  }),
  'operator.list': operation({
    role: 'viewer',
    summary: 'List operators.',
    input: object({}),
    answer: many(operator),
    run: listOperators,
  }),
  'operator.rotate_token': operation({
    ...needsOperator,
    summary: 'Replace an operator token. The previous token is refused immediately.',
    note: tokenShownOnce,
    input: one,
    answer: minted,
    run: (service, { name }) => rotateOperatorToken(service, name),
  }),
  'operator.set_role': operation({
    ...needsOperator,
    summary: 'Change an operator’s role.',
    input: object({ name: given.text(), role: enums(operatorRoles) }),
    answer: operator,
    run: setOperatorRole,
  }),
  'operator.disable': operation({
    ...needsOperator,
    summary: 'Disable an operator: the token is refused.',
    input: one,
    answer: operator,
    run: (service, { name }) => setOperatorState(service, { name, state: 'disabled' }),
  }),
  'operator.enable': operation({
    ...needsOperator,
    summary: 'Enable a disabled operator: the token is accepted again.',
    input: one,
    answer: operator,
    run: (service, { name }) => setOperatorState(service, { name, state: 'active' }),
  }),
}
