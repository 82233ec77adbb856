import { Flags } from '@oclif/core'
import { requirePipe, writeOutput } from '../../src/cli/backup-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

const forms = ['yaml', 'csv', 'xlsx'] as const

export default class CooperativeExport extends operationCommand('cooperative.export') {
  static override summary = 'Print all cooperatives as a file that `cooperative import` can read.'
  static override description =
    'You can edit the file and import it again; values that you do not edit stay exactly the same. A sheet (XLSX or CSV) has no images. If the store is empty, the sheet has only the names of the columns. Prefer XLSX for a spreadsheet program, which may drop leading zeros from a CSV file. With --json, the command prints JSON.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> -o xlsx > catalogue.xlsx',
    '<%= config.bin %> <%= command.id %> > catalogue.yaml',
  ]
  static override flags = {
    output: Flags.option({
      char: 'o',
      options: forms,
      default: 'yaml' as const,
      description: 'Output format. XLSX cannot be written to a terminal.',
    })(),
  }

  async run() {
    const { flags } = await this.parse(CooperativeExport)
    const form = this.jsonEnabled() ? 'json' : flags.output
    if (form === 'xlsx') requirePipe('An XLSX workbook')
    const service = await this.connect(flags)
    const images = form === 'json' || form === 'yaml'
    const definitions: object[] = []
    for await (const batch of service.list('cooperative.export', { images })) {
      definitions.push(...batch)
    }
    if (form === 'json') return definitions
    if (form === 'yaml') {
      const { renderYaml } = await import('../../src/cli/files/yaml.ts')
      this.show(renderYaml(definitions))
      return undefined
    }
    const { cooperativeColumns, rowsOf } = await import('../../src/cli/files/cooperative-table.ts')
    const { renderCsv, renderXlsx } = await import('../../src/cli/files/spreadsheet.ts')
    const rows = rowsOf(definitions)
    if (form === 'xlsx')
      await writeOutput([await renderXlsx(cooperativeColumns, rows)], 'The workbook')
    else if (process.stdout.isTTY) this.show(renderCsv(cooperativeColumns, rows, 'for people'))
    else await writeOutput([Buffer.from(renderCsv(cooperativeColumns, rows))], 'The sheet')
    return undefined
  }
}
