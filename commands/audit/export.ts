import { renderLinesInParts } from '../../src/cli/output.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'

export default class AuditExport extends ServiceCommand {
  static override summary = 'Print the whole audit, one JSON object per line, oldest first.'
  static override examples = ['<%= config.bin %> <%= command.id %> > audit.ndjson']

  async run() {
    const { flags } = await this.parse(AuditExport)
    const service = await this.connect(flags)
    await this.showInParts(renderLinesInParts(service.list('audit.export', {})))
  }
}
