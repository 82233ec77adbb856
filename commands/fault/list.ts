import { listFlags } from '../../src/cli/list-output.ts'
import { benchCommand } from '../../src/cli/service-command.ts'
import type { FaultRow } from '../../src/wire/bench.ts'

export default class FaultList extends benchCommand('bench.list_faults') {
  static override summary = 'List faults that can still occur, oldest first (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  static override flags = listFlags

  async run() {
    const { flags } = await this.parse(FaultList)
    await this.showList(flags, {
      read: () => this.call(flags, {}),
      empty: 'No faults. Add one: `coopshare fault add placeSharePurchase --status 503`.',
      columns: {
        ID: 'id',
        OPERATION: 'operation',
        EFFECT: describeEffect,
        FOR: (fault) => fault.client ?? fault.receiver,
        LEFT: 'times_left',
        HAPPENED: 'happened',
      },
    })
  }
}

function describeEffect({ delay, reset, status, code }: FaultRow): string {
  const effects = [
    delay === null ? [] : `delay ${delay}`,
    reset === null ? [] : `reset ${reset}`,
    status === null ? [] : ['status', status, code ?? []].flat().join(' '),
  ]
  return effects.flat().join(', ')
}
