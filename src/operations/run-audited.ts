import type { OwnAction, Via } from '../domain/audit/audit-entry.ts'
import type { ActingOperator } from '../domain/operators/operator.ts'
import { Problem } from '../domain/problem.ts'
import { isStoreReadOnly } from '../ports/store.ts'
import {
  type AuditContext,
  auditAttempt,
  auditRefusal,
  operatorActor,
  withAudit,
} from '../usecases/audit/record-audit.ts'
import type { Service } from '../usecases/service.ts'
import { isOperationName, listInBatches, type OperationName, runOperation } from './operations.ts'
import { pageReads } from './page-reads.ts'
import { isPrivileged, minimumRole, minimumRolesOfWork, requireRole } from './roles.ts'
import type { OperationRunner } from './runner.ts'

/** Who asks for an operation, and by which means. */
export interface Caller {
  readonly operator: ActingOperator
  readonly via: Via
  readonly requestId: string
}

/** The service as one operator may use it. Roles and the audit apply to every call. */
export interface ServiceForOperator extends OperationRunner, Pick<Service, 'clock' | 'random'> {
  /** Refuses an operation before it is confirmed, and records the refusal. */
  requireRole(name: OperationName, input: unknown): Promise<void>
  /** What pages show and no operation answers, for every role. */
  readonly reads: ReturnType<typeof pageReads>
  /** Records an action that is not an operation, such as a sign-in, or an operation of which a page shows only a part. */
  note(action: OwnAction | 'statement.show'): Promise<void>
}

export function serviceForOperator(service: Service, caller: Caller): ServiceForOperator {
  const { clock, random } = service
  return {
    clock,
    random,
    call: (name, input) => runAs(service, caller, name, input) as never,
    list: (name, input) => listOf(() => listAs(service, caller, name, input)) as never,
    requireRole: async (name, input) => {
      const asked = { service, acting: actingOf(caller, name), name, input }
      await notingRefusals(caller.operator, asked, async () => undefined)
    },
    reads: pageReads(service),
    note: (action) => auditAction(service, caller, action),
  }
}

/** Begins when somebody reads, so that no refusal is lost. */
async function* listOf<Row>(
  list: () => Promise<AsyncIterable<Row> | undefined>,
): AsyncGenerator<Row> {
  yield* (await list()) ?? []
}

/** Runs an operation if the role of the caller allows it, and records it in the audit, including refusals. */
export async function runAs(
  service: Service,
  caller: Caller,
  name: string,
  input: unknown,
): Promise<unknown> {
  if (!isOperationName(name)) return runOperation(service, name, input)
  const acting = actingOf(caller, name)
  const own = withAudit(service, acting)
  const asked = { service, acting, name, input }
  return notingRefusals(caller.operator, asked, async () => {
    const result = await runOperation({ ...own, operator: caller.operator }, name, input)
    if (isPrivileged(name) && !own.store.hasNoted && !isDryRun(input)) await noteDone(asked)
    return result
  })
}

/** Runs a list operation in the same way; undefined if the operation is not a list. */
export async function listAs(
  service: Service,
  caller: Caller,
  name: string,
  input: unknown,
): Promise<AsyncIterable<readonly unknown[]> | undefined> {
  if (!isOperationName(name)) return listInBatches(service, name, input)
  const acting = actingOf(caller, name)
  const asked = { service, acting, name, input }
  return notingRefusals(caller.operator, asked, async () => {
    const rows = listInBatches(withAudit(service, acting), name, input)
    if (rows && isPrivileged(name)) await noteDone(asked)
    return rows
  })
}

export type WorkName = keyof typeof minimumRolesOfWork

/** Refuses a request that is not an operation, and records the refusal. */
export async function requireRoleForWork(
  service: Service,
  caller: Caller,
  name: WorkName,
): Promise<void> {
  const { what, least } = minimumRolesOfWork[name]
  try {
    requireRole(caller.operator, what, least)
  } catch (error) {
    const { code } = error as Problem
    const acting = actingOf(caller, name)
    await ifWritable(() => auditRefusal(service, acting, { subjects: {}, code }))
    throw error
  }
}

async function auditAction(
  service: Service,
  caller: Caller,
  what: OwnAction | 'statement.show',
): Promise<void> {
  await auditAttempt(service, actingOf(caller, what), { subjects: {}, outcome: 'done' })
}

/** A service whose changes the audit records as the caller's, for a change that is not an operation. */
export function serviceFor(service: Service, caller: Caller, what: OwnAction): Service {
  return withAudit(service, actingOf(caller, what))
}

/**
 * @returns false if the store accepts no writes. Such a store needs a backup more than any other,
 * so this must not prevent one.
 */
export function auditBackup(service: Service, caller: Caller): Promise<boolean> {
  return ifWritable(() => auditAction(service, caller, 'store.backup'))
}

/** Does work that must be possible while the store accepts no writes. @returns false if it accepts none */
export async function ifWritable(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!isStoreReadOnly(error)) throw error
    return false
  }
}

interface Asked {
  readonly service: Service
  readonly acting: AuditContext
  readonly name: OperationName
  readonly input: unknown
}

function actingOf(
  { operator, via, requestId }: Caller,
  operation: OperationName | OwnAction,
): AuditContext {
  return { actor: operatorActor(operator), via, operation, requestId }
}

async function notingRefusals<Result>(
  operator: ActingOperator,
  { service, acting, name, input }: Asked,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    requireRole(operator, name, minimumRole(name))
    return await run()
  } catch (error) {
    if (error instanceof Problem && isPrivileged(name) && error.code !== 'SERVICE_UNAVAILABLE') {
      const subjects = subjectsIn(input, wholeId)
      const { code } = error
      await ifWritable(() => auditRefusal(service, acting, { subjects, code }))
    }
    throw error
  }
}

/** A dry run only reads. */
function isDryRun(input: unknown): boolean {
  return Object(input).dry_run === true
}

/**
 * Operations by which an administrator looks into a store that accepts no writes, and rescues it. Like a backup, they
 * are allowed.
 */
const rescuing: readonly OperationName[] = [
  'audit.export',
  'fixtures.export',
  'store.check',
  'console.create_link',
]

async function noteDone({ service, acting, name, input }: Asked): Promise<void> {
  const subjects = subjectsIn(input, anyId)
  const note = () => auditAttempt(service, acting, { subjects, outcome: 'done' })
  await (rescuing.includes(name) ? ifWritable(note) : note())
}

/** Ids that an input may name. Free text is left out, because it could be personal data. */
const idsOfInputs: Readonly<Record<string, string>> = {
  share_purchase_id: 'sharePurchaseId',
  investor_id: 'investorId',
  organization_id: 'organizationId',
  cooperative_id: 'cooperativeId',
  client_id: 'clientId',
  event_id: 'eventId',
  webhook_endpoint_id: 'webhookEndpointId',
  kid: 'kid',
  collection_id: 'collectionId',
}

/** An operation that is done has accepted the text as an id, which may be a short one. */
const anyId = /^[\w-]{1,64}$/
/** In place of an id, somebody may have typed a name, an IBAN or a secret, which the audit must not keep. */
const wholeId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function subjectsIn(input: unknown, form: RegExp): Readonly<Record<string, string>> {
  const given: Readonly<Record<string, unknown>> = Object(input)
  return Object.fromEntries(
    Object.entries(idsOfInputs).flatMap(([key, name]) => {
      const id = given[key]
      return typeof id === 'string' && form.test(id) ? [[name, id.toLowerCase()]] : []
    }),
  )
}
