import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class EventShow extends operationCommand('event.show') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> 5f0c7a52-6d0c-5b8e-9a55-0c3f5f5d2f11',
  ]
  static override args = { event: required('Event id.') }

  async run() {
    const { args, flags } = await this.parse(EventShow)
    const event = await this.call(flags, { event_id: args.event })
    const { renderEventDetails } = await import('../../src/cli/render-event.ts')
    this.show(renderEventDetails(event))
    return event
  }
}
