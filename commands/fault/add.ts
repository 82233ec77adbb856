import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { benchCommand } from '../../src/cli/service-command.ts'
import { resets } from '../../src/domain/bench/fault.ts'

export default class FaultAdd extends benchCommand('bench.add_fault') {
  static override summary = 'Make requests or deliveries fail (staging only).'
  static override description = [
    'The operation is an operation id of the contract, such as placeSharePurchase, or `delivery` for webhooks. The fault occurs until you remove it, or until it has occurred as many times as --times says.',
    '--reset after-commit carries out the request and loses the answer; the client must repeat it with its Idempotency-Key.',
  ].join('\n')
  static override examples = [
    '<%= config.bin %> <%= command.id %> placeSharePurchase --reset after-commit --times 1',
    '<%= config.bin %> <%= command.id %> listHoldings --status 503 --retry-after 5',
    '<%= config.bin %> <%= command.id %> delivery --receiver 7c9e6679-7425-40de-944b-e07fc1f90ae7 --status 500 --times 2',
  ]
  static override args = { operation: required('Operation id from the contract, or `delivery`.') }
  static override flags = {
    client: Flags.string({ helpValue: 'ID', description: 'Only requests of this client.' }),
    receiver: Flags.string({
      helpValue: 'ID',
      description: 'Only deliveries to this webhook endpoint.',
    }),
    times: Flags.integer({
      min: 1,
      helpValue: 'N',
      description: 'Number of times that the fault occurs.',
    }),
    delay: Flags.string({
      helpValue: 'TIME',
      description: 'Real time to wait first, for example 6s.',
    }),
    reset: Flags.option({ options: resets, description: 'When to cut the connection.' })(),
    status: Flags.integer({
      min: 200,
      max: 599,
      helpValue: 'STATUS',
      description: 'Answer with this status instead of carrying out the request.',
    }),
    'retry-after': Flags.integer({
      min: 1,
      helpValue: 'SECONDS',
      description: '`Retry-After` of the answer.',
    }),
    code: Flags.string({ helpValue: 'CODE', description: 'Problem code of the answer.' }),
  }

  async run() {
    const { args, flags } = await this.parse(FaultAdd)
    const { client, receiver, times, delay, reset, status, code } = flags
    const fault = await this.call(flags, {
      operation: args.operation,
      client,
      receiver,
      times,
      delay,
      reset,
      status,
      code,
      retry_after: flags['retry-after'],
    })
    this.log(`Added fault ${fault.id}.`)
    return fault
  }
}
