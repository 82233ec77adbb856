import { integer, is, string, type } from 'superstruct'
import { findProblemFaults } from '../../contract/check.ts'
import type { PinnedContract } from '../../contract/pinned-contract.ts'
import { addMoney, multiplyMoney, parseMoney } from '../../domain/money.ts'
import {
  bool,
  countOrNull,
  plain,
  type Rendered,
  text,
  textOrNull,
  texts,
} from '../../wire/view.ts'
import type { Answer } from './client.ts'
import {
  type Body,
  type Expectation,
  expectOwnRequestId,
  expectOwnScripts,
  expectUtf8,
  findFirst,
  findMismatch,
  isBody,
  type Known,
  type Step,
} from './step.ts'

/** A valid IBAN and one with a wrong checksum, which the check sends. A response may contain only their masked form. */
export const wholeIbans = ['DE89370400440532013000', 'DE00370400440532013000'] as const

type ExpectedAnswer = Pick<Step, 'operationId' | 'status' | 'code' | 'text' | 'expect'>
export type CheckAnswer = (
  step: ExpectedAnswer,
  answer: Answer,
  known: Known,
) => Promise<VerifiedOperation>

export function createAnswerCheck(contracts: readonly PinnedContract[]): CheckAnswer {
  return async (step, answer, known) => {
    const { operationId, expect = [] } = step
    const { status } = answer
    // An operation or a status may be newer than the oldest version.
    const able = contracts.filter((contract) => contract.has(operationId, status))
    const expectations: readonly Expectation[] = [
      () => findUnexpected(step, answer),
      ...(able.length > 0 ? able : contracts.slice(0, 1)).map(
        (contract) => () => contract.findDifference(operationId, answer),
      ),
      ...invariants,
      ...expect,
    ]
    for (const expectation of expectations) {
      const difference = await expectation(answer, known)
      if (difference !== undefined) return outcome(operationId, status, difference)
    }
    return outcome(operationId, status, undefined)
  }
}

function findUnexpected(expected: ExpectedAnswer, answer: Answer): string | undefined {
  const { status, headers, text, body } = answer
  const { code, error } = isBody(body) ? body : {}
  if (status !== expected.status) {
    const name = code ?? error
    const location = status >= 300 && status < 400 ? headers.get('location') : null
    return [
      `answered ${status}`,
      ...(typeof name === 'string' ? [name] : []),
      ...(location === null ? [] : [`to ${location}`]),
      `instead of ${expected.status}`,
    ].join(' ')
  }
  if (answer.unread !== undefined) return answer.unread
  if (expected.code !== undefined && code !== expected.code) {
    return `/code is ${JSON.stringify(code)} instead of "${expected.code}"`
  }
  const isAsPublished = expected.text === undefined || expected.text === text
  return isAsPublished ? undefined : 'is not the published document'
}

export const verifiedOperation = plain('Verified operation', {
  operation: text('Operation id from the contract.'),
  status: countOrNull('HTTP status; null if the operation was not called or not answered.'),
  holds: bool('Whether the response matches the contract.'),
  difference: textOrNull('First difference, for people.'),
  missing_scopes: texts('Scopes that the client lacks. If it lacks any, the operation is skipped.'),
})
export type VerifiedOperation = Rendered<typeof verifiedOperation>

export function outcome(
  operation: string,
  status: number | null,
  difference: string | undefined,
): VerifiedOperation {
  return {
    operation,
    status,
    holds: difference === undefined,
    difference: difference ?? null,
    missing_scopes: [],
  }
}

export function skippedForScopes(operation: string, missing: readonly string[]): VerifiedOperation {
  return { ...outcome(operation, null, undefined), missing_scopes: missing }
}

/** The deployment has no data for the operation, for example no images, or the client lacks a scope. */
export function isSkipped({ status, holds }: VerifiedOperation): boolean {
  return status === null && holds
}

/** Expectations for every response. */
const invariants: readonly Expectation[] = [
  expectOwnRequestId,
  expectUtf8,
  expectOwnScripts,
  expectProblem,
  expectPage,
  expectTotals,
  expectNothingWithdrawn,
]

/** A proxy may remove the path of --url. The issuer is the address that the deployment knows as its own. */
function expectProblem(answer: Answer, { issuer }: Known): string | undefined {
  const { body, address } = answer
  if (!isBody(body) || typeof body['code'] !== 'string') return undefined
  const { pathname } = address
  const path =
    body['instance'] === pathname ? pathname : pathname.slice(pathname.lastIndexOf('/v1/'))
  return findProblemFaults(answer, { issuer, path })[0]
}

/** Expects errors for exactly these fields. A refused parameter has none. */
export function expectErrors(...paths: readonly string[]): Expectation {
  return ({ body }) => {
    const { errors } = body as { readonly errors?: Body }
    if (paths.length === 0) return errors && '/errors is present for a parameter'
    return findMismatch({ errors: paths }, { errors: Object.keys(errors ?? {}) })
  }
}

export function expectNamed(field: string): Expectation {
  return ({ body }) => {
    const { detail } = body as { readonly detail?: unknown }
    return String(detail).includes(field) ? undefined : `/detail does not name ${field}`
  }
}

function expectPage({ address, body }: Answer): string | undefined {
  if (!isBody(body)) return undefined
  const { items, total_items: total } = body
  if (!Array.isArray(items) || typeof total !== 'number') return undefined
  const [page, size] = [
    Number(address.searchParams.get('page') ?? 1),
    Number(address.searchParams.get('size') ?? 20),
  ]
  const pages = Math.ceil(total / size)
  const isAll = pages <= 1
  if (isAll ? total !== items.length : total < items.length) {
    const where = isAll ? ' on the only page' : ''
    return `/total_items is ${total}, but /items has ${items.length}${where}`
  }
  const wanted = { page, size, total_pages: pages, has_next: page < pages, has_previous: page > 1 }
  return findMismatch(wanted, body)
}

const Order = type({
  share_count: integer(),
  price_per_share: string(),
  entry_fee: string(),
  total: string(),
})

/** Partners compute the total, too, so it must be right. */
function expectTotals({ body }: Answer): string | undefined {
  const items = isBody(body) && Array.isArray(body['items']) ? body['items'] : []
  return findFirst([
    () => findSumFault(body, ''),
    ...items.map((item, index) => () => findSumFault(item, `/items/${index}`)),
  ])
}

function findSumFault(body: unknown, place: string): string | undefined {
  if (!is(body, Order)) return undefined
  const price = parseMoney(body.price_per_share)
  const fee = parseMoney(body.entry_fee)
  if (price === undefined || fee === undefined) return undefined
  const total = addMoney(multiplyMoney(price, body.share_count), fee)
  return findMismatch({ total }, body, place)
}

/** Allows new fields, but no retired fields and no whole IBAN. */
function expectNothingWithdrawn({ address, body }: Answer): string | undefined {
  // The contract itself may contain an IBAN.
  return address.pathname.includes('/v1/') ? findWithdrawn(body, '') : undefined
}

const retiredOfAll = ['id', 'investor_account_id', 'kyc_attested']
const retiredOfOrders = [
  ...retiredOfAll,
  'acknowledged_at',
  'payment_requested_at',
  'payment_due_at',
  'certificate_sent_at',
]
const retiredOfInvestors = [...retiredOfAll, 'birth_day', 'birth_month', 'birth_year']

function findWithdrawn(value: unknown, place: string): string | undefined {
  if (typeof value === 'string') {
    const compact = value.replace(/\s/g, '').toUpperCase()
    return wholeIbans.some((iban) => compact.includes(iban))
      ? `${place} is a whole IBAN`
      : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const ofInvestor = 'missing_profile_fields' in value ? retiredOfInvestors : []
  const retired = 'share_purchase_id' in value ? retiredOfOrders : ofInvestor
  const found = retired.find((name) => name in value)
  if (found !== undefined) return `${place}/${found} is present although it was retired`
  return findFirst(
    Object.entries(value).map(
      ([name, inner]) =>
        () =>
          findWithdrawn(inner, `${place}/${name}`),
    ),
  )
}
