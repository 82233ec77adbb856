import { renderLinesInParts } from '../../src/cli/output.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import type { Row } from '../../src/operations/operations.ts'

export default class AuditExport extends ServiceCommand<Row<'audit.export'>> {
  static override summary = 'Print the whole audit, one JSON object per line, oldest first.'
  static override examples = ['<%= config.bin %> <%= command.id %> > audit.ndjson']

  override get printsLines() {
    return true
  }

  override async output() {
    const { auditEntry } = await import('../../src/operations/audit.ts')
    return auditEntry
  }

  async run() {
    const { flags } = await this.parse(AuditExport)
    const service = await this.connect(flags)
    await this.showInParts(renderLinesInParts(service.list('audit.export', {})))
  }
}
