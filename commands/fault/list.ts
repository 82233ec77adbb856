import { BenchCommand } from '../../src/cli/bench-command.ts'
import { renderTable } from '../../src/cli/table.ts'
import type { FaultRow } from '../../src/http/bench/answers.ts'

export default class FaultList extends BenchCommand {
  static override summary = 'List faults that can still happen, oldest first (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(FaultList)
    const send = await this.reach(flags)
    const faults = (await send('GET', '/bench/faults')) as readonly FaultRow[]
    this.show(
      renderTable(faults, {
        ID: (fault) => fault.id,
        OPERATION: (fault) => fault.operation,
        EFFECT: describeEffect,
        FOR: (fault) => fault.client ?? fault.receiver,
        LEFT: (fault) => fault.times_left,
        HAPPENED: (fault) => fault.happened,
      }),
    )
    return faults
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
