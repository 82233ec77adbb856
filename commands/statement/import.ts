import { basename } from 'node:path'
import { Args, Flags } from '@oclif/core'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'
import type { Output } from '../../src/operations/operations.ts'

export default class StatementImport extends operationCommand('statement.import') {
  static override summary = 'Import what banks have sent: camt.052, camt.053, camt.054 or pain.002.'
  static override description =
    'If one of the files is refused, nothing is imported. You can import a file again: entries that came before are not counted again. What matches nothing waits for you: see `statement show` and `statement assign`.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> camt053.xml --dry-run',
    '<%= config.bin %> <%= command.id %> *.xml',
  ]
  static override args = {
    files: Args.string({
      multiple: true,
      required: true,
      ignoreStdin: true,
      description: 'Files of the bank; - reads standard input.',
    }),
  }
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Change nothing; show what would be imported.' }),
  }

  async run() {
    const { args, flags } = await this.parse(StatementImport)
    const { readWhole } = await import('../../src/cli/files/read-file.ts')
    const { decodeXml } = await import('../../src/wire/decode-xml.ts')
    const files: { readonly name: string; readonly text: string }[] = []
    // All files are read before the first one is imported.
    for (const path of args.files)
      files.push({ name: basename(path), text: decodeXml(await readWhole(path), path) })
    const service = await this.connect(flags)
    const importAll = async (dry_run: boolean) => {
      const imported: Output<'statement.import'>[number][] = []
      for (const file of files) {
        const call = service.call('statement.import', { ...file, dry_run })
        imported.push(
          ...(await call.catch((error: unknown) => {
            const before = [...new Set(imported.map((one) => one.file))]
            if (before.length > 0 && !dry_run)
              this.tell(`Imported before the error: ${before.join(', ')}.`)
            throw error
          })),
        )
      }
      return imported
    }
    // A file that is refused must not leave earlier files imported.
    if (files.length > 1) await importAll(true)
    const imported = await importAll(flags['dry-run'])
    if (this.jsonEnabled()) return imported
    this.log(
      renderTable(imported, {
        STATEMENT: 'statement_id',
        FILE: 'file',
        ENTRIES: 'entries',
        BOOKED: 'booked',
        RETURNED: 'returned',
        REPEATED: 'repeated',
        UNMATCHED: 'unmatched',
        IGNORED: 'ignored',
      }),
    )
    if (imported.some(({ unmatched }) => unmatched > 0)) {
      this.tell(
        'Entries that match nothing wait for you: look at them with `coopshare statement show`, and assign them with `coopshare statement assign`.',
      )
    }
    if (flags['dry-run']) this.tell('This was a dry run. Nothing was imported.')
    return imported
  }
}
