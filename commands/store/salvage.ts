import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { renderFields } from '../../src/cli/table.ts'
import { globalFlags } from '../../src/config/serve-flags.ts'

export default class StoreSalvage extends BaseCommand {
  static override summary = 'Make a new store of everything that is whole in a damaged one.'
  static override description =
    `Reads a backup, or else the data directory, and changes nothing in it; stop the service first. Use it when no undamaged backup is recent enough.

A line counts as whole when its checksum fits together with the checksum in the line before. This also holds after a damaged line, as long as that line's checksum can be read. A record is kept in its last whole state, and only with everything it refers to: an order without its investor is left out. Holdings and the counts of events are worked out again from what was kept.

The list says which lines were lost, with the ids that can still be read in them and the records that may be older than they were (older), which records were left out, and which were corrected. Lines that are gone without a trace are counted, as far as acknowledged.json tells how many there were; what stood in them cannot be listed. Orders whose entry fee or minimum depends on orders that are lost are listed, too: they stay, but they cannot be settled.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --data-dir /srv/coopshare --to /srv/coopshare-new',
    '<%= config.bin %> <%= command.id %> coopshare-2026-11-20.backup --to /srv/coopshare-new --json',
  ]
  static override baseFlags = globalFlags
  static override args = {
    backup: Args.string({
      ignoreStdin: true,
      description: 'Path of a damaged backup; default: the store in the data directory.',
    }),
  }
  static override flags = {
    to: Flags.string({
      required: true,
      helpValue: 'DIR',
      description: 'Where the new store is made: a new or empty directory.',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(StoreSalvage)
    const { to, ...others } = flags
    const config = await this.readConfig(others)
    const { salvageStore } = await import('../../src/cli/salvage-store.ts')
    const salvaged = await salvageStore(config, { backup: args.backup, to })
    this.show(renderFields(salvaged.records))
    for (const { file, line, reason, ids, older } of salvaged.lost) {
      this.log(
        `Lost: ${file}${line === null ? '' : `, line ${line}`}: ${reason}${listed('ids in it', ids)}${listed('may be older', older)}`,
      )
    }
    for (const { record, reason } of salvaged.left_out) this.log(`Left out: ${record}: ${reason}`)
    for (const { record, reason } of salvaged.corrected) this.log(`Corrected: ${record}: ${reason}`)
    for (const { record, reason } of salvaged.cannot_settle) {
      this.log(`Cannot be settled: ${record}: ${reason}`)
    }
    this.log(
      salvaged.complete
        ? `Salvaged everything into ${salvaged.data_dir}.`
        : `Salvaged into ${salvaged.data_dir} what is whole.`,
    )
    return salvaged
  }
}

function listed(what: string, names: readonly string[]): string {
  return names.length > 0 ? ` (${what}: ${names.join(', ')})` : ''
}
