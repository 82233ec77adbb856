import { Args, Flags } from '@oclif/core'
import type { importedCooperatives } from '../../src/cli/apply-fixtures.ts'
import {
  type ApplyChange,
  describeChanges,
  explainRefusal,
  locateChanges,
} from '../../src/cli/apply-fixtures.ts'
import { yesInProductionFlag } from '../../src/cli/arguments.ts'
import { requireYes } from '../../src/cli/confirm.ts'
import type { Connection } from '../../src/cli/connection.ts'
import type { CooperativeFiles } from '../../src/cli/read-cooperative-file.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class CooperativeImport extends ServiceCommand<
  Rendered<typeof importedCooperatives>
> {
  static override summary = 'Create and update cooperatives from files.'
  static override description =
    `Cooperatives are matched by their key. The command checks all files first: if one has an error, nothing changes. Files of more than 4 MiB are then applied in parts, each completely or not at all; if the command stops in between, run it again. New cooperatives stay unpublished unless the file says \`published: true\`.

A sheet (XLSX or CSV) has a row for each cooperative, and another row for each project after the first. Begin with \`cooperative export -o xlsx\`. If a column is missing, its field does not change; an empty cell clears the field. A sheet has no images, so the stored images stay. Errors name the row and the column.

In JSON and YAML, a field that you leave out gets its default. Paths of images are relative to the file. If the command reads standard input, paths of images are relative to the working directory.

In production the command first shows what would change, and asks before it changes a cooperative.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> cooperatives.ndjson',
    '<%= config.bin %> <%= command.id %> catalogue.xlsx --dry-run',
  ]
  static override args = {
    files: Args.string({
      multiple: true,
      required: true,
      ignoreStdin: true,
      description:
        'Files in XLSX, CSV, JSON, YAML, or with one JSON object per line; - reads standard input.',
    }),
  }
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Only show what would change, field by field.' }),
    yes: yesInProductionFlag,
  }

  protected override mayBeginStore = true

  override async output() {
    const { importedCooperatives } = await import('../../src/cli/apply-fixtures.ts')
    return importedCooperatives
  }

  async run() {
    const { args, flags } = await this.parse(CooperativeImport)
    const { 'dry-run': dryRun = false, yes = false, ...connection } = flags
    const { readCooperativeFiles } = await import('../../src/cli/read-cooperative-file.ts')
    const files = await readCooperativeFiles(args.files)
    // A dry run must not create a store.
    this.mayBeginStore = !dryRun
    const service = await this.connect(connection)
    if (dryRun) {
      const checked = await this.#check(service, files)
      this.log(`Cooperatives: ${countsOf(checked)}.`)
      return checked
    }
    const isChecked = flags.environment === 'production'
    const checked = isChecked ? await this.#check(service, files) : undefined
    if (checked && !yes) await requireConsent(checked.changes)
    const { changes: _, ...imported } = await call(service, files, undefined)
    const changed = imported.cooperatives.filter(({ outcome }) => outcome !== 'unchanged')
    if (changed.length > 0) {
      this.show(
        renderTable(changed, {
          KEY: 'key',
          NAME: 'name',
          PUBLISHED: 'published',
          OUTCOME: 'outcome',
        }),
      )
    }
    this.show(`Cooperatives: ${countsOf(imported)}.`)
    return { ...imported, ...(checked && { changes: checked.changes }) }
  }

  async #check(service: Connection, files: CooperativeFiles) {
    const { changes, ...imported } = await call(service, files, true)
    const located = locateChanges(changes, files)
    this.log(describeChanges(located))
    return { dry_run: true as const, ...imported, changes: located }
  }
}

type Counts = Readonly<Record<'created' | 'updated' | 'unchanged', number>>

function countsOf({ created, updated, unchanged }: Counts): string {
  return `${created} new, ${updated} changed, ${unchanged} unchanged`
}

async function call(service: Connection, files: CooperativeFiles, dry_run: true | undefined) {
  const { importInParts } = await import('../../src/operations/apply-in-parts.ts')
  return importInParts({ ...files.input, dry_run }, (part) =>
    service.call('cooperative.import', part),
  ).catch((error) => {
    throw explainRefusal(error, files)
  })
}

async function requireConsent(changes: readonly ApplyChange[]): Promise<void> {
  const updated = changes.filter(({ outcome }) => outcome === 'updated').length
  if (updated === 0) return
  const what = `${updated} ${updated === 1 ? 'cooperative' : 'cooperatives'} in production`
  await requireYes({
    question: `Change ${what}?`,
    instead: `This would change ${what}. Nothing was changed. Check the lines above, then run the command again with --yes.`,
  })
}
