import { Flags } from '@oclif/core'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class KeyRotate extends operationCommand('key.rotate') {
  static override summary =
    'Publish a new signing key. The service uses the key once partners have had time to fetch it.'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = {
    now: Flags.boolean({ description: 'Use the key immediately.' }),
  }

  async run() {
    const { flags } = await this.parse(KeyRotate)
    const key = await this.call(flags, { now: flags.now })
    this.log(`Published ${key.kid}. The key signs access tokens from ${key.signs_from} on.`)
    return key
  }
}
