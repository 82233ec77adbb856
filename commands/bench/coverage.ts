import { Flags } from '@oclif/core'
import { exitCodes } from '../../src/cli/error-codes.ts'
import { benchCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'
import type { CoverageReport } from '../../src/wire/bench.ts'

export default class BenchCoverage extends benchCommand('bench.coverage') {
  static override summary = 'Show which answers and events your tests have covered (staging only).'
  static override description =
    'Shows how often each documented answer of an operation (by status and code), each event type and each delivery outcome has occurred since the service started.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --fail-under 60',
  ]
  static override flags = {
    'fail-under': Flags.integer({
      min: 0,
      max: 100,
      helpValue: 'PERCENT',
      description: 'Exit with code 4 if the percentage is lower.',
    }),
  }

  async run() {
    const { flags } = await this.parse(BenchCoverage)
    const report = await this.call(flags, {})
    this.show(renderReport(report))
    const least = flags['fail-under'] ?? 0
    if (report.percentage < least) {
      this.tell(`Your tests covered only ${report.percentage} %; --fail-under asks for ${least} %.`)
      process.exitCode = exitCodes.refused
    }
    return report
  }
}

function renderReport({ answers, events, deliveries, met, total, percentage }: CoverageReport) {
  const rows = [
    ...answers.map(({ operation, status, code, times }) => ({
      what: [operation, status, code ?? []].flat().join(' '),
      times,
    })),
    ...events.map(({ type, times }) => ({ what: `event ${type}`, times })),
    ...deliveries.map(({ outcome, times }) => ({ what: `delivery ${outcome}`, times })),
  ]
  const table = renderTable(rows, { WHAT: 'what', TIMES: 'times' })
  return `${table}\n\n${met} of ${total} met: ${percentage} %.`
}
