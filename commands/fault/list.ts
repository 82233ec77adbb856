import { listFlags } from '../../src/cli/list-output.ts'
import { BenchCommand } from '../../src/cli/service-command.ts'
import type { FaultRow } from '../../src/http/bench/outputs.ts'

export default class FaultList extends BenchCommand {
  static override summary = 'List faults that can still occur, oldest first (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  static override flags = listFlags

  async run() {
    const { flags } = await this.parse(FaultList)
    await this.showList(flags, {
      read: () => this.ask<readonly FaultRow[]>(flags, 'GET', 'faults'),
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

function describeEffect({ delay_ms, reset, status, code }: FaultRow): string {
  const effects = [
    delay_ms === null ? [] : `delay ${delay_ms} ms`,
    reset === null ? [] : `reset ${reset}`,
    status === null ? [] : ['status', status, code ?? []].flat().join(' '),
  ]
  return effects.flat().join(', ')
}
