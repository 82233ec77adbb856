import { ServiceCommand } from '../../src/cli/service-command.ts'

export default class AuditExport extends ServiceCommand {
  static override summary = 'Print the whole audit, one JSON object per line, oldest first.'
  static override examples = ['<%= config.bin %> <%= command.id %> > audit.ndjson']

  async run() {
    const { flags } = await this.parse(AuditExport)
    const service = await this.connect(flags)
    await this.showInParts(linesOf(service.list('audit.export', {})))
  }
}

async function* linesOf(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  for await (const rows of batches) {
    if (rows.length > 0) yield rows.map((row) => JSON.stringify(row)).join('\n')
  }
}
