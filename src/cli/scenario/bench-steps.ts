import type { StepValue } from '../../wire/scenario/steps.ts'
import { Mismatch } from './mismatch.ts'
import { optionsOf } from './operator-steps.ts'
import type { Play } from './play.ts'

export async function addFault({ service }: Play, value: StepValue<'fault'>): Promise<void> {
  const { on: operation, ...fault } = value
  await service.bench('POST', 'faults', { operation, ...fault })
}

export async function clear({ service }: Play, what: StepValue<'clear'>): Promise<void> {
  await service.bench('DELETE', what)
}

export async function maintain({ service }: Play, value: StepValue<'maintenance'>): Promise<void> {
  const body = typeof value === 'string' ? { on: value === 'on' } : value
  await service.bench('POST', 'maintenance', body)
}

export async function advance({ service }: Play, value: StepValue<'advance'>): Promise<void> {
  const { by, ...options } = typeof value === 'string' ? { by: value } : value
  await service.bench('POST', 'clock', { advance: by, ...options })
}

/** Does what is due now, so that the next step finds the same in each run. */
export async function settleDown({ service }: Pick<Play, 'service'>): Promise<void> {
  await service.bench('POST', 'clock', { advance: '0s' })
}

export async function moveTo({ service }: Play, to: string): Promise<void> {
  await service.bench('POST', 'clock', { to })
}

export async function reset({ service, receiver, tokens }: Play): Promise<void> {
  await service.bench('POST', 'reset')
  tokens.clear()
  receiver?.answerWith(204)
  receiver?.trust(service.webhook?.signingSecret ?? '')
}

export async function expireTokens(
  { service }: Play,
  value: StepValue<'expire_tokens'>,
): Promise<void> {
  await service.bench('POST', 'tokens/expire', optionsOf(value))
}

export async function rotateSecret({ service, receiver }: Play): Promise<void> {
  const { operator, webhook } = service
  if (!webhook) throw new Mismatch('There is no webhook endpoint: give it in given.webhooks.')
  const { signing_secret } = await operator.call('webhook.rotate_secret', {
    webhook_endpoint_id: webhook.webhookEndpointId,
  })
  receiver?.trust(signing_secret)
}

export async function changeReceiver(
  { receiver }: Play,
  { answer, times }: StepValue<'receiver'>,
): Promise<void> {
  receiver?.answerWith(answer, times)
}
