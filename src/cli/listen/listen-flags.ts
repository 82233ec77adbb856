import { Flags } from '@oclif/core'
import { parseWait } from '../../config/delivery-flags.ts'
import { parseReceiverUrl } from '../../config/http-url.ts'
import { eventTypes } from '../../domain/webhooks/event.ts'
import { timeFlag } from '../event-filter.ts'

export const listenFlags = {
  organization: Flags.string({
    required: true,
    helpValue: 'ORG',
    description: 'Id or exact name of the organisation.',
  }),
  'forward-to': Flags.string({
    required: true,
    helpValue: 'URL',
    parse: async (text) => parseReceiverUrl('forward-to', text),
    description: 'Where events go: any http or https address, that of this machine too.',
  }),
  type: Flags.option({
    options: eventTypes,
    multiple: true,
    multipleNonGreedy: true,
    description: 'Only events of it; may be given more than once. The others are passed over.',
  })(),
  since: timeFlag('Begin anew with the events from then on'),
  cursor: Flags.string({
    helpValue: 'FILE',
    description: 'Keeps how far it got, and the secret; default: a file in the data directory.',
  }),
  backoff: Flags.custom<number>({
    helpValue: 'TIME',
    default: 0.5,
    defaultHelp: async () => '500ms',
    parse: async (text) => parseWait(text),
    description: 'First wait after a failure, such as 500ms or 2s; it doubles up to 5s.',
  })(),
  'print-secret': Flags.boolean({
    exclusive: ['since'],
    description: 'Only print the signing secret, for the configuration of the receiver.',
  }),
}
