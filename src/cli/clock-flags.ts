import { Flags } from '@oclif/core'

export const clockTimeoutFlag = Flags.string({
  helpValue: 'TIME',
  description: 'How long to wait for what is due. Default: 30s.',
})
