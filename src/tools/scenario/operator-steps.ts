import { Problem } from '../../domain/problem.ts'
import { readAmount } from '../../wire/fields.ts'
import {
  findClient,
  findCooperative,
  findEvent,
  orderIdOf,
  type ScenarioContext,
} from './context.ts'
import { Mismatch } from './mismatch.ts'
import type { StepName, StepValue } from './step-shapes.ts'

type Decision = 'purchase.approve' | 'purchase.settle' | 'purchase.cancel'

export function decide(operation: Decision) {
  return async (context: ScenarioContext, value: StepValue<'approve'>): Promise<void> => {
    const { order, refused } = typeof value === 'string' ? { order: value } : value
    const share_purchase_id = orderIdOf(context, order)
    await refusedOr(refused, () => context.service.operator.call(operation, { share_purchase_id }))
  }
}

export function reject(usualReason?: string) {
  return async (context: ScenarioContext, value: StepValue<'reject'>): Promise<void> => {
    const {
      order,
      reason = usualReason,
      refused,
    } = typeof value === 'string' ? { order: value } : value
    const input = { share_purchase_id: orderIdOf(context, order), reason }
    await refusedOr(refused, () => context.service.operator.call('purchase.reject', input))
  }
}

async function refusedOr(code: string | undefined, work: () => Promise<unknown>): Promise<void> {
  if (code === undefined) {
    await work()
    return
  }
  const refusal = await work().then(
    () => undefined,
    (error) => error,
  )
  if (refusal instanceof Problem && refusal.code === code) return
  if (refusal !== undefined && !(refusal instanceof Problem)) throw refusal
  throw new Mismatch('The step should have been refused.', {
    expected: code,
    actual: refusal?.code ?? 'done',
  })
}

export async function replay(context: ScenarioContext, value: StepValue<'replay'>): Promise<void> {
  const { operator } = context.service
  if (typeof value === 'string') {
    await operator.call('event.replay', { dead: true })
    return
  }
  const { event_id } = await findEvent(context, value.event, value.of)
  await operator.call('event.replay', { event_id })
}

type CatalogueStep = Extract<StepName, 'publish' | 'unpublish'>

export function changeCatalogue(operation: `cooperative.${CatalogueStep}`) {
  return async (context: ScenarioContext, wanted: string): Promise<void> => {
    const { id: cooperative } = await findCooperative(context, wanted)
    await context.service.operator.call(operation, { cooperative })
  }
}

export async function setPrice(
  context: ScenarioContext,
  wanted: StepValue<'set_price'>,
): Promise<void> {
  const { id: cooperative } = await findCooperative(context, wanted.cooperative)
  const share_price = readAmount(wanted.price)
  await context.service.operator.call('cooperative.set_price', { cooperative, share_price })
}

export async function disableClient(context: ScenarioContext, wanted: string): Promise<void> {
  const { clientId: client_id } = await findClient(context, wanted)
  await context.service.operator.call('client.disable', { client_id })
}

export async function enableClient({ service }: ScenarioContext, client_id: string): Promise<void> {
  await service.operator.call('client.enable', { client_id })
}

export async function rotateKey(
  { service }: ScenarioContext,
  value: StepValue<'rotate_key'>,
): Promise<void> {
  await service.operator.call('key.rotate', { now: optionsOf(value).now ?? false })
}

/** A step without options is written as a word. */
function optionsOf<Options extends object>(value: Options | true | null): Partial<Options> {
  return value === true || value === null ? {} : value
}

export async function addFault(
  { service }: ScenarioContext,
  value: StepValue<'fault'>,
): Promise<void> {
  const { on: operation, ...fault } = value
  await service.bench('bench.add_fault', { operation, ...fault })
}

export async function clear({ service }: ScenarioContext, what: StepValue<'clear'>): Promise<void> {
  await service.bench(what === 'faults' ? 'bench.clear_faults' : 'bench.clear_journal', {})
}

export async function maintain(
  { service }: ScenarioContext,
  value: StepValue<'maintenance'>,
): Promise<void> {
  const body = typeof value === 'string' ? { on: value === 'on' } : value
  await service.bench('bench.set_maintenance', body)
}

export async function advance(
  { service }: ScenarioContext,
  value: StepValue<'advance'>,
): Promise<void> {
  const { by, ...options } = typeof value === 'string' ? { by: value } : value
  await service.bench('bench.move_clock', { advance: by, ...options })
}

/** Does all due work, so that the next step finds the same state in each run. */
export async function finishDueWork({ service }: Pick<ScenarioContext, 'service'>): Promise<void> {
  await service.bench('bench.move_clock', { advance: '0s' })
}

export async function moveTo({ service }: ScenarioContext, to: string): Promise<void> {
  await service.bench('bench.move_clock', { to })
}

export async function reset({ service, receiver, tokens }: ScenarioContext): Promise<void> {
  await service.bench('bench.reset', {})
  tokens.clear()
  receiver?.answerWith(204)
  receiver?.trust(service.webhook?.signingSecret ?? '')
}

export async function expireTokens(
  { service }: ScenarioContext,
  value: StepValue<'expire_tokens'>,
): Promise<void> {
  await service.bench('bench.expire_tokens', optionsOf(value))
}

export async function rotateSecret({ service, receiver }: ScenarioContext): Promise<void> {
  const { operator, webhook } = service
  if (!webhook) throw new Mismatch('There is no webhook endpoint: declare one in given.webhooks.')
  const { signing_secret } = await operator.call('webhook.rotate_secret', {
    webhook_endpoint_id: webhook.webhookEndpointId,
  })
  receiver?.trust(signing_secret)
}

export async function changeReceiver(
  { receiver }: ScenarioContext,
  { answer, times }: StepValue<'receiver'>,
): Promise<void> {
  receiver?.answerWith(answer, times)
}
