import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class EventSendNow extends operationCommand('event.send_now') {
  static override summary =
    "Send an event's pending deliveries now, before their next attempt is due."
  static override description =
    'Earlier events of the same order still go first. The attempt counts like any other. The command refuses an event that is delivered or dead: use `event replay` instead.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 5f0c7a52-6d0c-5b8e-9a55-0c3f5f5d2f11',
  ]
  static override args = { event: required('Event id.') }

  async run() {
    const { args, flags } = await this.parse(EventSendNow)
    const event = await this.call(flags, { event_id: args.event })
    const pending = event.deliveries.filter(
      ({ state }) => state === 'pending' || state === 'waiting',
    )
    const paused = pending.filter((delivery) => delivery.paused)
    const behind = pending.filter((delivery) => delivery.state === 'waiting' && !delivery.paused)
    this.log(`Deliveries to webhook endpoints that are due now: ${pending.length}.`)
    if (paused.length > 0)
      this.log(
        `${paused.length} wait because their endpoint is paused. To resume it: coopshare webhook resume.`,
      )
    if (behind.length > 0)
      this.log(`Deliveries that wait for an earlier event of the same order: ${behind.length}.`)
    return event
  }
}
